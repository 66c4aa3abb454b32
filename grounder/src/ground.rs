//! The pipeline: from a description to its ground game.

mod analysis;
mod base_input;
#[doc(hidden)]
pub mod bounded;
mod compare;
mod decompose;
mod errors;
mod flatten;
mod given;
mod large_tables;
mod levels;
mod passes;
mod pipeline;
mod report;
mod store_pass;
mod stratified;
mod tables;
mod work;

pub use crate::domains::iterative::Iterations;
#[doc(hidden)]
pub use analysis::{Extents, Shaped};
pub use base_input::{BaseInput, base_input};
pub(crate) use errors::engine_error;
pub(crate) use flatten::flatten_rules;
#[doc(hidden)]
pub use given::difference;
#[cfg(test)]
pub(crate) use passes::wanted;
pub(crate) use passes::{Found, PassObserver, Seen, Unobserved};
pub use passes::{PASSES, Pass, ProgramKind};
pub use pipeline::{Grounding, ground};
pub(crate) use pipeline::{Joinable, ground_observed, joinable};
pub use report::{Report, Stage, StageTime};
pub(crate) use store_pass::{request, templates};
#[doc(hidden)]
pub use stratified::once_ground;
pub(crate) use tables::Flattened;
