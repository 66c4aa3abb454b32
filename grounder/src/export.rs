//! Descriptions, not yet ground, as programs of other systems: so that others can be compared with.

pub mod asp_program;
