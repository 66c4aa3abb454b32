//! What can be said of joint moves: what never comes back, what ends a match, and which ground rules for one atom exclude each
//! other, so that one at most applies at a time.

use fxhash::FxHashMap;
use groundfrog::game::{AtomId, AtomShape, GroundGame};
use groundfrog_reasoner::{FluentId, GroundReasoner, MoveId, Reasoner, State};

use super::Investigation;
use crate::analysis::{Finding, Verdict};
use crate::bodies::Bodies;
use crate::condition::Condition;
use crate::ending::{CountedGroup, counters, staying};
use crate::families::{forms, pattern_of};
use crate::induction::Outcome;
use crate::measure::{self, change};
use crate::property::{Claim, Property};
use crate::unrolling::Unrolling;

/// More rules for one atom are not compared.
const MOST_RULES: usize = 200;

/// The atoms of a form that have several rules.
struct RuleGroup {
    /// As KIF, with `_` for arguments.
    pub(crate) pattern: String,
    /// Of the rules for each atom one at most applies.
    pub(crate) claim: Claim,
}

/// The forms of atoms that have several rules.
fn rule_groups(game: &GroundGame) -> Vec<RuleGroup> {
    let of_atoms = Bodies::new(game);
    let mut groups: Vec<RuleGroup> = Vec::new();
    let mut of_shape: FxHashMap<&AtomShape, usize> = FxHashMap::default();
    for atom in (0..game.atom_count() as u32).map(AtomId) {
        let bodies = of_atoms.of(atom);
        if !(2..=MOST_RULES).contains(&bodies.len()) {
            continue;
        }
        let shape = game.atom(atom).shape;
        let number = *of_shape.entry(shape).or_insert_with(|| {
            let pattern = pattern_of(shape, game.symbols());
            groups.push(RuleGroup { pattern, claim: Claim::of_states(Vec::new()) });
            groups.len() - 1
        });
        let bodies = bodies.map(|body| {
            let literals = body.iter().map(|literal| {
                let atom = Condition::Atom(AtomId(literal.atom()));
                if literal.is_negated() { atom.negated() } else { atom }
            });
            Condition::All(literals.collect())
        });
        let one_at_most = Condition::AtMost(1, bodies.collect());
        let claim = &mut groups[number].claim;
        claim.is_of_step |= one_at_most.is_of_step(game);
        claim.parts.push(one_at_most);
    }
    groups
}

impl<'run> Investigation<'run> {
    /// What can be said of joint moves: what never comes back, and counters.
    pub(super) fn prove_steps(&mut self) {
        let permanent = self.find_counters();
        let is_permanent: fxhash::FxHashSet<AtomId> = permanent.into_iter().collect();
        for form in std::mem::take(&mut self.forms) {
            let symbols = self.game.symbols();
            for (pattern, fluents) in
                form.patterns_of(|fluent| is_permanent.contains(fluent), symbols)
            {
                let parts = fluents.iter().flat_map(|&it| Claim::one_way(self.game, it).parts);
                let claim = Claim::of_steps(parts.collect());
                self.note_step(Property::Permanent { pattern }, claim);
            }
        }
        self.forms = forms(self.game);
    }

    /// Looks for rules that exclude each other: no lemmas for what is open.
    pub(super) fn prove_rules_exclusive(&mut self) {
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

    /// The joint moves of the sample.
    fn steps(&self) -> Vec<(&'run State, &'run State)> {
        self.sample.steps().collect()
    }

    /// Looks for counters, and for the fluents that hold for ever once they do.
    fn find_counters(&mut self) -> Vec<AtomId> {
        let steps = self.steps();
        let candidates = staying(self.game, &steps);
        let claims: Vec<Claim> =
            candidates.iter().map(|&fluent| Claim::one_way(self.game, fluent)).collect();
        let mut prover = self.prover.of_steps(self.budget.share(1, 4));
        let outcomes = prover.prove_steps(&claims);
        let proved = candidates.into_iter().zip(outcomes).filter(|it| it.1 == Outcome::Proved);
        let permanent = proved.map(|(fluent, _)| fluent).collect();
        let (groups, of_group) = self.groups();
        let groups: Vec<Vec<AtomId>> = groups.into_iter().map(|(group, _)| group).collect();
        prover.unrolling.formula.set_budget(&self.budget.share(1, 4));
        let known = counters(&mut prover.unrolling, &groups, &steps);
        self.note_counters(&known, &of_group);
        permanent
    }

    /// Looks for a measure that every joint move makes greater, in one of so many parts of the time that is left.
    pub(super) fn find_measure(&mut self, reasoner: &mut GroundReasoner, parts: u32) {
        if !self.is_end_open() {
            return;
        }
        let first = self.game.fluents().next().map_or(0, |fluent| fluent.0);
        let fluents = |state: &State| -> Vec<AtomId> {
            state.fluents().map(|it| AtomId(first + it.0)).collect()
        };
        let changes = self.sample.steps();
        let changes = changes.map(|(before, after)| change(&fluents(before), &fluents(after)));
        let follow = |unrolling: &Unrolling<'_>| {
            let before = unrolling.state(0);
            let moves = unrolling.joint_move(0)?;
            let moves: Vec<MoveId> = moves.into_iter().map(|it| MoveId(it as u32)).collect();
            let mut state = State::of(before.iter().map(|it| FluentId(it.0 - first)));
            reasoner.advance(&mut state, &moves).ok()?;
            Some(change(&before, &fluents(&state)))
        };
        let groups: Vec<Vec<AtomId>> = self.groups().0.into_iter().map(|it| it.0).collect();
        let mut unrolling = self.prover.of_steps(self.budget.share(1, parts)).unrolling;
        self.measure = measure::learn(&mut unrolling, &self.forms, &groups, changes, follow);
    }

    /// Families all of whose groups are counters.
    fn note_counters(&mut self, counters: &[CountedGroup], of_group: &[usize]) {
        let mut notes = Vec::new();
        for (number, family) in self.families.iter().enumerate() {
            let own = || counters.iter().filter(|counter| of_group[counter.group] == number);
            if own().count() == 0 || own().count() < family.groups.len() {
                continue;
            }
            let every_move = own().all(|counter| counter.every_move);
            let property = Property::Monotone { pattern: family.pattern.clone(), every_move };
            let parts = own().map(|counter| counter.condition(self.game));
            notes.push((property, Claim::of_steps(parts.collect())));
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

    pub(super) fn is_end_open(&self) -> bool {
        self.measure.is_none()
            && self.known_end.is_none()
            && self.sample.repetition().is_none()
            && !self.budget.is_over()
    }
}
