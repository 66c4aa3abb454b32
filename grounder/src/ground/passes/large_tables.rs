//! Remedies for tables that have become too large.

use groundfrog_engine::Tables;

use super::{Found, PASSES, PassObserver, ProgramKind, Run, Seen};
use crate::flat::FormId;
use crate::ground::large_tables::LargeTable;
use crate::ground::tables::Flattened;
use crate::options::Passes;

/// Tries the remedies that are wanted, in the order of the table, up to the first that changes something: then the evaluation
/// begins anew. Returns whether there was one.
pub(in crate::ground) fn try_remedies(table: &mut LargeTable<'_>, passes: Passes) -> bool {
    PASSES.iter().filter(|pass| passes.contains(pass.id)).any(|pass| match pass.run {
        Run::LargeTable(run, _) => run(table),
        _ => false,
    })
}

/// The rules with decision diagrams.
pub(super) fn diagrams(flattened: &Flattened) -> Found {
    Found::Compiled(flattened.compiled.clone())
}

/// The predicates that say what is demanded.
pub(super) fn demand(flattened: &Flattened) -> Found {
    let end = flattened.forms.len() as u32;
    let first = flattened.first_demand.map_or(end, |first| first.0);
    Found::Demanded((first..end).map(FormId).collect())
}

/// Tells what was done about tables, when they are complete.
pub(in crate::ground) fn tell_remedies(
    flattened: &Flattened,
    passes: Passes,
    tables: &Tables,
    observer: &mut dyn PassObserver,
) {
    for pass in PASSES.iter().filter(|pass| pass.program == ProgramKind::Tables) {
        match pass.run {
            Run::LargeTable(_, found) if passes.contains(pass.id) => {
                let seen = Seen::Tables(flattened, tables);
                observer.after(pass.name, Some(pass), &found(flattened), seen);
            }
            _ => observer.left_out(pass),
        }
    }
}
