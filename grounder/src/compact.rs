//! The compact ground game: it means the same as the flat one in every reachable state, with far fewer
//! rules.
//!
//! The passes run in this order, a folder for each stage:
//!
//! 1. `invariants` rewrites rules as people write them, before there are sentence forms;
//! 2. `large_tables` keeps tables from becoming too large, before and while they are computed;
//! 3. `complete_tables` splits rules, by the sizes of their tables, before they are instantiated;
//! 4. `ground_rules`, and `invariants` again, work on what comes of that: rules without variables.

pub(crate) mod complete_tables;
mod definitions;
mod estimate;
pub(crate) mod ground_rules;
pub(crate) mod invariants;
pub(crate) mod large_tables;
mod unfolding;

pub use crate::options::{PassId, Passes};
