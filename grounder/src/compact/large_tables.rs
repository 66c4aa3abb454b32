//! Remedies for a table that has become too large: [`diagrams`] check a condition value by value, [`unfolding`] does without the
//! table, [`demand`] computes what is demanded of it.

pub(crate) mod demand;
pub(crate) mod diagrams;
pub(crate) mod unfolding;
