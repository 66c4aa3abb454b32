//! The passes, in the order in which they run.
//!
//! [`PASSES`] is the only list of them: what runs a stage, what explains a game, the command line, the tests and the page
//! `docs/passes.md` are made from it. A pass is a function over
//! one kind of program; [`run_on_rules`] runs those over rules, and tells the observer what each has found.

mod ground_rules;
mod table;

use groundfrog_engine::instantiate::RuleStore;
use groundfrog_engine::{Budget, Exceeded, Tables};

use self::ground_rules::Turn;
use super::large_tables::LargeTable;
use super::tables::Flattened;
use crate::compact::complete_tables::auxiliaries::{Auxiliaries, Split};
use crate::compact::complete_tables::decomposition::proposal::Strategy;
use crate::compact::invariants::state_invariants::RestrictedSteps;
use crate::compact::invariants::{rigid_fluents as rigid, state_invariants as invariants};
use crate::compact::large_tables::diagrams::Compiled;
use crate::description::Term;
use crate::flat::FormId;
use crate::options::{GroundOptions, PassId, Passes};
use crate::prepare::Prepared;
use crate::ticker::Ticker;
pub(super) use ground_rules::{GroundProgram, run_on_ground_rules, simplify, subsume};
pub use table::PASSES;
pub(super) use table::tell_steps;
pub(crate) use table::wanted;

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
    /// On ground rules, and again after passes that may have left rules that the game does not depend on: these are removed.
    Again,
    /// On ground rules, in turns with the passes beside it until nothing changes. It returns whether rules have changed.
    InTurns(fn(&mut Turn<'_>, &mut Ticker<'_>) -> Result<bool, Exceeded>),
}

impl std::fmt::Debug for Run {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Run::Rules(_) | Run::CompleteTables(_) | Run::GroundRules(_) => "once",
            Run::Again => "again after others",
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

/// Has rules look up in the first state what is never changed.
fn rigid_fluents(prepared: &mut Prepared, _: &PassContext<'_>) -> Result<Found, Exceeded> {
    let mut kinds = rigid::find(&prepared.rules);
    // What depends on its own negation may do so among atoms of different states only.
    if !kinds.is_empty() && !prepared.rules.are_stratified() {
        kinds.clear();
    }
    if !kinds.is_empty() {
        rigid::look_up_at_first(prepared, &kinds);
    }
    Ok(Found::Fluents(kinds))
}

/// Has rules demand what holds of every step that a match can make.
fn state_invariants(prepared: &mut Prepared, context: &PassContext<'_>) -> Result<Found, Exceeded> {
    let mut ticker = Ticker::new(context.budget, 0);
    Ok(Found::Restricted(invariants::restrict(prepared, &mut ticker)?))
}

/// Tries the remedies that are wanted, in the order of the table, up to the first that changes something: then the evaluation
/// begins anew. Returns whether there was one.
pub(super) fn try_remedies(table: &mut LargeTable<'_>, passes: Passes) -> bool {
    PASSES.iter().filter(|pass| passes.contains(pass.id)).any(|pass| match pass.run {
        Run::LargeTable(run, _) => run(table),
        _ => false,
    })
}

/// The rules with decision diagrams.
fn diagrams(flattened: &Flattened) -> Found {
    Found::Compiled(flattened.compiled.clone())
}

/// The predicates that say what is demanded.
fn demand(flattened: &Flattened) -> Found {
    let end = flattened.forms.len() as u32;
    let first = flattened.first_demand.map_or(end, |first| first.0);
    Found::Demanded((first..end).map(FormId).collect())
}

/// Tells what was done about tables, when they are complete.
pub(super) fn tell_remedies(
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

/// What a pass has found, or changed.
pub(crate) enum Found {
    /// Kinds of fluents.
    Fluents(Vec<Term>),
    /// Rules for fewer steps.
    Restricted(RestrictedSteps),
    /// Rules with decision diagrams.
    Compiled(Vec<Compiled>),
    /// Predicates that say what is demanded.
    Demanded(Vec<FormId>),
    /// Steps by which rules were split; and the auxiliary predicates, after the last pass that makes such.
    Steps(Vec<Split>, Option<Box<Auxiliaries>>),
    /// Nothing but what is seen.
    Rules,
}

impl Found {
    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        match self {
            Found::Rules => 0,
            Found::Restricted(restricted) => restricted.rules,
            Found::Fluents(found) => found.len(),
            Found::Compiled(found) => found.len(),
            Found::Demanded(found) => found.len(),
            Found::Steps(found, _) => found.len(),
        }
    }
}

/// What there is after a pass.
#[derive(Clone, Copy)]
pub(crate) enum Seen<'run> {
    /// Rules as people write them.
    Rules(&'run Prepared),
    /// Rules over sentence forms, and the tables as far as they are complete.
    Tables(&'run Flattened, &'run Tables),
    /// Rules without variables.
    GroundRules(&'run RuleStore),
}

/// Looks on while passes run.
pub(crate) trait PassObserver {
    /// A pass is not among those that are wanted.
    fn left_out(&mut self, _pass: &Pass) {}
    /// A pass, or another step of this name, has run.
    fn after(&mut self, _step: &str, _pass: Option<&Pass>, _found: &Found, _seen: Seen<'_>) {}
}

/// Nobody looks on.
pub(crate) struct Unobserved;

impl PassObserver for Unobserved {}

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
