//! The order in which properties of a game are looked for, what becomes of each, and how that is told.

mod lemmas;
mod refutation;
mod steps;

use groundfrog::Budget;
use groundfrog::game::{AtomId, GroundGame};
use groundfrog_reasoner::{GroundReasoner, MoveId, Reasoner, ReasonerError, State, Vocabulary};

use crate::analysis::{Analysis, AnalysisOptions, Finding, Verdict};
use crate::families::{Family, Form, families, forms};
use crate::induction::{Outcome, Prover};
use crate::measure::Measure;
use crate::obligation::{Obligation, obligations, refutation};
use crate::property::{Claim, Property, players};
use crate::sample::Sample;
use crate::situation::Situation;
use crate::visits::VisitedEnd;
use crate::{ending, measure, views};

/// Families with so few groups are proved before the others: turns and steps.
const FEW_GROUPS: usize = 3;
/// Two steps are looked at while one takes no more literals.
const SMALL_FORMULA: usize = 1_000_000;

/// So many pairs of values are compared, and more where these are not enough.
const MOST_PAIRS: [usize; 2] = [4000, 12_000];
/// So few pairs are compared before anything else, where families of few groups are open.
const FEW_PAIRS: usize = 400;

/// A claim, and what became of it.
struct Task {
    property: Property,
    claim: Claim,
    outcome: Outcome,
    /// Every state was visited to prove it.
    is_visited: bool,
}

impl Task {
    fn new(property: Property, claim: Claim) -> Self {
        Task { property, claim, outcome: Outcome::Unknown(None), is_visited: false }
    }

    fn is_open(&self) -> bool {
        matches!(self.outcome, Outcome::Unknown(_))
    }

    /// A user states it.
    fn is_stated(&self) -> bool {
        matches!(self.property, Property::Stated { .. })
    }
}

/// One analysis.
pub(crate) struct Investigation<'run> {
    game: &'run GroundGame,
    sample: &'run Sample,
    budget: Budget,
    forms: Vec<Form>,
    families: Vec<Family>,
    prover: Prover<'run>,
    tasks: Vec<Task>,
    /// By family: the tasks that say at most one, and at least one.
    of_family: Vec<(usize, Option<usize>)>,
    findings: Vec<Finding>,
    /// What was proved of joint moves.
    of_steps: Vec<(Property, Claim)>,
    /// What every joint move makes greater.
    measure: Option<Measure>,
    /// How matches end where a clock ends them, or states were visited.
    known_end: Option<VisitedEnd>,
}

impl<'run> Investigation<'run> {
    pub(crate) fn new(game: &'run GroundGame, sample: &'run Sample, budget: Budget) -> Self {
        let forms = forms(game);
        let states: Vec<&State> = sample.states().collect();
        let families = families(game, &forms, &states);
        let mut tasks = Vec::new();
        let mut of_family = Vec::new();
        let mut add = |property: Property, claim: Claim| {
            tasks.push(Task::new(property, claim));
            tasks.len() - 1
        };
        for family in &families {
            let pattern = || family.pattern.clone();
            let at_most = Claim::at_most_one(&family.groups);
            let at_most = add(Property::AtMostOne { pattern: pattern() }, at_most);
            let at_least = family.is_exact.then(|| {
                let at_least = Claim::at_least_one(&family.groups);
                add(Property::ExactlyOne { pattern: pattern() }, at_least)
            });
            of_family.push((at_most, at_least));
        }
        let prover = Prover::new(game, budget.clone());
        Investigation {
            game,
            sample,
            budget,
            forms,
            families,
            prover,
            tasks,
            of_family,
            findings: Vec::new(),
            of_steps: Vec::new(),
            measure: None,
            known_end: None,
        }
    }

    pub(crate) fn run(
        mut self,
        reasoner: &mut GroundReasoner,
        options: &AnalysisOptions,
    ) -> Result<Analysis, ReasonerError> {
        let of_families = 0..self.tasks.len();
        self.add_claims(options);
        self.refute_by_sample(reasoner, of_families.end)?;
        // A sum that no match has shown is not looked for.
        let others = of_families.end..self.tasks.len();
        let is_small = |family: &Family| family.groups.len() <= FEW_GROUPS;
        let small = self.tasks_of(is_small);
        self.prove_alone(&small);
        self.prove(&small, 1, 4);
        let is_open = small.iter().any(|&task| self.tasks[task].is_open());
        if is_open && self.find_exclusions(reasoner, FEW_PAIRS, 8)? {
            self.prove(&small, 1, 4);
        }
        // What follows from the rules alone, or is decided by visiting all states, has no program.
        if !options.obligations && self.is_end_open() {
            self.known_end = ending::last_move(self.game).map(Ok);
        }
        let is_early = !options.obligations && self.is_narrow(reasoner)?;
        if is_early {
            let budget = self.budget.share(3, 4);
            self.visit(reasoner, &budget)?;
        }
        let (of_families, others): (Vec<usize>, Vec<usize>) =
            (of_families.collect(), others.collect());
        self.prove_anywhere(&others, false);
        self.prove(&others, 1, 4);
        self.prove_lazily(&of_families, self.budget.share(1, 4), false);
        self.prove_lazily(&of_families, self.budget.share(1, 2), true);
        self.prove(&of_families, 1, 2);
        self.find_measure(reasoner, 3);
        self.prove_anywhere(&others, true);
        self.prove(&others, 1, 2);
        let all: Vec<usize> = (0..self.tasks.len()).collect();
        if self.strengthen() {
            self.prove(&all, 1, 2);
        }
        for most in MOST_PAIRS {
            if self.find_exclusions(reasoner, most, 3)? {
                self.prove(&all, 1, 3);
            }
        }
        if self.find_surprises(reasoner)? {
            self.prove(&all, 1, 3);
        }
        self.refute_by_immobility(reasoner)?;
        if self.prover.unrolling.formula.size() < SMALL_FORMULA {
            self.prove(&all, 2, 4);
        }
        self.prove_steps();
        self.prove_rules_exclusive();
        if !is_early {
            let budget = self.budget.share(1, 3);
            self.visit(reasoner, &budget)?;
        }
        // What was found meanwhile may be what a measure needs.
        self.find_measure(reasoner, 3);
        self.decide_open(reasoner)?;
        self.look_at_start(reasoner, options)?;
        self.find_measure(reasoner, 1);
        let ending = self.ending(reasoner);
        let proved = self.proved(|_| true);
        let obligations = match options.obligations {
            // Programs about every state would be as large as there are states.
            true => self.obligations(&self.proved(|task| !task.is_visited)),
            false => Vec::new(),
        };
        let mut findings = self.family_findings(reasoner);
        let first = self.of_family.len() + self.families.iter().filter(|it| it.is_exact).count();
        findings.extend(self.tasks[first..].iter().map(|task| self.finding(task, reasoner)));
        findings.append(&mut self.findings);
        findings.push(ending);
        Ok(Analysis {
            findings,
            matches: self.sample.matches.len(),
            states: self.sample.states().count(),
            obligations,
            proved,
        })
    }

    fn add_claims(&mut self, options: &AnalysisOptions) {
        let game = self.game;
        let mut add = |property: Property, claim: Claim| {
            self.tasks.push(Task::new(property, claim));
        };
        add(Property::TurnTaking, Claim::turn_taking(game));
        add(Property::Playable, Claim::playable(game));
        add(Property::OneGoal, Claim::one_goal(game));
        if players(game).count() > 1 {
            add(Property::ConstantSum { sum: 0 }, Claim::constant_sum(game, 0));
        }
        for statement in options.statements.iter().filter(|it| !it.is_initial) {
            let property = Property::Stated { text: statement.text.clone() };
            add(property, statement.claim.clone());
        }
    }

    /// Statements about the initial state.
    fn look_at_start(
        &mut self,
        reasoner: &mut GroundReasoner,
        options: &AnalysisOptions,
    ) -> Result<(), ReasonerError> {
        let mut situation = Situation::new(self.game);
        let initial = reasoner.initial().clone();
        situation.enter(reasoner, &initial, None)?;
        for statement in options.statements.iter().filter(|it| it.is_initial) {
            let property = Property::Stated { text: statement.text.clone() };
            let verdict = match statement.claim.holds(&situation) {
                true => Verdict::Proved,
                false => Verdict::Refuted { moves: Vec::new() },
            };
            self.findings.push(Finding { property, verdict });
        }
        Ok(())
    }

    /// Lets the solver use a part of the time that is left; all of it, with 1.
    /// The tasks about some families.
    fn tasks_of(&self, is_fit: impl Fn(&Family) -> bool) -> Vec<usize> {
        let all = self.families.iter().zip(&self.of_family).filter(|it| is_fit(it.0));
        all.flat_map(|(_, &(at_most, at_least))| [Some(at_most), at_least]).flatten().collect()
    }

    fn give_time(&mut self, parts: u32) {
        self.prover.unrolling.formula.set_budget(&self.budget.share(1, parts));
    }

    /// Proves those of the tasks that are open and hold in every state that is as the lemmas say, and views if these are looked at.
    fn prove_anywhere(&mut self, tasks: &[usize], with_views: bool) {
        let (open, claims) = self.open(tasks.iter().copied(), |it| !it.is_of_step);
        let (mut views, mut parts) = (Vec::new(), 8);
        if with_views {
            let states = self.sample.atoms(self.game, false);
            (views, parts) = (views::candidates(self.game, &claims, false, &states), 4);
        }
        let outcomes = self.prover.prove_anywhere(&claims, &views, self.budget.share(1, parts));
        self.note_proved(open, outcomes);
    }

    /// Proves those of the tasks that are open by induction, in a share of the time.
    fn prove(&mut self, tasks: &[usize], depth: usize, share: u32) {
        self.give_time(share);
        // Claims about joint moves are no lemmas.
        for is_of_step in [false, true] {
            let (open, claims) = self.open(tasks.iter().copied(), |it| it.is_of_step == is_of_step);
            let outcomes = match is_of_step {
                _ if open.is_empty() => continue,
                false => self.prover.prove(&claims, depth),
                true => self.prover.prove_steps(&claims),
            };
            self.note(open, outcomes);
        }
        self.give_time(1);
    }

    /// Proves those of the tasks that are open by few of the rules, and by what views say of joint moves if these are looked at.
    fn prove_lazily(&mut self, tasks: &[usize], budget: Budget, with_views: bool) {
        let (open, claims) = self.open(tasks.iter().copied(), |_| true);
        if open.is_empty() {
            return;
        }
        let views = match with_views {
            true => {
                views::candidates(self.game, &claims, true, &self.sample.atoms(self.game, true))
            }
            false => Vec::new(),
        };
        let mut prover = self.prover.of_steps(budget);
        prover.unrolling.has_places = true;
        let outcomes = prover.prove_with(&claims, 1, &views);
        self.note_proved(open, outcomes);
        self.give_time(1);
        prover.proofs.into_iter().for_each(|proof| self.prover.add_lemmas(proof));
    }

    /// Proves those of the tasks that need no others: counters and turns of games whose formula is large.
    fn prove_alone(&mut self, tasks: &[usize]) {
        let budget = self.budget.share(1, 4);
        for (task, left) in tasks.iter().zip((1..=tasks.len() as u32).rev()) {
            self.prove_lazily(std::slice::from_ref(task), budget.share(1, left), false);
        }
    }

    /// Whether a claim is open, and there is time for it.
    /// Those of some tasks that are open and whose claims are fit, with the claims.
    fn open(
        &self,
        tasks: impl Iterator<Item = usize>,
        is_fit: impl Fn(&Claim) -> bool,
    ) -> (Vec<usize>, Vec<Claim>) {
        let open = tasks.map(|task| (task, &self.tasks[task]));
        let open = open.filter(|(_, task)| task.is_open() && is_fit(&task.claim));
        open.map(|(number, task)| (number, task.claim.clone())).unzip()
    }

    /// Notes what is known of tasks.
    fn note(&mut self, tasks: Vec<usize>, outcomes: Vec<Outcome>) {
        let known = tasks.into_iter().zip(outcomes).filter(|it| it.1 != Outcome::Unknown(None));
        known.for_each(|(task, outcome)| self.tasks[task].outcome = outcome);
    }

    /// Notes which tasks are proved; where others fail is no state that was looked for.
    fn note_proved(&mut self, tasks: Vec<usize>, outcomes: Vec<Outcome>) {
        let proved = tasks.into_iter().zip(outcomes).filter(|it| it.1 == Outcome::Proved);
        proved.for_each(|(task, outcome)| self.tasks[task].outcome = outcome);
    }

    fn has_open(&self) -> bool {
        self.tasks.iter().any(Task::is_open) && !self.budget.is_over()
    }
}

impl Investigation<'_> {
    fn ending(&self, reasoner: &GroundReasoner) -> Finding {
        let moves =
            self.measure.as_ref().and_then(|it| measure::longest_match(it, &self.groups().0));
        let repetition = self.sample.repetition().map(|position| self.sample.way(position, false));
        let (moves, verdict) = match (&self.measure, &self.known_end, repetition) {
            (Some(_), ..) => (moves, Verdict::Proved),
            (None, Some(Ok(longest)), _) => (Some(*longest), Verdict::Proved),
            (None, Some(Err(way)), _) => {
                (None, Verdict::Refuted { moves: self.texts(way, reasoner) })
            }
            (None, None, Some(way)) => {
                (None, Verdict::Refuted { moves: self.texts(&way, reasoner) })
            }
            (None, None, None) => (None, Verdict::Unknown { state: None }),
        };
        Finding { property: Property::Terminating { moves }, verdict }
    }

    /// What was proved: of the tasks, those that are wanted.
    fn proved(&self, is_wanted: impl Fn(&Task) -> bool) -> Vec<(Property, Claim)> {
        let is_proved = |task: &&Task| task.outcome == Outcome::Proved && is_wanted(task);
        let claims = self.tasks.iter().filter(is_proved);
        let mut claims: Vec<(Property, Claim)> =
            claims.map(|task| (task.property.clone(), task.claim.clone())).collect();
        if let Some(measure) = &self.measure {
            let property = Property::Terminating { moves: None };
            claims.push((property, Claim::grows(measure)));
        }
        claims.extend(self.of_steps.iter().cloned());
        claims
    }

    fn obligations(&self, claims: &[(Property, Claim)]) -> Vec<Obligation> {
        let mut found = obligations(self.game, &self.prover.proofs, claims);
        for task in &self.tasks {
            if let Outcome::Refuted(way) = &task.outcome {
                found.extend(refutation(self.game, &task.property, &task.claim, way));
            }
        }
        found
    }

    fn family_findings(&self, reasoner: &GroundReasoner) -> Vec<Finding> {
        let mut findings = Vec::new();
        for &(at_most, at_least) in &self.of_family {
            let (at_most, at_least) = (&self.tasks[at_most], at_least.map(|it| &self.tasks[it]));
            match (&at_most.outcome, at_least) {
                (Outcome::Proved, None) => findings.push(self.finding(at_most, reasoner)),
                (Outcome::Proved, Some(at_least)) => {
                    if at_least.outcome != Outcome::Proved {
                        findings.push(self.finding(at_most, reasoner));
                    }
                    findings.push(self.finding(at_least, reasoner));
                }
                // Where several can hold, just one does not.
                (_, _) => findings.push(self.finding(at_most, reasoner)),
            }
        }
        findings
    }

    fn finding(&self, task: &Task, reasoner: &GroundReasoner) -> Finding {
        let verdict = match &task.outcome {
            Outcome::Proved => Verdict::Proved,
            Outcome::Refuted(way) => Verdict::Refuted { moves: self.texts(way, reasoner) },
            Outcome::Unknown(state) => {
                let text = |fluent: &AtomId| self.fluent_text(*fluent);
                let state = state.as_ref().map(|state| state.iter().map(text).collect());
                Verdict::Unknown { state }
            }
        };
        Finding { property: task.property.clone(), verdict }
    }

    fn texts(&self, way: &[Vec<usize>], reasoner: &GroundReasoner) -> Vec<Vec<String>> {
        let text = |made: &usize| reasoner.move_text(MoveId(*made as u32));
        way.iter().map(|joint| joint.iter().map(text).collect()).collect()
    }

    fn fluent_text(&self, fluent: AtomId) -> String {
        let term = self.game.atom(fluent).arguments().into_iter().next();
        let printer = groundfrog::description::Printer::new(self.game.symbols());
        term.map_or_else(String::new, |term| printer.term(&term).to_string())
    }
}
