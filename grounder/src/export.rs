//! Descriptions, not yet ground, as programs of other systems: so that others can be compared with.
//! `docs/exports.md` shows how.

pub mod asp_program;
pub mod infix;
pub mod projection;
pub mod prolog;
pub mod sas;
pub mod smv;
mod strata;
mod text;
pub mod timed_asp;
