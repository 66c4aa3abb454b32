//! Passes over rules whose tables are complete.

use groundfrog_engine::{Exceeded, Tables};

use super::{Found, PASSES, Pass, PassObserver, ProgramKind, Run, Seen};
use crate::compact::complete_tables::auxiliaries::{Auxiliaries, Change, Split};
use crate::compact::complete_tables::decomposition::{Context, Decomposed, Splitter};
use crate::flat::FlatRule;
use crate::ground::tables::Flattened;
use crate::options::{PassId, Passes};

/// Runs those passes that the context wants.
///
/// # Errors
/// A limit of the budget.
pub(crate) fn run_on_complete_tables(
    mut rules: Vec<FlatRule>,
    context: Context<'_>,
) -> Result<Decomposed, Exceeded> {
    let passes = context.passes;
    let mut splitter = Splitter::begin(context);
    for pass in PASSES.iter().filter(|it| passes.contains(it.id)) {
        if let Run::CompleteTables(run) = pass.run {
            rules = run(&mut splitter, rules);
        }
    }
    splitter.finish(rules)
}

/// Tells by which steps rules were split, and which predicates were made for them.
pub(in crate::ground) fn tell_steps(
    flattened: &Flattened,
    passes: Passes,
    made: &Auxiliaries,
    tables: &Tables,
    observer: &mut dyn PassObserver,
) {
    let of_tables = |pass: &&Pass| pass.program == ProgramKind::CompleteTables;
    let last = PASSES.iter().rfind(of_tables).map(|pass| pass.id);
    for pass in PASSES.iter().filter(of_tables) {
        if !passes.contains(pass.id) {
            observer.left_out(pass);
            continue;
        }
        let own = made.splits.iter().filter(|split| pass_of(split) == pass.id).cloned();
        let made = (Some(pass.id) == last).then(|| made.clone());
        let seen = Seen::Tables(flattened, tables);
        observer.after(pass.name, Some(pass), &Found::Steps(own.collect(), made), seen);
    }
}

/// Which pass has made a step.
fn pass_of(split: &Split) -> PassId {
    match split.change {
        Change::Compared => PassId::ComparedTuples,
        Change::Complemented => PassId::Complements,
        Change::Nested => PassId::NestedSets,
        Change::MovesTakenApart => PassId::MoveParts,
        _ => PassId::Decomposition,
    }
}
