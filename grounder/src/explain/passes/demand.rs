//! What is computed of large tables.

use groundfrog_engine::observe::Silent;
use groundfrog_engine::{EngineError, Program, Tables};

use super::task::{Task, left_out, name, names, proper};
use crate::domains::program::predicate;
use crate::evaluator::Evaluator;
use crate::explain::listing::{Listing, count};
use crate::ground::{Flattened, Report};
use crate::rewrite::sentence_forms::FormId;

/// Predicates with large tables, restricted to the arguments that are asked for.
pub(super) fn demand(
    flattened: &mut Flattened,
    task: &Task<'_>,
    listing: &mut Listing,
) -> Result<(Program, Tables), EngineError> {
    let Task { options, budget, .. } = *task;
    let (evaluator, mut report) = (Evaluator::Datafrog, Report::default());
    if !options.is_on_demand() {
        left_out(listing, "demand");
        return flattened.complete_unfolding(
            options.domains,
            evaluator,
            budget,
            &mut Silent,
            &mut report,
        );
    }
    let (forms, rules) = (flattened.forms.len(), proper(&flattened.flat.rules));
    let unfolds = options.passes.unfolding;
    let completed =
        flattened.complete_on_demand(unfolds, evaluator, budget, &mut Silent, &mut report)?;
    if unfolds {
        let views = count(flattened.unfolded.len(), "view");
        listing.heading(format!("unfolding: {views} replaced by their rules."));
        names(flattened, &flattened.unfolded, listing);
    } else {
        left_out(listing, "unfolding");
    }
    narrowed(flattened, listing);
    let after = proper(&flattened.flat.rules);
    let is_demand = |form: &FormId| flattened.narrowed.iter().all(|it| it.asked != *form);
    let on_demand: Vec<FormId> =
        (forms as u32..flattened.forms.len() as u32).map(FormId).filter(is_demand).collect();
    listing.heading(format!(
        "demand: {} with variables, {after} after it; {} on demand.",
        count(rules, "rule"),
        count(on_demand.len(), "predicate")
    ));
    for id in on_demand {
        let name = name(flattened, id);
        let rows = count(completed.1[predicate(id)].len(), "row");
        listing.comment(format!("  {name}: asked for {rows}"));
    }
    Ok(completed)
}

/// Arguments that are asked for with a part of their range.
fn narrowed(flattened: &Flattened, listing: &mut Listing) {
    let arguments = count(flattened.narrowed.len(), "argument");
    listing.heading(format!("demand: {arguments} asked for with a part of their range."));
    for it in &flattened.narrowed {
        let name = name(flattened, it.form);
        let column = it.column + 1;
        let (constants, range) = (it.constants, it.range);
        listing.comment(format!("  argument {column} of {name}: {constants} of {range}"));
    }
}
