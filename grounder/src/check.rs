//! What grounding requires of a description.

pub mod heads;
pub mod roles;
pub mod safety;
