//! What looks on while passes run.

use groundfrog_engine::Tables;
use groundfrog_engine::instantiate::RuleStore;

use super::Pass;
use crate::compact::complete_tables::auxiliaries::Auxiliaries;
use crate::compact::flat_rules::redundant_arguments::Filtered;
use crate::compact::invariants::state_invariants::Restricted;
use crate::compact::large_tables::demand::constants::Specialised;
use crate::compact::large_tables::diagrams::Compiled;
use crate::compact::visited::Dropped;
use crate::description::Term;
use crate::flat::FormId;
use crate::ground::tables::Flattened;
use crate::prepare::Prepared;

/// What a pass over rules with variables has found, or changed.
pub(crate) enum Found {
    /// Kinds of fluents.
    Fluents(Vec<Term>),
    /// Rules for fewer steps.
    Restricted(Restricted),
    /// Searches, without their lists.
    Searches(Vec<Dropped>),
    /// A number of rules.
    Rules(usize),
    /// Predicates that nothing mentions any more.
    Replaced(Vec<FormId>),
    /// Predicates that have lost arguments.
    Filtered(Vec<Filtered>),
    /// A number of transitive closures.
    Closures(usize),
    /// Arguments with few values.
    Specialised(Vec<Specialised>),
    /// Rules with decision diagrams.
    Compiled(Vec<Compiled>),
}

impl Found {
    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        match self {
            Found::Rules(count) | Found::Closures(count) => *count,
            Found::Restricted(restricted) => restricted.rules,
            Found::Fluents(found) => found.len(),
            Found::Searches(found) => found.len(),
            Found::Replaced(found) => found.len(),
            Found::Filtered(found) => found.len(),
            Found::Specialised(found) => found.len(),
            Found::Compiled(found) => found.len(),
        }
    }
}

/// Looks on while passes run.
pub(crate) trait PassObserver {
    /// A pass is not among those that are wanted.
    fn left_out(&mut self, _pass: &Pass) {}
    /// A pass over rules has run.
    fn after_rules(&mut self, _pass: &Pass, _found: &Found, _prepared: &Prepared) {}
    /// A pass over flat rules has run.
    fn after_flat_rules(&mut self, _pass: &Pass, _found: &Found, _flattened: &Flattened) {}
    /// Tables are computed next.
    fn before_tables(&mut self, _flattened: &Flattened) {}
    /// The tables are complete.
    fn after_tables(&mut self, _flattened: &Flattened, _tables: &Tables) {}
    /// The rules are split by their tables.
    fn after_split(&mut self, _made: &Auxiliaries, _flattened: &Flattened, _tables: &Tables) {}
    /// A pass over ground rules, or another step that changes these, has run.
    fn after_ground_rules(&mut self, _step: &str, _rules: &RuleStore) {}
}

/// Nobody looks on.
pub(crate) struct Unobserved;

impl PassObserver for Unobserved {}
