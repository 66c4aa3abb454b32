//! Ground games as text, one format a file.

pub mod canonical;
pub mod kif;
