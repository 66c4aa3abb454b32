//! What grounding requires of a description.

pub mod roles;
pub mod safety;
