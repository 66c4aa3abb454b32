//! Passes over flat rules, before anything is evaluated: [`argument_reduction`] keeps where a recursion has come to apart from
//! what it ends with.

pub(crate) mod argument_reduction;
