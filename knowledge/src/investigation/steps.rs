//! What can be said of joint moves: what never comes back, and what ends a match.

use groundfrog::game::AtomId;
use groundfrog_reasoner::{FluentId, State};

use super::{FEW_KEYS, Investigation};
use crate::analysis::{Finding, Verdict};
use crate::ending::{CountedGroup, counters, directions, simple_measure};
use crate::exclusive_rules::{RuleGroup, rule_groups};
use crate::families::forms;
use crate::induction::Outcome;
use crate::measure::{self, Weights};
use crate::property::{Claim, Property};

impl Investigation<'_> {
    /// What can be said of joint moves: what never comes back, counters, rules that exclude each other, and what ends a match.
    pub(super) fn prove_steps(&mut self) {
        let (permanent, measure) = self.find_measure(if self.has_open() { 5 } else { 2 });
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
        // They are no lemmas for what is open.
        self.give_time(if self.has_open() { 16 } else { 2 });
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
    pub(super) fn groups(&self) -> (Vec<(Vec<AtomId>, bool)>, Vec<usize>) {
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
    pub(super) fn find_measure(&mut self, parts: u32) -> (Vec<AtomId>, Option<Weights>) {
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
        self.prover.unrolling.formula.set_limits(&whole.part(2));
        let outcomes = self.prover.prove_steps(&claims);
        self.prover.unrolling.formula.set_limits(&whole.part(2));
        let proved = candidates.into_iter().zip(outcomes).filter(|it| it.1 == Outcome::Proved);
        let one_way: Vec<(AtomId, bool)> = proved.map(|(candidate, _)| candidate).collect();
        let permanent = one_way.iter().filter(|it| it.1).map(|&(fluent, _)| fluent).collect();
        let (groups, of_group) = self.groups();
        let groups: Vec<Vec<AtomId>> = groups.into_iter().map(|(group, _)| group).collect();
        let unrolling = &mut self.prover.unrolling;
        let known = counters(unrolling, &groups, &[], &steps);
        // What each place of a board has is no count of anything.
        let is_few = |counter: &&CountedGroup| {
            self.families[of_group[counter.group]].groups.len() <= FEW_KEYS
        };
        self.counters = known.iter().filter(is_few).map(|it| it.weights.clone()).collect();
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
    pub(super) fn note_counters(&mut self, counters: &[CountedGroup], of_group: &[usize]) {
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
    pub(super) fn note_step(&mut self, property: Property, claim: Claim) {
        let finding = Finding { property: property.clone(), verdict: Verdict::Proved };
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
            self.of_steps.push((property, claim));
        }
    }

    pub(super) fn is_end_open(&self) -> bool {
        self.measure.is_none()
            && self.visited_end.is_none()
            && self.sample.repetition().is_none()
            && !self.limits.is_over()
    }
}
