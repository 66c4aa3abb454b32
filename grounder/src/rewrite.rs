//! The rewriting of Vittaut & Méhat (2014), an idea a file.
//!
//! A description becomes [`Rules`](crate::rules::Rules) by [`or_elimination`]. [`statics`] distinguishes dynamic
//! predicates from static ones, [`marking`] says what is joined and what is stored, and [`sentence_forms`] compiles
//! function terms away for the engine.

pub mod marking;
pub mod or_elimination;
pub mod parts;
pub mod sentence_forms;
pub mod statics;
