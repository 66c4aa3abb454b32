//! The ways in which instances of two templates, or two instances of one, can be the same rule.
//!
//! Two rules are the same if their heads are, and each literal of the one is a literal of the other. Each way to
//! find every literal its counterpart makes some variables equal; ways that contradict the conditions of the two
//! templates are none.

use super::conditions::Conditions;
use super::consequences::Known;
use super::facts::Facts;
use super::terms::{Side, Terms, unify};
use crate::instantiate::request::{StoredAtom, StoredLiteral, Template};
use crate::program::{Argument, Literal};
use crate::tuning::MOST_WAYS;

/// A way in which two instances can be the same rule.
pub(super) struct Overlap {
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

    /// All overlaps; `None` if there may be more.
    pub(super) fn overlaps(&self, facts: &mut Facts<'_>) -> Option<Vec<Overlap>> {
        let [left, right] = &self.sides;
        if !may_equal(&left.template.head, &right.template.head) {
            return Some(Vec::new());
        }
        let literals = left.template.body.len() + right.template.body.len();
        if !facts.spend(literals * literals) {
            return None;
        }
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
                found.push(Overlap { unified, implied });
                continue;
            };
            tried += counterparts.len();
            if tried > MOST_WAYS * literals || !facts.spend(counterparts.len() * literals) {
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

/// Whether two atoms are in the same space, and no constants show that they differ.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Atom, Constant, PredicateId, Program, Rule};
    use crate::tables::Tables;

    const X: Argument = Argument::Variable(0);
    const Y: Argument = Argument::Variable(1);
    const Z: Argument = Argument::Variable(2);

    const AT: PredicateId = PredicateId(0);
    const NEXT: PredicateId = PredicateId(1);

    fn tables(at: &[[Constant; 2]], next: &[[Constant; 2]]) -> Tables {
        let mut program = Program::default();
        let ids = ["at", "next"].map(|name| program.add_predicate(name, 2));
        let mut tables = Tables::new(&program);
        for (id, rows) in ids.into_iter().zip([at, next]) {
            rows.iter().for_each(|row| _ = tables.insert(id, row));
        }
        tables
    }

    fn literal(predicate: PredicateId, arguments: [Argument; 2]) -> Literal {
        Literal::Positive(Atom { predicate, arguments: arguments.to_vec().into() })
    }

    /// `head(arguments) <- conditions`, of which those about `at` are stored.
    fn template(head: &[Argument], conditions: Vec<Literal>) -> Template {
        let stored = |(source, literal): (usize, &Literal)| match literal {
            Literal::Positive(it) if it.predicate == AT => Some(StoredLiteral {
                atom: StoredAtom { space: 1, arguments: it.arguments.clone() },
                negated: false,
                source: Some(source),
            }),
            _ => None,
        };
        let body = conditions.iter().enumerate().filter_map(stored).collect();
        let joined = Atom { predicate: AT, arguments: vec![X, Y].into() };
        Template {
            rule: Rule::new(joined, conditions),
            head: StoredAtom { space: 0, arguments: head.to_vec().into() },
            body,
        }
    }

    /// How many coincidences there may be.
    fn count(pair: &Pair<'_>, tables: &Tables) -> usize {
        let mut facts = Facts::new(tables);
        facts.work = 1 << 20;
        pair.overlaps(&mut facts).expect("there are few").len()
    }

    fn of_two(left: Vec<Literal>, right: Vec<Literal>, tables: &Tables) -> usize {
        let [left, right] = [left, right].map(|it| template(&[X], it));
        count(&Pair::of_two(&left, &right), tables)
    }

    fn of_one(head: &[Argument], conditions: Vec<Literal>, tables: &Tables) -> usize {
        let template = template(head, conditions);
        let needed = vec![true; template.rule.variable_count()];
        count(&Pair::of_one(&template, &needed), tables)
    }

    #[test]
    fn rules_over_the_same_atoms_may_coincide() {
        let there = tables(&[[1, 2], [2, 1]], &[]);
        let one = Argument::Constant(1);
        let at = |it| vec![literal(AT, it)];
        assert_eq!(of_two(at([X, Y]), at([X, Y]), &there), 1);
        assert_eq!(of_two(at([X, Y]), at([X, one]), &there), 1);
        // There are no such rows.
        assert_eq!(of_two(at([X, Y]), at([X, X]), &there), 0);
        assert_eq!(of_two(at([X, Y]), at([X, Argument::Constant(3)]), &there), 0);
    }

    #[test]
    fn conditions_of_both_can_contradict_each_other() {
        let there = tables(&[[1, 1], [1, 2], [2, 1]], &[[1, 2]]);
        let with = |it| vec![literal(AT, [X, Y]), it];
        let differ = with(Literal::Distinct(vec![X].into(), vec![Y].into()));
        assert_eq!(of_two(differ.clone(), vec![literal(AT, [X, X])], &there), 0);
        assert_eq!(of_two(differ, vec![literal(AT, [X, Y])], &there), 1);
        let next = Atom { predicate: NEXT, arguments: vec![X, Y].into() };
        let both = [Literal::Positive(next.clone()), Literal::Negative(next)].map(with);
        let [is_next, is_not] = both;
        assert_eq!(of_two(is_next.clone(), is_not, &there), 0);
        // Each has rows, but not both together.
        assert_eq!(of_two(is_next, with(literal(NEXT, [Y, X])), &there), 0);
    }

    #[test]
    fn literals_that_may_change_places_may_give_a_rule_again() {
        let chain = || vec![literal(AT, [X, Y]), literal(AT, [Y, Z])];
        let both_ways = tables(&[[1, 2], [2, 1]], &[]);
        assert!(of_one(&[], chain(), &both_ways) > 0);
        assert_eq!(of_one(&[X], chain(), &both_ways), 0);
    }

    #[test]
    fn what_depends_on_the_head_is_the_same_in_both() {
        let body = || vec![literal(NEXT, [X, Z]), literal(AT, [Z, Y]), literal(AT, [X, X])];
        // Of 1 two are the next ones: then either can be stored beside the other.
        let all = [[1, 1], [2, 1], [2, 2], [3, 1], [3, 3]];
        let [function, relation] = [[[1, 2], [2, 3]], [[1, 2], [1, 3]]].map(|it| tables(&all, &it));
        let with_third = |mut body: Vec<Literal>| {
            body.push(literal(NEXT, [X, Argument::Variable(3)]));
            body.push(literal(AT, [Argument::Variable(3), Argument::Variable(4)]));
            body
        };
        assert_eq!(of_one(&[X, Y], body(), &function), 0);
        assert!(of_one(&[X], with_third(body()), &relation) > 0);
    }
}
