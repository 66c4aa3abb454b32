//! The pipeline: from a description to its ground game.

mod analysis;
mod base_input;
pub(crate) mod bounded;
mod compare;
mod evaluator;
mod flatten;
mod levels;
mod on_demand;
mod passes;
mod pipeline;
mod report;
mod stratified;
mod tables;

pub(crate) use analysis::{Extents, Shaped};
pub use base_input::{BaseInput, base_input};
pub use evaluator::Evaluator;
pub(crate) use flatten::{flatten_prepared, flatten_rules};
pub(crate) use passes::{compact, simplify};
pub use pipeline::{Grounding, ground};
pub(crate) use pipeline::{
    Joinable, budget, check_residual, drop_lists, engine_error, joinable, limit_error, request,
    templates,
};
pub use report::{Report, Stage, StageTime};
pub(crate) use tables::Flattened;
