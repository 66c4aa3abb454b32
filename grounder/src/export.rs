//! Descriptions, not yet ground, as programs of other systems: so that others can be compared with.
//! `docs/exports.md` shows how.

pub mod asp_program;
pub mod projection;
pub mod prolog;
mod text;
