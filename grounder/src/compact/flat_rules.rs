//! Passes over flat rules, before anything is evaluated: [`linear_recursion`] lets closures take one step at a time,
//! [`argument_reduction`] keeps where a recursion has come to apart from what it ends with.

pub(crate) mod argument_reduction;
pub(crate) mod linear_recursion;
