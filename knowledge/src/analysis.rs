//! What is known of a game, with a verdict on each property.

use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

use groundfrog::Stop;
use groundfrog::game::{AtomId, GroundGame, RoleId};
use groundfrog_reasoner::{FluentId, GroundReasoner, ReasonerError, State};
use serde::Serialize;

use crate::ending::{Progress, progress};
use crate::families::{Family, families, forms};
use crate::formula::Limits;
use crate::induction::{Outcome, prove};
use crate::property::{Claim, Property, is_random};
use crate::sample::{Facts, Position, Sample};

/// Literals of a formula: some hundred megabytes.
const MOST_LITERALS: usize = 30_000_000;

/// What an analysis may use.
#[derive(Clone, Debug)]
pub struct AnalysisOptions {
    /// How long it may take.
    pub time: Duration,
    /// Random matches that are played before anything is proved.
    pub matches: usize,
    /// Another number, other random matches.
    pub seed: u64,
    /// Asked whether to stop.
    pub stop: Option<Arc<dyn Stop>>,
}

impl Default for AnalysisOptions {
    /// A second, 200 matches.
    fn default() -> Self {
        AnalysisOptions { time: Duration::from_secs(1), matches: 200, seed: 1, stop: None }
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The property.
    #[serde(flatten)]
    pub property: Property,
    /// Whether it holds.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// What is known of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Analysis {
    /// Each property that was looked at.
    pub findings: Vec<Finding>,
    /// Random matches that were played.
    pub matches: usize,
    /// States in them.
    pub states: usize,
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
    let start = Instant::now();
    let deadline = start.checked_add(options.time);
    let limits = Limits { deadline, stop: options.stop.clone(), literals: MOST_LITERALS };
    let sample_end = start.checked_add(options.time / 4);
    let sample = Sample::new(reasoner, options.seed, options.matches, sample_end)?;
    let game = Arc::clone(reasoner.game());
    let run = Run { game: &game, sample: &sample, limits };
    run.findings(reasoner)
}

/// What one analysis works with.
struct Run<'run> {
    game: &'run GroundGame,
    sample: &'run Sample,
    limits: Limits,
}

impl Run<'_> {
    fn findings(&self, reasoner: &mut GroundReasoner) -> Result<Analysis, ReasonerError> {
        let states: Vec<&State> = self.sample.states().map(|(_, state)| state).collect();
        let forms = forms(self.game);
        let families = families(self.game, &forms, &states);
        let (mut lemmas, mut findings) = self.prove_families(&families);
        let (turns, held) = self.sampled(reasoner)?;
        findings.extend(turns);
        let outcomes = self.prove_all(&lemmas, &held);
        for (claim, outcome) in held.into_iter().zip(outcomes) {
            let property = property_of(&claim);
            findings.push(Finding { property, verdict: self.verdict(&outcome) });
            if outcome == Outcome::Proved {
                lemmas.push(claim);
            }
        }
        let groups: Vec<Vec<AtomId>> = lemmas
            .iter()
            .filter_map(|lemma| match lemma {
                Claim::AtMostOne(group) => Some(group.clone()),
                _ => None,
            })
            .collect();
        let steps: Vec<(&State, &State)> =
            self.sample.steps().map(|(_, before, after)| (before, after)).collect();
        // Claims about moves and goals say nothing of what changes, and make the formula larger.
        lemmas.retain(|lemma| matches!(lemma, Claim::AtMostOne(_) | Claim::AtLeastOne(_)));
        let progress = progress(self.game, &self.limits, &lemmas, &groups, &steps);
        let is_permanent = |fluent: &AtomId| progress.permanent.contains(fluent);
        for form in &forms {
            let patterns = form.patterns_of(is_permanent, self.game.symbols());
            findings.extend(patterns.into_iter().map(|pattern| Finding {
                property: Property::Permanent { pattern },
                verdict: Verdict::Proved,
            }));
        }
        findings.push(self.ending(&progress, reasoner));
        Ok(Analysis { findings, matches: self.sample.matches.len(), states: states.len() })
    }

    /// The claims of families that are proved, and what is found of each family.
    fn prove_families(&self, families: &[Family]) -> (Vec<Claim>, Vec<Finding>) {
        let mut claims = Vec::new();
        let mut of_family: Vec<usize> = Vec::new();
        for (number, family) in families.iter().enumerate() {
            for group in &family.groups {
                claims.push(Claim::AtMostOne(group.clone()));
                of_family.push(number);
                if family.is_exact {
                    claims.push(Claim::AtLeastOne(group.clone()));
                    of_family.push(number);
                }
            }
        }
        let outcomes = self.prove_all(&[], &claims);
        let mut findings = Vec::new();
        for (number, family) in families.iter().enumerate() {
            let own = || (0..claims.len()).filter(|&claim| of_family[claim] == number);
            let open = |exact: bool| {
                own().find(|&claim| {
                    outcomes[claim] != Outcome::Proved
                        && matches!(claims[claim], Claim::AtLeastOne(_)) == exact
                })
            };
            let pattern = family.pattern.clone();
            let at_most = Property::AtMostOne { pattern: pattern.clone() };
            let exactly = Property::ExactlyOne { pattern };
            let found = match (family.is_exact, open(false), open(true)) {
                (true, None, None) => vec![(exactly, Verdict::Proved)],
                (false, None, _) => vec![(at_most, Verdict::Proved)],
                (true, None, Some(claim)) => {
                    vec![(at_most, Verdict::Proved), (exactly, self.verdict(&outcomes[claim]))]
                }
                (is_exact, Some(claim), _) => {
                    let property = if is_exact { exactly } else { at_most };
                    vec![(property, self.verdict(&outcomes[claim]))]
                }
            };
            findings
                .extend(found.into_iter().map(|(property, verdict)| Finding { property, verdict }));
        }
        let proved =
            claims.into_iter().zip(outcomes).filter(|(_, outcome)| *outcome == Outcome::Proved);
        (proved.map(|(claim, _)| claim).collect(), findings)
    }

    /// Proves claims by one step, and those that are left by two.
    fn prove_all(&self, lemmas: &[Claim], claims: &[Claim]) -> Vec<Outcome> {
        let mut outcomes = prove(self.game, &self.limits, lemmas, claims, 1);
        let open: Vec<usize> = (0..claims.len())
            .filter(|&claim| matches!(outcomes[claim], Outcome::Unknown(Some(_))))
            .collect();
        if open.is_empty() || self.limits.is_over() {
            return outcomes;
        }
        let mut known: Vec<Claim> = lemmas.to_vec();
        let proved =
            claims.iter().zip(&outcomes).filter(|(_, outcome)| **outcome == Outcome::Proved);
        known.extend(proved.map(|(claim, _)| claim.clone()));
        let left: Vec<Claim> = open.iter().map(|&claim| claims[claim].clone()).collect();
        for (claim, outcome) in
            open.into_iter().zip(prove(self.game, &self.limits, &known, &left, 2))
        {
            if outcome != Outcome::Unknown(None) {
                outcomes[claim] = outcome;
            }
        }
        outcomes
    }

    /// What the sample refutes of what can be said of moves and goals, and the claims that it does not.
    fn sampled(
        &self,
        reasoner: &mut GroundReasoner,
    ) -> Result<(Vec<Finding>, Vec<Claim>), ReasonerError> {
        let players: Vec<usize> = (0..self.game.roles().len())
            .filter(|&role| !is_random(self.game, RoleId(role as u32)))
            .collect();
        let (mut turns, mut playable, mut one_goal, mut sums) = (None, None, None, Vec::new());
        for (position, state) in self.sample.states() {
            if self.limits.is_over() {
                break;
            }
            let facts = Facts::new(reasoner, state)?;
            if facts.is_terminal {
                let goals = || players.iter().map(|&role| &facts.goals[role]);
                if goals().any(|values| values.len() != 1) {
                    one_goal.get_or_insert(position);
                } else {
                    sums.push((position, goals().map(|values| values[0]).sum::<i64>()));
                }
            } else {
                if facts.legal.iter().filter(|&&count| count > 1).count() > 1 {
                    turns.get_or_insert(position);
                }
                if facts.legal.contains(&0) {
                    playable.get_or_insert(position);
                }
            }
        }
        let (mut findings, mut held) = (Vec::new(), Vec::new());
        let mut tell = |claim: Claim, refuted: Option<Position>| match refuted {
            None => held.push(claim),
            Some(position) => findings.push(Finding {
                property: property_of(&claim),
                verdict: Verdict::Refuted { moves: self.sample.moves_to(position, reasoner) },
            }),
        };
        tell(Claim::TurnTaking, turns);
        tell(Claim::Playable, playable);
        tell(Claim::OneGoal, one_goal);
        if let Some(&(_, sum)) = sums.first()
            && players.len() > 1
        {
            let other = sums.iter().find(|&&(_, other)| other != sum);
            tell(Claim::ConstantSum(sum), other.map(|&(position, _)| position));
        }
        Ok((findings, held))
    }

    fn ending(&self, progress: &Progress, reasoner: &GroundReasoner) -> Finding {
        let verdict = match (progress.longest, self.sample.repetition()) {
            (Some(_), _) => Verdict::Proved,
            (None, Some(position)) => {
                Verdict::Refuted { moves: self.sample.moves_to(position, reasoner) }
            }
            (None, None) => Verdict::Unknown { state: None },
        };
        Finding { property: Property::Terminating { moves: progress.longest }, verdict }
    }

    fn verdict(&self, outcome: &Outcome) -> Verdict {
        match outcome {
            Outcome::Proved => Verdict::Proved,
            Outcome::Unknown(state) => {
                let text = |fluent: &AtomId| {
                    let first = self.game.fluents().next().map_or(0, |first| first.0);
                    self.fluent_text(FluentId(fluent.0 - first))
                };
                let state = state.as_ref().map(|state| state.iter().map(text).collect());
                Verdict::Unknown { state }
            }
        }
    }

    fn fluent_text(&self, fluent: FluentId) -> String {
        let first = self.game.fluents().next().map_or(0, |first| first.0);
        let atom = self.game.atom(AtomId(first + fluent.0));
        let term = atom.arguments().into_iter().next();
        let printer = groundfrog::description::Printer::new(self.game.symbols());
        term.map_or_else(String::new, |term| printer.term(&term).to_string())
    }
}

fn property_of(claim: &Claim) -> Property {
    match claim {
        Claim::TurnTaking => Property::TurnTaking,
        Claim::Playable => Property::Playable,
        Claim::OneGoal => Property::OneGoal,
        Claim::ConstantSum(sum) => Property::ConstantSum { sum: *sum },
        Claim::AtMostOne(_) | Claim::AtLeastOne(_) => unreachable!("these belong to families"),
    }
}
