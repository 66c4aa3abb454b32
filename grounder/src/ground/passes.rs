//! The passes, in the order in which they run.
//!
//! [`PASSES`] is the only list of them: what runs a stage, what explains a game, the command line, the tests and the page
//! `docs/passes.md` are made from it. A pass is a function over
//! one kind of program; [`run_on_rules`] runs those over rules, and tells the observer what each has found.

mod complete_tables;
mod ground_rules;
mod large_tables;
mod observer;
mod rules;
mod table;

pub(super) use complete_tables::tell_steps;
pub(crate) use complete_tables::wanted;
pub(super) use ground_rules::{GroundProgram, run_on_ground_rules, simplify, subsume};
pub(super) use large_tables::{tell_remedies, try_remedies};
pub(crate) use observer::{Found, PassObserver, Seen, Unobserved};
pub use table::PASSES;

use groundfrog_engine::instantiate::RuleStore;
use groundfrog_engine::{Budget, Exceeded};

use self::ground_rules::{CleanUp, Turn};
use super::large_tables::LargeTable;
use super::tables::Flattened;
use crate::compact::complete_tables::decomposition::proposal::Strategy;
use crate::options::{GroundOptions, PassId, Passes};
use crate::prepare::Prepared;
use crate::ticker::Ticker;

/// A transformation of a game that can be left out.
#[derive(Debug)]
pub struct Pass {
    /// Which one it is.
    pub id: PassId,
    /// What it is called by `--without` and by `explain`.
    pub name: &'static str,
    /// What it does, in one sentence without an end.
    pub summary: &'static str,
    /// The paper or book that describes it or what it grew from; empty if there is none.
    pub source: &'static str,
    /// What it works on.
    pub program: ProgramKind,
    /// What `explain` counts: a noun, and what has become of it. Empty for ground rules, where all rules are counted.
    pub counts: (&'static str, &'static str),
    run: Run,
}

/// What a pass works on. Passes over one kind of program run before those over the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramKind {
    /// Rules as people write them, without `or`.
    Rules,
    /// Rules over sentence forms whose tables become too large.
    Tables,
    /// Rules over sentence forms and their tables.
    CompleteTables,
    /// Rules without variables.
    GroundRules,
}

impl ProgramKind {
    /// What it is called in documents.
    pub fn name(self) -> &'static str {
        match self {
            ProgramKind::Rules => "rules",
            ProgramKind::Tables => "tables",
            ProgramKind::CompleteTables => "complete tables",
            ProgramKind::GroundRules => "ground rules",
        }
    }
}

/// How a pass runs.
enum Run {
    /// Once, on rules.
    Rules(fn(&mut Prepared, &PassContext<'_>) -> Result<Found, Exceeded>),
    /// When a table becomes too large, unless a pass before has changed something: then the evaluation begins anew. It
    /// returns whether it has changed something. The second tells what it has found in the end.
    LargeTable(fn(&mut LargeTable<'_>) -> bool, fn(&Flattened) -> Found),
    /// On flat rules whose tables are complete, by these strategies.
    CompleteTables(&'static [Strategy]),
    /// Once, on ground rules. It returns whether it may have left rules that the game does not depend on.
    GroundRules(fn(&mut GroundProgram<'_>) -> Result<bool, Exceeded>),
    /// On ground rules, and again after passes that may have left rules that the game does not depend on.
    Again(fn(&mut RuleStore, CleanUp, &mut Ticker<'_>) -> Result<(), Exceeded>),
    /// On ground rules, in turns with the passes beside it until nothing changes. It returns whether rules have changed.
    InTurns(fn(&mut Turn<'_>, &mut Ticker<'_>) -> Result<bool, Exceeded>),
}

impl std::fmt::Debug for Run {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Run::Rules(_) | Run::CompleteTables(_) | Run::GroundRules(_) => "once",
            Run::Again(_) => "again after others",
            Run::InTurns(_) => "in turns",
            Run::LargeTable(..) => "when a table becomes too large",
        })
    }
}

/// What passes run with.
pub(crate) struct PassContext<'run> {
    /// Which passes are wanted, and how base and input are computed.
    pub(crate) options: &'run GroundOptions,
    /// The limits.
    pub(crate) budget: &'run Budget,
}

/// Runs those passes over rules that are wanted, in the order of the table.
///
/// # Errors
/// A limit that was exceeded.
pub(super) fn run_on_rules(
    prepared: &mut Prepared,
    context: &PassContext<'_>,
    observer: &mut dyn PassObserver,
) -> Result<(), Exceeded> {
    for pass in &PASSES {
        let Run::Rules(run) = pass.run else { continue };
        if !context.options.passes.contains(pass.id) {
            observer.left_out(pass);
            continue;
        }
        let found = run(prepared, context)?;
        observer.after(pass.name, Some(pass), &found, Seen::Rules(prepared));
    }
    Ok(())
}

impl Pass {
    /// The pass with a name.
    pub fn named(name: &str) -> Option<&'static Pass> {
        PASSES.iter().find(|it| it.name == name)
    }

    /// The pass with an identity.
    pub fn of(id: PassId) -> &'static Pass {
        &PASSES[id as usize]
    }
}

/// Whether a pass over a kind of program is among those that are wanted.
pub(super) fn are_any_on(program: ProgramKind, passes: Passes) -> bool {
    PASSES.iter().any(|it| it.program == program && passes.contains(it.id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_each_pass_in_its_place() {
        for (place, pass) in PASSES.iter().enumerate() {
            assert_eq!(pass.id as usize, place, "{}", pass.name);
            assert!(std::ptr::eq(Pass::of(pass.id), pass));
            assert!(Pass::named(pass.name).is_some_and(|it| it.id == pass.id), "{}", pass.name);
            assert!(!pass.summary.is_empty() && !pass.summary.ends_with('.'), "{}", pass.name);
        }
    }

    #[test]
    fn passes_over_one_kind_of_program_stand_together() {
        assert!(PASSES.is_sorted_by_key(|it| it.program as usize));
    }
}
