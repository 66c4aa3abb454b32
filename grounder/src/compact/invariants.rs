//! What holds in every state that a match can reach, and what follows for rules.
//!
//! [`rigid_fluents`] finds whole kinds of fluents that never change from rules with variables, before there are tables;
//! [`rigid_atoms`] finds single ones, of ground rules.

pub(crate) mod rigid_atoms;
pub(crate) mod rigid_fluents;
