//! Groundfrog.

pub mod description;
pub mod kif;
pub mod symbols;
