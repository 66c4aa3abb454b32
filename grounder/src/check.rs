//! What grounding requires of a description.

pub mod safety;
