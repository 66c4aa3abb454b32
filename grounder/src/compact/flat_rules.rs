//! Passes over flat rules, before anything is evaluated: [`linear_recursion`] lets closures take one step at a time.

pub(crate) mod linear_recursion;
