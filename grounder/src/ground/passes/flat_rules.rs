//! Passes over flat rules, before anything is evaluated.

use groundfrog_engine::EngineError;

use super::{Found, PassContext};
use crate::ground::tables::Flattened;

/// Keeps where recursive views have come to apart from what they end with.
pub(super) fn argument_reduction(
    flattened: &mut Flattened,
    _: &PassContext<'_>,
) -> Result<Found, EngineError> {
    Ok(Found::Predicates(flattened.reduce_arguments()))
}
