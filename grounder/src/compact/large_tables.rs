//! Remedies for a table that has become too large: [`diagrams`] check a condition value by value, [`demand`]
//! computes what is demanded of the table. Before, recursion that passes its answer on is taken apart
//! ([`right_linear`]), and arguments that nobody uses are dropped ([`existential`]).

pub(crate) mod demand;
pub(crate) mod diagrams;
pub(crate) mod existential;
pub(crate) mod right_linear;
