//! The ways in which instances of two templates, or two instances of one, can be the same rule.
//!
//! Two rules are the same if their heads are, and each literal of the one is a literal of the other. Each way to
//! find every literal its counterpart makes some variables equal; ways that contradict the conditions of the two
//! templates are none.

use super::consequences::{Conditions, Known};
use super::facts::Facts;
use super::terms::{Side, Terms, unify};
use super::{StoredAtom, StoredLiteral, Template};
use crate::program::{Argument, Literal};

/// A way in which two instances can be the same rule.
pub(super) struct Coincidence {
    /// What is equal if the atoms are.
    pub(super) unified: Terms,
    /// What is equal then because the conditions of both templates hold.
    pub(super) implied: Terms,
}

/// Two instances that may be the same rule.
pub(super) struct Pair<'run> {
    pub(super) sides: [Side<'run>; 2],
    /// For two instances of one template: its variables that matter. Instances in which those are the same are
    /// one.
    needed: Option<&'run [bool]>,
}

/// More ways are not looked at.
const MOST: usize = 48;

/// A partial assignment of counterparts.
#[derive(Clone)]
struct State {
    unified: Terms,
    known: Known,
    /// By literal of both sides: whether it has a counterpart.
    done: Vec<bool>,
}

impl<'run> Pair<'run> {
    pub(super) fn of_two(left: &'run Template, right: &'run Template) -> Self {
        Pair { sides: Side::both(left, right), needed: None }
    }

    pub(super) fn of_one(template: &'run Template, needed: &'run [bool]) -> Self {
        Pair { sides: Side::both(template, template), needed: Some(needed) }
    }

    /// All coincidences; `None` if there may be more.
    pub(super) fn coincidences(&self, facts: &mut Facts<'_>) -> Option<Vec<Coincidence>> {
        let [left, right] = &self.sides;
        if !may_equal(&left.template.head, &right.template.head) {
            return Some(Vec::new());
        }
        let literals = left.template.body.len() + right.template.body.len();
        let mut unified = Terms::new(right.end());
        let mut done = vec![false; literals];
        if !self.start(&mut unified, &mut done) {
            return Some(Vec::new());
        }
        // What follows allocates.
        if !facts.spend(16 * literals) {
            return None;
        }
        let conditions = Conditions::of(&self.sides);
        let known = Known::of(unified.clone(), &conditions);
        let mut state = State { unified, known, done };
        let mut found = Vec::new();
        if !conditions.may_hold(&mut state.known, facts) || self.are_one(&state.known.terms) {
            return Some(found);
        }
        let mut agenda = vec![state];
        let mut tried = 0;
        while let Some(state) = agenda.pop() {
            let Some((literal, counterparts)) = self.next(&state) else {
                let State { unified, known: Known { terms: implied, .. }, .. } = state;
                found.push(Coincidence { unified, implied });
                continue;
            };
            tried += counterparts.len();
            if tried > MOST * literals || !facts.spend(counterparts.len() * literals) {
                return None;
            }
            for other in counterparts {
                let pair = if literal < other { [literal, other] } else { [other, literal] };
                let mut next = state.clone();
                let atoms = pair.map(|it| &self.literal(it).atom);
                if self.equate(atoms, &mut next, &conditions, facts) {
                    pair.iter().for_each(|&it| next.done[it] = true);
                    agenda.push(next);
                }
            }
        }
        Some(found)
    }

    /// Makes an atom of the left side equal to one of the right. Returns whether they can be, in instances that
    /// are not one.
    fn equate(
        &self,
        [left, right]: [&StoredAtom; 2],
        state: &mut State,
        conditions: &Conditions,
        facts: &mut Facts<'_>,
    ) -> bool {
        let [one, other] = &self.sides;
        let terms = &mut state.known.terms;
        let before = terms.merged();
        if !unify(one, left, other, right, &mut state.unified)
            || !unify(one, left, other, right, terms)
        {
            return false;
        }
        let is_new = terms.merged() > before;
        !is_new || conditions.may_hold(&mut state.known, facts) && !self.are_one(&state.known.terms)
    }

    /// Whether the two are one instance of a template.
    fn are_one(&self, terms: &Terms) -> bool {
        let of = |variable: usize| Argument::Variable(variable as u32);
        self.needed.is_some_and(|needed| {
            let variables = needed.len();
            (0..variables).all(|it| !needed[it] || terms.are_equal(of(it), of(it + variables)))
        })
    }

    /// Makes heads equal, and literals that have a single possible counterpart. Returns whether they can be, in
    /// instances that are not one.
    fn start(&self, terms: &mut Terms, done: &mut [bool]) -> bool {
        let [left, right] = &self.sides;
        if !unify(left, &left.template.head, right, &right.template.head, terms)
            || self.are_one(terms)
        {
            return false;
        }
        let first = left.template.body.len();
        for literal in 0..done.len() {
            let others = if literal < first { first..done.len() } else { 0..first };
            let mut possible = others.filter(|&other| {
                let [one, other] = [literal, other].map(|it| self.literal(it));
                one.negated == other.negated && may_equal(&one.atom, &other.atom)
            });
            let Some(other) = possible.next() else { return false };
            if possible.next().is_none() && !done[literal] {
                let pair = if literal < other { [literal, other] } else { [other, literal] };
                let [one, another] = pair.map(|it| &self.literal(it).atom);
                if !unify(left, one, right, another, terms) {
                    return false;
                }
                pair.iter().for_each(|&it| done[it] = true);
            }
        }
        !self.are_one(terms) && self.sides.iter().all(|side| differ(side, terms))
    }

    /// A literal, those of the left side first.
    fn literal(&self, position: usize) -> &'run StoredLiteral {
        let [left, right] = self.sides.map(|side| &side.template.body);
        left.get(position).unwrap_or_else(|| &right[position - left.len()])
    }

    /// A literal that has no counterpart, of those with the fewest that are possible, and these. `None` if there
    /// is no such literal.
    fn next(&self, state: &State) -> Option<(usize, Vec<usize>)> {
        let [left, right] = &self.sides;
        let (first, all) = (left.template.body.len(), state.done.len());
        let terms = &state.known.terms;
        let mut trial = terms.clone();
        let mut best: Option<(usize, Vec<usize>)> = None;
        for literal in (0..all).filter(|&it| !state.done[it]) {
            let mut possible = Vec::new();
            for other in if literal < first { first..all } else { 0..first } {
                let pair = if literal < other { [literal, other] } else { [other, literal] };
                let [one, another] = pair.map(|it| self.literal(it));
                if one.negated != another.negated || one.atom.space != another.atom.space {
                    continue;
                }
                trial.clone_from(terms);
                if unify(left, &one.atom, right, &another.atom, &mut trial) {
                    if trial.merged() == terms.merged() {
                        return Some((literal, vec![other]));
                    }
                    possible.push(other);
                }
            }
            if best.as_ref().is_none_or(|it| possible.len() < it.1.len()) {
                best = Some((literal, possible));
            }
        }
        best
    }
}

/// Whether two atoms are in the same space, and constants do not tell that they differ.
fn may_equal(one: &StoredAtom, other: &StoredAtom) -> bool {
    let differ = |(one, other): (&Argument, &Argument)| {
        one != other && one.variable().is_none() && other.variable().is_none()
    };
    one.space == other.space && !one.arguments.iter().zip(&other.arguments).any(differ)
}

/// Whether no `distinct` of a side is about terms that are equal.
fn differ(side: &Side<'_>, terms: &Terms) -> bool {
    let are_equal = |(&left, &right): (&Argument, &Argument)| {
        terms.are_equal(side.term(left), side.term(right))
    };
    side.template.rule.body.iter().all(|literal| match literal {
        Literal::Distinct(left, right) => !left.iter().zip(right).all(are_equal),
        _ => true,
    })
}
