//! The order in which properties of a game are looked for, and what becomes of each.

use std::collections::BTreeMap;

use groundfrog::game::{AtomId, GroundGame};
use groundfrog_reasoner::{
    FluentId, GroundReasoner, MoveId, Reasoner, ReasonerError, State, Vocabulary,
};

use crate::analysis::{Analysis, AnalysisOptions, Finding, Verdict};
use crate::ending::{Counter, counters, directions, simple_measure};
use crate::exclusive_rules::{RuleGroup, rule_groups};
use crate::exploration::Exploration;
use crate::families::{Family, Form, families, forms, single_groups};
use crate::formula::Limits;
use crate::induction::{Outcome, Prover};
use crate::measure::{self, Weights};
use crate::obligation::{Obligation, obligations, refutation};
use crate::occupancy;
use crate::property::{Claim, Property, players};
use crate::reachability::decide;
use crate::sample::{Position, Sample};
use crate::situation::Situation;
use crate::total;

/// Families with so few groups are proved before the others: turns and steps.
const FEW_GROUPS: usize = 3;
/// Two steps are looked at while one takes no more literals.
const SMALL_FORMULA: usize = 1_000_000;

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
}

/// One analysis.
pub(crate) struct Investigation<'run> {
    game: &'run GroundGame,
    sample: &'run Sample,
    limits: Limits,
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
    measure: Option<Weights>,
    /// Weights of the values of groups that never come back.
    counters: Vec<Weights>,
    /// The length of the longest match, or a match that meets a state again, where states were visited.
    visited_end: Option<Result<u64, Vec<Vec<usize>>>>,
}

impl<'run> Investigation<'run> {
    pub(crate) fn new(game: &'run GroundGame, sample: &'run Sample, limits: Limits) -> Self {
        let forms = forms(game);
        let states: Vec<&State> = sample.states().map(|(_, state)| state).collect();
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
        let prover = Prover::new(game, limits.clone());
        Investigation {
            game,
            sample,
            limits,
            forms,
            families,
            prover,
            tasks,
            of_family,
            findings: Vec::new(),
            of_steps: Vec::new(),
            measure: None,
            counters: Vec::new(),
            visited_end: None,
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
        let small: Vec<usize> = (0..self.families.len())
            .filter(|&family| is_small(&self.families[family]))
            .flat_map(|family| [Some(self.of_family[family].0), self.of_family[family].1])
            .flatten()
            .collect();
        self.prove(&small, 1, 4);
        self.prove(&others.clone().collect::<Vec<_>>(), 1, 4);
        self.prove(&of_families.collect::<Vec<_>>(), 1, 2);
        self.prove(&others.collect::<Vec<_>>(), 1, 2);
        self.prove_steps();
        let all: Vec<usize> = (0..self.tasks.len()).collect();
        if self.strengthen() {
            self.prove(&all, 1, 3);
        }
        if self.prover.unrolling.formula.size() < SMALL_FORMULA {
            self.prove(&all, 2, 4);
        }
        self.visit(reasoner)?;
        // What was found meanwhile may be what a measure needs.
        if self.is_end_open() {
            self.measure = self.find_measure(3).1;
        }
        self.decide_open(reasoner)?;
        self.look_at_start(reasoner, options)?;
        if self.is_end_open() {
            self.measure = self.find_measure(1).1;
        }
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
            let verdict = match statement.claim.holds(self.game, &situation) {
                true => Verdict::Proved,
                false => Verdict::Refuted { moves: Vec::new() },
            };
            self.findings.push(Finding { property, verdict });
        }
        Ok(())
    }

    /// Looks for what the sample refutes, in the tasks from one on. The sum of goals is that of most ends; where no match came to
    /// an end at which each role has one goal value, no sum is looked for.
    fn refute_by_sample(
        &mut self,
        reasoner: &mut GroundReasoner,
        first: usize,
    ) -> Result<(), ReasonerError> {
        let usual = self.usual_sum(reasoner)?;
        self.tasks.retain_mut(|task| match (&mut task.property, usual) {
            (Property::ConstantSum { sum }, Some(usual)) => {
                *sum = usual;
                task.claim = Claim::constant_sum(self.game, usual);
                true
            }
            (Property::ConstantSum { .. }, None) => false,
            _ => true,
        });
        let mut situation = Situation::new(self.game);
        for (played, number) in self.sample.matches.iter().zip(0..) {
            if self.limits.is_over() {
                break;
            }
            for (moves, state) in played.states.iter().enumerate() {
                let step = played.moves.get(moves);
                let step = step.map(|made| (made.as_slice(), &played.states[moves + 1]));
                situation.enter(reasoner, state, step)?;
                let position = Position { played: number, moves };
                for task in self.tasks[first..].iter_mut().filter(|task| task.is_open()) {
                    if !task.claim.holds(self.game, &situation) {
                        let is_of_step = task.claim.is_of_step(self.game);
                        task.outcome = Outcome::Refuted(self.sample.way(position, is_of_step));
                    }
                }
            }
        }
        Ok(())
    }

    /// The sum of the goals at most ends of matches.
    fn usual_sum(&self, reasoner: &mut GroundReasoner) -> Result<Option<i64>, ReasonerError> {
        let mut situation = Situation::new(self.game);
        let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
        for state in self.sample.matches.iter().filter_map(|played| played.states.last()) {
            situation.enter(reasoner, state, None)?;
            if situation.is_terminal
                && let Some(sum) = self.sum_of(&situation)
            {
                *counts.entry(sum).or_default() += 1;
            }
        }
        Ok(counts.into_iter().max_by_key(|&(sum, count)| (count, -sum)).map(|(sum, _)| sum))
    }

    fn sum_of(&self, situation: &Situation<'_>) -> Option<i64> {
        let mut sum = 0;
        for role in players(self.game) {
            let mut goals = self.game.goals_of(role).filter(|goal| situation.contains(goal.atom));
            match (goals.next(), goals.next()) {
                (Some(goal), None) => sum += goal.value?,
                _ => return None,
            }
        }
        Some(sum)
    }

    /// Lets the solver use a part of the time that is left; all of it, with 1.
    fn give_time(&mut self, parts: u32) {
        self.prover.unrolling.formula.set_limits(&self.limits.part(parts));
    }

    /// Proves those of the tasks that are open by induction, in a share of the time.
    fn prove(&mut self, tasks: &[usize], depth: usize, share: u32) {
        let open = |task: &&usize| self.tasks[**task].is_open();
        let open: Vec<usize> = tasks.iter().filter(open).copied().collect();
        // Claims about joint moves are no lemmas.
        let (steps, states): (Vec<usize>, Vec<usize>) =
            open.into_iter().partition(|&task| self.tasks[task].claim.is_of_step(self.game));
        self.give_time(share);
        for (tasks, is_of_step) in [(states, false), (steps, true)] {
            if tasks.is_empty() {
                continue;
            }
            let claims: Vec<Claim> =
                tasks.iter().map(|&task| self.tasks[task].claim.clone()).collect();
            let outcomes = match is_of_step {
                false => self.prover.prove(&claims, depth),
                true => self.prover.prove_steps(&claims),
            };
            for (task, outcome) in tasks.into_iter().zip(outcomes) {
                if outcome != Outcome::Unknown(None) {
                    self.tasks[task].outcome = outcome;
                }
            }
        }
        self.give_time(1);
    }

    /// What can be said of joint moves: what never comes back, counters, rules that exclude each other, and what ends a match.
    fn prove_steps(&mut self) {
        let (permanent, measure) = self.find_measure(3);
        self.measure = measure;
        let is_permanent: fxhash::FxHashSet<AtomId> = permanent.into_iter().collect();
        for form in std::mem::take(&mut self.forms) {
            let symbols = self.game.symbols();
            for (pattern, fluents) in
                form.patterns_of(|fluent| is_permanent.contains(fluent), symbols)
            {
                let parts =
                    fluents.iter().flat_map(|&it| Claim::one_way(self.game, it, true).parts);
                let claim = Claim { parts: parts.collect() };
                self.note_step(Property::Permanent { pattern }, claim);
            }
        }
        self.forms = forms(self.game);
        self.give_time(4);
        let groups: Vec<RuleGroup> = rule_groups(self.game);
        let claims: Vec<Claim> = groups.iter().map(|group| group.claim.clone()).collect();
        let outcomes = self.prover.prove_steps(&claims);
        let proved = groups.into_iter().zip(outcomes).filter(|(_, it)| *it == Outcome::Proved);
        for (group, _) in proved {
            self.note_step(Property::ExclusiveRules { pattern: group.pattern }, group.claim);
        }
        self.give_time(1);
    }

    /// The groups of fluents of which one at most holds, and whether one always does; and the families that they are of.
    fn groups(&self) -> (Vec<(Vec<AtomId>, bool)>, Vec<usize>) {
        let is_proved = |task: usize| self.tasks[task].outcome == Outcome::Proved;
        let (mut groups, mut of_group) = (Vec::new(), Vec::new());
        for (number, (family, &(at_most, at_least))) in
            self.families.iter().zip(&self.of_family).enumerate()
        {
            if is_proved(at_most) {
                let is_exact = at_least.is_some_and(is_proved);
                groups.extend(family.groups.iter().map(|group| (group.clone(), is_exact)));
                of_group.extend(family.groups.iter().map(|_| number));
            }
        }
        (groups, of_group)
    }

    /// The fluents that hold for ever once they do, and a measure that every joint move makes greater.
    /// For it there is one of so many parts of the time that is left.
    fn find_measure(&mut self, parts: u32) -> (Vec<AtomId>, Option<Weights>) {
        let steps: Vec<(&State, &State)> =
            self.sample.steps().map(|(_, before, after)| (before, after)).collect();
        let (comes, goes): (Vec<_>, Vec<_>) =
            directions(self.game, &steps).into_iter().partition(|&(_, comes, _)| comes);
        let candidates: Vec<(AtomId, bool)> = comes
            .iter()
            .map(|&(fluent, ..)| (fluent, true))
            .chain(goes.iter().filter(|it| it.2).map(|&(fluent, ..)| (fluent, false)))
            .collect();
        let claims: Vec<Claim> = candidates
            .iter()
            .map(|&(fluent, comes)| Claim::one_way(self.game, fluent, comes))
            .collect();
        let whole = self.limits.part(parts);
        self.prover.unrolling.formula.set_limits(&whole.part(3));
        let outcomes = self.prover.prove_steps(&claims);
        self.prover.unrolling.formula.set_limits(&whole.part(2));
        let proved = candidates.into_iter().zip(outcomes).filter(|it| it.1 == Outcome::Proved);
        let one_way: Vec<(AtomId, bool)> = proved.map(|(candidate, _)| candidate).collect();
        let permanent = one_way.iter().filter(|it| it.1).map(|&(fluent, _)| fluent).collect();
        let (groups, of_group) = self.groups();
        let groups: Vec<Vec<AtomId>> = groups.into_iter().map(|(group, _)| group).collect();
        let unrolling = &mut self.prover.unrolling;
        let known = counters(unrolling, &groups, &[], &steps);
        self.counters = known.iter().map(|counter| counter.weights.clone()).collect();
        unrolling.formula.set_limits(&whole);
        if let Some(weights) = simple_measure(unrolling, &groups, &known, &one_way) {
            self.note_counters(&known, &of_group);
            return (permanent, Some(weights));
        }
        let ranked: Vec<Weights> = known.iter().map(|counter| counter.weights.clone()).collect();
        let first = self.game.fluents().next().map_or(0, |fluent| fluent.0);
        let fluents = |one: &State, other: &State| {
            let added = one.fluents().filter(|&fluent| !other.contains(fluent));
            added.map(|FluentId(fluent)| AtomId(first + fluent)).collect::<Vec<_>>()
        };
        let changes =
            steps.iter().map(|(before, after)| (fluents(before, after), fluents(after, before)));
        let has_come_back = self.sample.repetition().is_some();
        let learned = (!has_come_back)
            .then(|| measure::learn(unrolling, &self.forms, &ranked, changes))
            .flatten();
        self.note_counters(&known, &of_group);
        (permanent, learned)
    }

    /// Families all of whose groups are counters.
    fn note_counters(&mut self, counters: &[Counter], of_group: &[usize]) {
        let mut notes = Vec::new();
        for (number, family) in self.families.iter().enumerate() {
            let own = || counters.iter().filter(|counter| of_group[counter.group] == number);
            if own().count() == 0 || own().count() < family.groups.len() {
                continue;
            }
            let every_move = own().all(|counter| counter.every_move);
            let property = Property::Monotone { pattern: family.pattern.clone(), every_move };
            let parts = own().map(|counter| counter.condition(self.game));
            notes.push((property, Claim { parts: parts.collect() }));
        }
        notes.into_iter().for_each(|(property, claim)| self.note_step(property, claim));
    }

    /// Notes what was proved of joint moves, once.
    fn note_step(&mut self, property: Property, claim: Claim) {
        let finding = Finding { property: property.clone(), verdict: Verdict::Proved };
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
            self.of_steps.push((property, claim));
        }
    }

    /// Looks for lemmas of other kinds that what is open may need. Says whether it found one.
    fn strengthen(&mut self) -> bool {
        if !self.tasks.iter().any(Task::is_open) || self.limits.is_over() {
            return false;
        }
        let states: Vec<&State> = self.sample.states().map(|(_, state)| state).collect();
        let groups: Vec<Vec<AtomId>> = self.groups().0.into_iter().map(|it| it.0).collect();
        let mut candidates: Vec<Claim> = single_groups(self.game, &self.forms, &states)
            .into_iter()
            .map(|group| Claim::at_most_one(&[group]))
            .collect();
        for (family, &(at_most, _)) in self.families.iter().zip(&self.of_family) {
            if self.tasks[at_most].is_open() {
                candidates.extend(occupancy::candidates(self.game, family, &states));
            }
        }
        self.give_time(5);
        let mut outcomes = self.prover.prove(&candidates, 1);
        let totals = total::candidates(self.game, &self.forms, &self.counters, &groups, &states);
        for total in totals {
            self.give_time(4);
            outcomes.extend(self.prover.prove(&[total], 1));
        }
        self.give_time(1);
        outcomes.contains(&Outcome::Proved)
    }

    fn is_end_open(&self) -> bool {
        self.measure.is_none()
            && self.visited_end.is_none()
            && self.sample.repetition().is_none()
            && !self.limits.is_over()
    }

    /// Visits the states of the game, if something is open that they may decide.
    fn visit(&mut self, reasoner: &mut GroundReasoner) -> Result<(), ReasonerError> {
        let of_state = |task: &&mut Task| task.is_open() && !task.claim.is_of_step(self.game);
        let is_end_open = self.is_end_open();
        let mut open: Vec<&mut Task> = self.tasks.iter_mut().filter(of_state).collect();
        if open.is_empty() && !is_end_open {
            return Ok(());
        }
        let claims: Vec<&Claim> = open.iter().map(|task| &task.claim).collect();
        let found = Exploration::new(self.game, reasoner, &claims, &self.limits.part(3))?;
        for (task, violated) in open.iter_mut().zip(&found.violated) {
            match violated {
                Some(state) => task.outcome = Outcome::Refuted(found.way(*state)),
                None if found.is_complete => {
                    task.outcome = Outcome::Proved;
                    task.is_visited = true;
                }
                None => {}
            }
        }
        if is_end_open {
            self.visited_end = match found.longest_match() {
                Some(moves) => Some(Ok(moves)),
                None => found.repetition(reasoner)?.map(Err),
            };
        }
        Ok(())
    }

    /// Decides what is still open by reachability, the time shared among what is left.
    fn decide_open(&mut self, reasoner: &mut GroundReasoner) -> Result<(), ReasonerError> {
        let mut open: Vec<usize> =
            (0..self.tasks.len()).filter(|&task| self.tasks[task].is_open()).collect();
        // What most is known by comes first.
        open.sort_by_key(|&task| {
            matches!(
                self.tasks[task].property,
                Property::AtMostOne { .. } | Property::ExactlyOne { .. }
            )
        });
        // Some time is left for the end of matches, if that is open too.
        let mut left = open.len() as u32 + u32::from(self.is_end_open());
        for task in open {
            if self.limits.is_over() {
                break;
            }
            let limits = self.limits.part(left);
            left -= 1;
            let lemmas: Vec<Claim> = self.prover.lemmas().cloned().collect();
            let claim = &self.tasks[task].claim;
            let (outcome, proof) = decide(self.game, limits, &lemmas, claim);
            match &outcome {
                Outcome::Refuted(way) if self.is_violated(reasoner, claim, way)? => {
                    self.tasks[task].outcome = outcome;
                }
                Outcome::Proved => {
                    self.tasks[task].outcome = outcome;
                    self.give_time(1);
                    proof.into_iter().for_each(|proof| self.prover.add_lemmas(proof));
                }
                // Atoms that depend on themselves may have held without a reason.
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether a match violates a claim, in the state that it leads to or by its last joint move.
    fn is_violated(
        &self,
        reasoner: &mut GroundReasoner,
        claim: &Claim,
        way: &[Vec<usize>],
    ) -> Result<bool, ReasonerError> {
        let mut states = vec![reasoner.initial().clone()];
        let mut made: Vec<Vec<MoveId>> = Vec::new();
        for joint in way {
            let moves: Vec<MoveId> = joint.iter().map(|&it| MoveId(it as u32)).collect();
            let mut state = states[states.len() - 1].clone();
            if reasoner.is_terminal(&state)? || reasoner.advance(&mut state, &moves).is_err() {
                return Ok(false);
            }
            states.push(state);
            made.push(moves);
        }
        let mut situation = Situation::new(self.game);
        let last =
            if claim.is_of_step(self.game) { made.len().checked_sub(1) } else { Some(made.len()) };
        let Some(last) = last else { return Ok(false) };
        let step = made.get(last).map(|moves| (moves.as_slice(), &states[last + 1]));
        situation.enter(reasoner, &states[last], step)?;
        Ok(!claim.holds(self.game, &situation))
    }

    fn ending(&self, reasoner: &GroundReasoner) -> Finding {
        let moves = self.measure.as_ref().and_then(|it| measure::range(it, &self.groups().0));
        let repetition = self.sample.repetition().map(|position| self.sample.way(position, false));
        let (moves, verdict) = match (&self.measure, &self.visited_end, repetition) {
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
        if let Some(weights) = &self.measure {
            let property = Property::Terminating { moves: None };
            claims.push((property, Claim::grows(weights)));
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
