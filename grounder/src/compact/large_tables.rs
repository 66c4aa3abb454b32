//! Passes that keep tables from becoming too large, before and while they are computed.
//!
//! [`diagrams`] checks conditions that no table could hold value by value; [`products`] joins small tables where a large one
//! is their join; [`demand`] computes what is demanded; [`unfolding`] removes views that only name a conjunction.

pub(crate) mod demand;
pub(crate) mod diagrams;
pub(crate) mod products;
pub(crate) mod unfolding;
