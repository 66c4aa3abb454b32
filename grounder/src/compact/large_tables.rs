//! Passes that keep tables from becoming too large, before and while they are computed.
//!
//! [`diagrams`] checks conditions that no table could hold value by value. The others are remedies for a table that has become
//! too large: [`unfolding`] does without it, [`demand`] computes what is demanded of it.

pub(crate) mod demand;
pub(crate) mod diagrams;
pub(crate) mod unfolding;
