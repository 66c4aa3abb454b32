//! The rewriting of Vittaut & Méhat (2014), one step a file.
//!
//! A description becomes [`Rules`](crate::rules::Rules) by [`or_elimination`]. [`statics`] distinguishes dynamic
//! predicates from static ones, [`base_input_renaming`] replaces `true` and `does`, [`negation_removal`]
//! gives g(R), what is joined, and [`store`] gives s(R), what is stored. [`sentence_forms`] compiles
//! function terms away for the engine.

pub mod base_input_renaming;
pub mod negation_removal;
pub mod or_elimination;
pub mod parts;
pub mod sentence_forms;
pub mod statics;
pub mod store;
