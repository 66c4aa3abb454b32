//! The ways in which instances of two templates, or two instances of one, can be the same rule.
//!
//! Two rules are the same if their heads are, and each literal of the one is a literal of the other. Each way to
//! find every literal its counterpart makes some variables equal; ways that contradict the conditions of the two
//! templates are none.

use super::consequences::{Conditions, Known};
use super::facts::Facts;
use super::overlap::are_same;
use super::satisfy::may_have_answer;
use super::terms::{Side, Terms, unify};
use super::{StoredAtom, StoredLiteral, Template};

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
        let conditions = Conditions::of(&self.sides);
        let variables = right.end();
        let literals = left.template.body.len() + right.template.body.len();
        let mut state = State {
            unified: Terms::new(variables),
            known: Known::nothing(variables, &conditions),
            done: vec![false; literals],
        };
        let mut found = Vec::new();
        let heads = [&left.template.head, &right.template.head];
        if !self.equate(heads, &mut state, &conditions, facts) {
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
        !is_new
            || conditions.follow(&mut state.known, facts)
                && self.needed.is_none_or(|needed| !are_same(&state.known.terms, needed))
                && may_have_answer(conditions, &state.known.terms, facts)
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
