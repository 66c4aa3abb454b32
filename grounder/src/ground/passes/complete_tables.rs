//! Passes over rules whose tables are complete.

use groundfrog_engine::Tables;

use super::{Found, PASSES, Pass, PassObserver, ProgramKind, Run, Seen};
use crate::compact::complete_tables::auxiliaries::Auxiliaries;
use crate::compact::complete_tables::decomposition::proposal::{Strategy, Wanted};
use crate::compact::complete_tables::decomposition::{
    complements, counters, differing_tuples, elimination, move_parts, nested_sets,
};
use crate::ground::tables::Flattened;
use crate::options::Passes;

/// Of `compared-tuples`.
pub(super) static COMPARED_TUPLES: [Strategy; 1] = [Strategy::Together {
    groups: differing_tuples::alike_but_for_differences,
    propose: differing_tuples::put_together,
}];

/// Of `complements`.
pub(super) static COMPLEMENTS: [Strategy; 1] = [Strategy::Together {
    groups: complements::same_but_for_moves,
    propose: complements::complement,
}];

/// Of `move-parts`.
pub(super) static MOVE_PARTS: [Strategy; 1] =
    [Strategy::Single { propose: move_parts::move_parts, of_auxiliaries: false }];

/// Of `decomposition`.
pub(super) static DECOMPOSITION: [Strategy; 3] = [
    Strategy::Single { propose: counters::counted, of_auxiliaries: true },
    Strategy::Single { propose: differing_tuples::alternatives, of_auxiliaries: false },
    Strategy::Part(elimination::best_part),
];

/// Of `nested-sets`.
pub(super) static NESTED_SETS: [Strategy; 1] = [Strategy::Part(nested_sets::best_nested)];

/// The strategies of those passes that are wanted.
pub(crate) fn wanted(passes: Passes) -> Vec<Wanted> {
    let wanted = PASSES.iter().filter(|pass| passes.contains(pass.id));
    let of_pass = |pass: &'static Pass| match pass.run {
        Run::CompleteTables(strategies) => strategies.iter().map(|it| (pass.id, it)).collect(),
        _ => Vec::new(),
    };
    wanted.flat_map(of_pass).collect()
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
        let own = made.splits.iter().filter(|split| split.pass == pass.id).cloned();
        let made = (Some(pass.id) == last).then(|| Box::new(made.clone()));
        let seen = Seen::Tables(flattened, tables);
        observer.after(pass.name, Some(pass), &Found::Steps(own.collect(), made), seen);
    }
}
