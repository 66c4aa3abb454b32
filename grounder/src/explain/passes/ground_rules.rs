//! What makes ground rules fewer.

use fxhash::FxHashSet;
use groundfrog_engine::instantiate::RuleStore;
use groundfrog_engine::observe::Silent;
use groundfrog_engine::{Program, Tables};

use super::task::Task;
use crate::error::GroundError;
use crate::evaluator::Evaluator;
use crate::explain::listing::Listing;
use crate::game::Layout;
use crate::ground::{
    Flattened, check_residual, compact, engine_error, request, simplify, templates,
};
use crate::pulse::Pulse;
use crate::rewrite::sentence_forms::FormId;

/// The store pass and what makes ground rules fewer.
pub(super) fn ground_passes(
    mut flattened: Flattened,
    (program, mut tables): (&Program, Tables),
    dynamic: &[FormId],
    task: &Task<'_>,
    listing: &mut Listing,
) -> Result<(), GroundError> {
    let Task { description, options, budget } = *task;
    let fail = |flattened: &Flattened, error| engine_error(description, flattened, error);
    let mut layout = Layout::new(&flattened.forms, &flattened.prepared, &tables, dynamic)
        .map_err(|exceeded| fail(&flattened, exceeded.into()))?;
    let templates = templates(flattened.flat.rules.clone(), &layout);
    let request = request(program, &tables, &layout, &templates, options.threads);
    let stored = Evaluator::Datafrog.instantiate(&request, budget, &mut Silent);
    let mut stored = stored.map_err(|error| fail(&flattened, error))?;
    let mut pulse = Pulse::new(budget, tables.bytes() + stored.rules.bytes());
    listing.heading("Ground rules, their literals, and the atoms that they are about:");
    tell("store", &stored.rules, listing);
    simplify(&mut stored, &layout, &mut pulse)
        .map_err(|exceeded| fail(&flattened, exceeded.into()))?;
    tell("simplification to the residual", &stored.rules, listing);
    let passes = options.passes;
    let atoms = (&tables, &layout);
    check_residual(description, &flattened, atoms, &mut stored, passes, &mut pulse)?;
    let (rules, atoms) = ((&mut flattened, templates.as_slice()), (&mut layout, &mut tables));
    compact(&mut stored, rules, atoms, passes, &mut pulse, |pass, rules| {
        tell(pass, rules, listing);
    })
    .map_err(|exceeded| fail(&flattened, exceeded.into()))?;
    let on_rules = [
        (passes.reach, "reach"),
        (passes.moves, "moves"),
        (passes.inline, "inline"),
        (passes.equal_views, "equal-views"),
        (passes.subsumption, "subsumption"),
        (passes.factoring, "factoring"),
    ];
    for (_, name) in on_rules.into_iter().filter(|&(runs, _)| !runs) {
        listing.comment(format!("{name}: left out"));
    }
    Ok(())
}

fn tell(pass: &str, rules: &RuleStore, listing: &mut Listing) {
    let literals: usize = (0..rules.len()).map(|it| rules.rule(it).body.len()).sum();
    let heads: FxHashSet<u32> = rules.heads().iter().copied().collect();
    let (rules, heads) = (rules.len(), heads.len());
    listing.comment(format!("{rules:10} {literals:10} {heads:10}  after {pass}"));
}
