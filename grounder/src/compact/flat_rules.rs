//! Passes over flat rules, before anything is evaluated, in this order.
//!
//! [`condensation`] removes literals that others imply, so that nothing is demanded twice, and [`aliases`] views that only
//! give one literal another name; with [`differences`] comparisons of tuples have no tables. [`redundant_arguments`]
//! removes arguments that do not matter; [`linear_recursion`] lets closures take one step at a time;
//! [`existential_arguments`] removes arguments whose values nobody uses.

pub(crate) mod aliases;
pub(crate) mod condensation;
pub(crate) mod differences;
pub(crate) mod existential_arguments;
pub(crate) mod linear_recursion;
pub(crate) mod redundant_arguments;
