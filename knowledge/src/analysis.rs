//! What is known of a game, with a verdict on each property.

use std::sync::Arc;
use std::time::Duration;

use groundfrog::{Budget, GroundGame, Stop};
use groundfrog_reasoner::{GroundReasoner, MoveId, ReasonerError, State};
use serde::{Serialize, Serializer};

use crate::families::{Family, families, forms};
use crate::formula::BYTES_OF_LITERAL;
use crate::investigation::Investigation;
use crate::obligation::Obligation;
use crate::property::{Claim, Property};
use crate::sample::Sample;
use crate::situation::Situation;
use crate::statement::Statement;

/// Literals of a formula: some hundred megabytes.
const MOST_LITERALS: u64 = 30_000_000;

/// What an analysis may use.
#[derive(Clone, Debug)]
pub struct AnalysisOptions {
    /// How long it may take.
    pub time: Duration,
    /// What the time is measured by: the clock on the wall, or the processor time of the thread, so that the result does not depend on
    /// what else the machine does.
    pub clock: fn() -> Duration,
    /// Random matches that are played before anything is proved; one at least.
    pub matches: usize,
    /// Another number, other random matches.
    pub seed: u64,
    /// Asked whether to stop.
    pub stop: Option<Arc<dyn Stop>>,
    /// What else is to be decided.
    pub statements: Vec<Statement>,
    /// Whether [`Analysis::obligations`] are written.
    pub obligations: bool,
}

impl Default for AnalysisOptions {
    /// A second, 200 matches.
    fn default() -> Self {
        AnalysisOptions {
            time: Duration::from_secs(1),
            clock: Budget::wall,
            matches: 200,
            seed: 1,
            stop: None,
            statements: Vec::new(),
            obligations: false,
        }
    }
}

/// Whether a property holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// In every state that a match can reach.
    Proved,
    /// Not in the state after these joint moves, one a row, in the order of the roles.
    Refuted {
        /// The joint moves from the initial state.
        moves: Vec<Vec<String>>,
    },
    /// It held in all random matches, and was not proved.
    Unknown {
        /// A state that the induction cannot exclude, as KIF, if one was found: no match need reach it. None means that time or
        /// room ran out.
        #[serde(skip_serializing_if = "Option::is_none")]
        state: Option<Vec<String>>,
    },
}

/// A property and whether it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The property.
    pub property: Property,
    /// Whether it holds.
    pub verdict: Verdict,
}

impl Serialize for Finding {
    /// The fields of property and verdict, and the property as a `sentence`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'finding> {
            sentence: String,
            #[serde(flatten)]
            property: &'finding Property,
            #[serde(flatten)]
            verdict: &'finding Verdict,
        }
        let Finding { property, verdict } = self;
        Fields { sentence: property.to_string(), property, verdict }.serialize(serializer)
    }
}

/// What is known of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Analysis {
    /// Each property that was looked at.
    pub findings: Vec<Finding>,
    /// Random matches that were played.
    pub matches: usize,
    /// States in them.
    pub states: usize,
    /// What each proof rests on, as logic programs that have no answer set, if they were asked for.
    #[serde(skip)]
    pub obligations: Vec<Obligation>,
    /// What was proved, as conditions.
    #[serde(skip)]
    pub(crate) proved: Vec<(Property, Claim)>,
}

impl Analysis {
    /// What excludes what in all of these states, none of it proved. Of the game only the fluents are looked at.
    pub fn of_states(game: &GroundGame, states: &[State]) -> Self {
        let all: Vec<&State> = states.iter().collect();
        let as_seen = |family: Family| Finding {
            property: match family.is_exact {
                true => Property::ExactlyOne { pattern: family.pattern },
                false => Property::AtMostOne { pattern: family.pattern },
            },
            verdict: Verdict::Unknown { state: None },
        };
        let findings = families(game, &forms(game), &all).into_iter().map(as_seen).collect();
        Analysis { findings, states: states.len(), ..Analysis::default() }
    }

    /// Whether a property of this kind is refuted.
    pub fn is_refuted(&self, is_kind: impl Fn(&Property) -> bool) -> bool {
        self.verdicts(is_kind).any(|verdict| matches!(verdict, Verdict::Refuted { .. }))
    }

    /// The proved property that a state violates, or the joint move made there, which leads to the state after it. There is
    /// none if the proofs are right: this is how they are tested.
    ///
    /// # Errors
    /// Those of the reasoner.
    pub fn violated_by(
        &self,
        reasoner: &mut GroundReasoner,
        state: &State,
        step: Option<(&[MoveId], &State)>,
    ) -> Result<Option<&Property>, ReasonerError> {
        let game = Arc::clone(reasoner.game());
        let mut situation = Situation::new(&game);
        situation.enter(reasoner, state, step)?;
        // What reasoners do not tell, as which rules apply, is not looked at.
        let mut known = self.proved.iter().filter(|(_, claim)| claim.is_observable(&game));
        let violated = known.find(|(_, claim)| !claim.holds(&situation));
        Ok(violated.map(|(property, _)| property))
    }

    /// Leaves out what is said of the rules for other predicates.
    pub(crate) fn keep_rules_of(&mut self, is_kept: impl Fn(&str) -> bool) {
        let is_said_of = |property: &Property| match property {
            Property::ExclusiveRules { pattern } => {
                let name = pattern.trim_start_matches('(').split([' ', ')']).next();
                name.is_some_and(&is_kept)
            }
            _ => true,
        };
        self.findings.retain(|finding| is_said_of(&finding.property));
        self.obligations.retain(|obligation| is_said_of(&obligation.property));
        self.proved.retain(|(property, _)| is_said_of(property));
    }

    /// Whether a property of this kind is proved.
    pub fn is_proved(&self, is_kind: impl Fn(&Property) -> bool) -> bool {
        self.verdicts(is_kind).any(|verdict| *verdict == Verdict::Proved)
    }

    fn verdicts(&self, is_kind: impl Fn(&Property) -> bool) -> impl Iterator<Item = &Verdict> {
        let own = self.findings.iter().filter(move |finding| is_kind(&finding.property));
        own.map(|finding| &finding.verdict)
    }
}

/// Looks for properties of a game, proves or refutes them.
///
/// The result depends on the time that proofs take: with more time more is decided, and nothing is decided otherwise.
///
/// # Errors
/// Those of the reasoner, as [`Reasoner::legal_moves`](groundfrog_reasoner::Reasoner::legal_moves).
pub fn analyse(
    reasoner: &mut GroundReasoner,
    options: &AnalysisOptions,
) -> Result<Analysis, ReasonerError> {
    let budget = Budget::measured_by(options.clock).with_time(options.time);
    let budget = budget.with_memory(MOST_LITERALS * BYTES_OF_LITERAL);
    let budget = budget.with_stops(options.stop.clone());
    let sample = Sample::new(reasoner, options.seed, options.matches.max(1), &budget.share(1, 5))?;
    let game = Arc::clone(reasoner.game());
    Investigation::new(&game, &sample, budget).run(reasoner, options)
}
