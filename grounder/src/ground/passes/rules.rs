//! Passes over rules as people write them.

use groundfrog_engine::{Budget, Exceeded};

use super::{Found, PASSES, PassObserver, ProgramKind, Run};
use crate::compact;
use crate::compact::invariants::state_invariants;
use crate::ground::stratified;
use crate::options::{PassId, Passes};
use crate::prepare::Prepared;
use crate::ticker::Ticker;

/// Runs those passes over rules that are wanted.
///
/// # Errors
/// A limit that was exceeded.
pub(in crate::ground) fn run_on_rules(
    prepared: &mut Prepared,
    passes: Passes,
    budget: &Budget,
    observer: &mut dyn PassObserver,
) -> Result<(), Exceeded> {
    for pass in PASSES.iter().filter(|it| it.program == ProgramKind::Rules) {
        if !passes.contains(pass.id) {
            observer.left_out(pass);
        } else if let Run::Rules(run) = pass.run {
            let found = run(prepared, budget)?;
            observer.after_rules(pass, &found, prepared);
        } else if pass.id == PassId::DistinctAlternatives {
            observer.after_rules(pass, &Found::Rules(prepared.rules.compared), prepared);
        }
    }
    Ok(())
}

/// Has rules look up in the first state what is never changed.
pub(super) fn rigid_fluents(prepared: &mut Prepared, _: &Budget) -> Result<Found, Exceeded> {
    let mut kinds = compact::invariants::rigid_fluents::find(&prepared.rules);
    // What depends on its own negation may do so among atoms of different states only.
    if !kinds.is_empty() && !stratified::by_predicate(&prepared.rules) {
        kinds.clear();
    }
    if !kinds.is_empty() {
        compact::invariants::rigid_fluents::look_up_at_first(prepared, &kinds);
    }
    Ok(Found::Fluents(kinds))
}

/// Has rules demand what holds of every step that a match can make.
pub(super) fn state_invariants(
    prepared: &mut Prepared,
    budget: &Budget,
) -> Result<Found, Exceeded> {
    state_invariants::restrict(prepared, &mut Ticker::new(budget, 0)).map(Found::Restricted)
}

/// Drops the lists of what searches have visited.
pub(super) fn visited(prepared: &mut Prepared, budget: &Budget) -> Result<Found, Exceeded> {
    compact::visited::drop_lists(prepared, &mut Ticker::new(budget, 0)).map(Found::Searches)
}
