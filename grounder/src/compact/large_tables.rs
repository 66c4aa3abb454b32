//! Remedies for a table that has become too large: [`diagrams`] check a condition value by value, [`demand`]
//! computes what is demanded of the table.

pub(crate) mod demand;
pub(crate) mod diagrams;
