//! Groundfrog.

pub mod check;
pub mod compact;
pub mod description;
pub mod domains;
pub mod emit;
mod error;
pub mod explain;
pub mod game;
pub mod ground;
pub mod kif;
pub mod options;
pub mod prepare;
pub mod pulse;
pub mod rewrite;
pub mod rules;
pub mod simplify;
pub mod symbols;

pub use error::{Faults, GroundError};
