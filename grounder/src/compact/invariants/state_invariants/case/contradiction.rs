//! What cannot hold together.

use super::Case;
use crate::compact::definitions::Copies;
use crate::compact::invariants::state_invariants::single_valued::Prover;
use crate::description::{Atom, Term};
use crate::rules::{Literal, Rule, Substitution};
use crate::tuning::{MOST_ALTERNATIVES, MOST_COMPARED};

/// How many ticks it takes to compare two.
const COMPARED: u32 = 8;

impl Case {
    /// Whether two literals contradict each other, or one itself.
    pub(super) fn has_contradiction(&self, prover: &mut Prover<'_, '_, '_, '_>) -> bool {
        self.literals.iter().any(|literal| match &**literal {
            Literal::Positive(atom) => self.is_false(atom, prover),
            Literal::Distinct(left, right) => self.substitution.are_same(left, right),
            Literal::Negative(atom) => self.says(atom, true) || self.implies(atom, prover),
        })
    }

    /// Whether no fact is what an atom uses; for one variable, together with what else is required of it.
    fn is_false(&self, atom: &Atom, prover: &mut Prover<'_, '_, '_, '_>) -> bool {
        let (definitions, predicate) = (prover.definitions, atom.predicate());
        let facts = |it| definitions.of(it).len() as u32;
        if definitions.is_dynamic(predicate) || !prover.passes(facts(predicate)) {
            return false;
        }
        let [argument] = atom.arguments.as_slice() else {
            let arguments = self.substitution.terms(&atom.arguments);
            return definitions.is_false(&Literal::Positive(Atom { arguments, ..*atom }));
        };
        let others = self.literals.iter().filter_map(|literal| match &**literal {
            Literal::Positive(it) if it.arguments.len() == 1 && it.predicate < atom.predicate => {
                self.substitution.are_same(&it.arguments[0], argument).then(|| it.predicate())
            }
            _ => None,
        });
        let mut others = others.filter(|it| !definitions.is_dynamic(*it));
        let value = self.substitution.term(argument);
        definitions.have_no_value(&value, &[predicate])
            || others.any(|other| {
                prover.passes(facts(predicate) + facts(other))
                    && definitions.have_no_value(&value, &[predicate, other])
            })
    }

    /// Whether a literal says that an atom holds, or that it does not.
    fn says(&self, atom: &Atom, holds: bool) -> bool {
        self.literals.iter().any(|literal| match &**literal {
            Literal::Positive(it) if holds => self.is_same_atom(it, atom),
            Literal::Negative(it) if !holds => self.is_same_atom(it, atom),
            _ => false,
        })
    }

    fn is_same_atom(&self, one: &Atom, other: &Atom) -> bool {
        one.predicate() == other.predicate()
            && one
                .arguments
                .iter()
                .zip(&other.arguments)
                .all(|(one, other)| self.substitution.are_same(one, other))
    }

    /// Whether the literals are those of a rule for a view.
    fn implies(&self, atom: &Atom, prover: &mut Prover<'_, '_, '_, '_>) -> bool {
        let mut rules = prover.definitions.of(atom.predicate());
        if !prover.definitions.is_view(atom) || rules.len() > MOST_ALTERNATIVES {
            return false;
        }
        let (mut copies, mut left) = (self.copies.clone(), MOST_COMPARED);
        let is_implied = rules.any(|rule| {
            let Some(rule) = copies.of(rule) else { return false };
            let mut values = Substitution::default();
            self.match_all(&mut values, &rule.head.arguments, &atom.arguments, &copies)
                && self.has_body((&rule, 0), &values, &copies, &mut left)
        });
        prover.passes(COMPARED * (MOST_COMPARED - left)) && is_implied
    }

    /// Whether the literals of a rule from a position on are all there, with these values for the rule's variables.
    fn has_body(
        &self,
        (rule, from): (&Rule, usize),
        values: &Substitution,
        copies: &Copies,
        left: &mut u32,
    ) -> bool {
        let Some(literal) = rule.body.get(from) else { return true };
        for there in &self.literals {
            let Some(still) = left.checked_sub(1) else { return false };
            *left = still;
            let with_values = self.matched(literal, there, values, copies);
            if with_values.is_some_and(|it| self.has_body((rule, from + 1), &it, copies, left)) {
                return true;
            }
        }
        self.always_differ(literal, values) && self.has_body((rule, from + 1), values, copies, left)
    }

    /// Values with which a literal of a rule becomes one that is there.
    fn matched(
        &self,
        literal: &Literal,
        there: &Literal,
        values: &Substitution,
        copies: &Copies,
    ) -> Option<Substitution> {
        match (literal, there) {
            (Literal::Positive(one), Literal::Positive(other))
            | (Literal::Negative(one), Literal::Negative(other))
                if one.predicate() == other.predicate() =>
            {
                let mut values = values.clone();
                self.match_all(&mut values, &one.arguments, &other.arguments, copies)
                    .then_some(values)
            }
            (Literal::Distinct(one, left), Literal::Distinct(other, right)) => {
                let mut values = values.clone();
                let is_same = self.match_term(&mut values, one, other, copies)
                    && self.match_term(&mut values, left, right, copies);
                is_same.then_some(values)
            }
            _ => None,
        }
    }

    /// Whether a literal says of two constants that they differ.
    fn always_differ(&self, literal: &Literal, values: &Substitution) -> bool {
        let Literal::Distinct(left, right) = literal else { return false };
        let value = |it| self.substitution.resolved(values.resolved(it));
        match (value(left), value(right)) {
            (Term::Constant(one), Term::Constant(other)) => one != other,
            _ => false,
        }
    }

    fn match_all(
        &self,
        values: &mut Substitution,
        wanted: &[Term],
        there: &[Term],
        copies: &Copies,
    ) -> bool {
        wanted
            .iter()
            .zip(there)
            .all(|(wanted, there)| self.match_term(values, wanted, there, copies))
    }

    /// Gives the variables of the last copies values with which a term becomes another one, which keeps its own.
    fn match_term(
        &self,
        values: &mut Substitution,
        wanted: &Term,
        there: &Term,
        copies: &Copies,
    ) -> bool {
        let there = self.substitution.resolved(there);
        match wanted {
            Term::Variable(name) if copies.is_newer(&self.copies, *name) => {
                let known = values.resolved(wanted).clone();
                if known == *wanted {
                    return values.unify(wanted, there);
                }
                self.substitution.are_same(&known, there)
            }
            Term::Compound(wanted) => match there {
                Term::Compound(there) => wanted.pairs(there).is_some_and(|mut pairs| {
                    pairs.all(|(wanted, there)| self.match_term(values, wanted, there, copies))
                }),
                _ => false,
            },
            _ => self.substitution.are_same(wanted, there),
        }
    }
}
