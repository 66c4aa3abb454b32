//! What looks on while passes run.

use groundfrog_engine::Tables;
use groundfrog_engine::instantiate::RuleStore;

use super::Pass;
use crate::compact::complete_tables::auxiliaries::{Auxiliaries, Split};
use crate::compact::invariants::state_invariants::RestrictedSteps;
use crate::compact::large_tables::diagrams::Compiled;
use crate::description::Term;
use crate::flat::FormId;
use crate::ground::tables::Flattened;
use crate::prepare::Prepared;

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
