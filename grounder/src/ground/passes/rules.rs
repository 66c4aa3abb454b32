//! Passes over rules as people write them.

use groundfrog_engine::Exceeded;

use super::{Found, PassContext};
use crate::compact::invariants::{rigid_fluents as rigid, state_invariants as invariants};
use crate::ground::stratified;
use crate::prepare::Prepared;
use crate::ticker::Ticker;

/// Has rules look up in the first state what is never changed.
pub(super) fn rigid_fluents(
    prepared: &mut Prepared,
    _: &PassContext<'_>,
) -> Result<Found, Exceeded> {
    let mut kinds = rigid::find(&prepared.rules);
    // What depends on its own negation may do so among atoms of different states only.
    if !kinds.is_empty() && !stratified::by_predicate(&prepared.rules) {
        kinds.clear();
    }
    if !kinds.is_empty() {
        rigid::look_up_at_first(prepared, &kinds);
    }
    Ok(Found::Fluents(kinds))
}

/// Has rules demand what holds of every step that a match can make.
pub(super) fn state_invariants(
    prepared: &mut Prepared,
    context: &PassContext<'_>,
) -> Result<Found, Exceeded> {
    let mut ticker = Ticker::new(context.budget, 0);
    Ok(Found::Restricted(invariants::restrict(prepared, &mut ticker)?))
}
