//! Remedies for a table that has become too large: [`diagrams`] check a condition value by value, [`demand`]
//! computes what is demanded of the table. Before, recursion that passes its answer on is taken apart
//! ([`right_linear`]), and conditions that say that two tuples differ are no tables ([`differences`]).

pub(crate) mod demand;
pub(crate) mod diagrams;
pub(crate) mod differences;
pub(crate) mod right_linear;
