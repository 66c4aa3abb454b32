//! The pipeline: from a description to its ground game.

mod analysis;
mod compare;
mod evaluator;
mod pipeline;
mod report;
mod tables;

pub(crate) use analysis::{Extents, Shaped};
pub use evaluator::Evaluator;
pub(crate) use pipeline::budget;
pub use pipeline::{Grounding, ground};
pub use report::{Report, Stage, StageTime};
