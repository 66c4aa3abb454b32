//! What holds of a step of a match, and what follows.

use std::rc::Rc;

use super::definitions::{Copies, Definitions};
use super::single_valued::{Claim, Prover, Relation};
use crate::description::{Atom, Compound, Predicate, Term};
use crate::rules::{Literal, Rule, Substitution};

/// Longer bodies are not looked at.
const MOST_LITERALS: usize = 60;
/// How many moves are taken apart by the rules that make them legal, one within the other.
const MOST_SPLITS: u32 = 2;
/// With more rules that may make a move legal, it is not taken apart.
const MOST_LEGAL: usize = 6;
/// How deep views are unfolded.
const MOST_UNFOLDED: u32 = 3;
/// Views with more rules are not looked at to tell that one does not hold.
const MOST_OF_VIEW: usize = 12;

/// Literals that hold in one state and of the moves made in it, and terms that are to be the same then.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) substitution: Substitution,
    literals: Vec<Rc<Literal>>,
    pub(super) to_agree: Vec<(Term, Term)>,
    copies: Copies,
    /// By position: moves whose legality is among the literals already.
    taken_apart: Vec<usize>,
}

/// What comes of looking at a case once.
#[derive(PartialEq, Eq)]
enum Found {
    Nothing,
    Something,
    Contradiction,
}

impl Case {
    pub(super) fn new(copies: Copies) -> Self {
        Case {
            substitution: Substitution::default(),
            literals: Vec::new(),
            to_agree: Vec::new(),
            copies,
            taken_apart: Vec::new(),
        }
    }

    /// Adds the body of a rule, with views unfolded that have one rule.
    pub(super) fn assume(&mut self, body: Vec<Literal>, definitions: &Definitions<'_>) {
        self.unfold(body, definitions, MOST_UNFOLDED);
    }

    fn unfold(&mut self, body: Vec<Literal>, definitions: &Definitions<'_>, depth: u32) {
        for literal in body {
            if let Literal::Positive(atom) = &literal
                && depth > 0
                && definitions.is_view(atom)
            {
                let mut rules = definitions.of(atom.predicate());
                if let (Some(rule), None) = (rules.next(), rules.next())
                    && let Some(rule) = self.copies.of(rule)
                    && self.unify_all(&rule.head.arguments, &atom.arguments)
                {
                    self.unfold(rule.body, definitions, depth - 1);
                }
            }
            self.literals.push(Rc::new(literal));
        }
    }

    fn unify_all(&mut self, left: &[Term], right: &[Term]) -> bool {
        left.iter().zip(right).all(|(left, right)| self.substitution.unify(left, right))
    }

    /// Whether the case cannot be, or the terms agree.
    pub(super) fn agrees(mut self, prover: &mut Prover<'_, '_>, is_transition: bool) -> bool {
        let splits = if is_transition { MOST_SPLITS } else { 0 };
        self.is_settled(prover, splits)
    }

    fn is_settled(&mut self, prover: &mut Prover<'_, '_>, splits: u32) -> bool {
        if self.literals.len() > MOST_LITERALS || !prover.may_look() {
            return false;
        }
        loop {
            if self.to_agree.iter().all(|(one, other)| self.substitution.are_same(one, other)) {
                return true;
            }
            match self.look(prover) {
                Found::Contradiction => return true,
                Found::Something => {}
                Found::Nothing => break,
            }
        }
        if self.has_contradiction(prover.definitions) {
            return true;
        }
        splits > 0 && self.is_settled_by_legality(prover, splits)
    }

    /// Makes equal what must be: what one role does, and values of fluents and static predicates that have only one.
    fn look(&mut self, prover: &mut Prover<'_, '_>) -> Found {
        let keywords = prover.definitions.keywords;
        let mut found = Found::Nothing;
        for one in 0..self.literals.len() {
            for other in 0..one {
                let (Literal::Positive(left), Literal::Positive(right)) =
                    (&*self.literals[one], &*self.literals[other])
                else {
                    continue;
                };
                if left.predicate() != right.predicate() {
                    continue;
                }
                let predicate = left.predicate();
                let (relation, left, right) = if predicate.name == keywords.true_ {
                    let (Some(left), Some(right)) = (self.compound(left), self.compound(right))
                    else {
                        continue;
                    };
                    if left.pairs(right).is_none() {
                        continue;
                    }
                    let relation = Relation::Fluents(left.functor, left.arguments.len());
                    (Some(relation), &left.arguments, &right.arguments)
                } else if predicate.name == keywords.does {
                    (None, &left.arguments, &right.arguments)
                } else if prover.definitions.is_dynamic(predicate) {
                    continue;
                } else {
                    (Some(Relation::Static(predicate)), &left.arguments, &right.arguments)
                };
                let is_same = |at: usize| self.substitution.are_same(&left[at], &right[at]);
                let arity = left.len();
                if arity > 64 {
                    continue;
                }
                let same: u64 = (0..arity).filter(|&at| is_same(at)).map(|at| 1 << at).sum();
                if same.count_ones() as usize == arity {
                    continue;
                }
                let must_agree = match relation {
                    None => same & 1 == 1,
                    Some(Relation::Static(_)) if same == 0 => false,
                    Some(of) => prover.holds(Claim { of, key: same }),
                };
                if must_agree {
                    let (left, right) = (left.clone(), right.clone());
                    if !self.unify_all(&left, &right) {
                        return Found::Contradiction;
                    }
                    found = Found::Something;
                }
            }
        }
        found
    }

    /// The function of a fluent.
    fn compound<'c>(&'c self, atom: &'c Atom) -> Option<&'c Compound> {
        match self.substitution.resolved(atom.arguments.first()?) {
            Term::Compound(it) => Some(it),
            _ => None,
        }
    }

    /// Whether two literals contradict each other, or one itself.
    fn has_contradiction(&self, definitions: &Definitions<'_>) -> bool {
        self.literals.iter().any(|literal| match &**literal {
            Literal::Positive(_) => false,
            Literal::Distinct(left, right) => self.substitution.are_same(left, right),
            Literal::Negative(atom) => self.says(atom, true) || self.implies(atom, definitions),
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
    fn implies(&self, atom: &Atom, definitions: &Definitions<'_>) -> bool {
        let rules = definitions.of(atom.predicate());
        if !definitions.is_view(atom) || rules.len() > MOST_OF_VIEW {
            return false;
        }
        let mut copies = self.copies.clone();
        rules.into_iter().any(|rule| {
            let Some(rule) = copies.of(rule) else { return false };
            let mut values = Substitution::default();
            self.match_all(&mut values, &rule.head.arguments, &atom.arguments, &copies)
                && self.has_body(&rule, 0, &values, &copies)
        })
    }

    /// Whether the literals of a rule from a position on are all there, with these values for the rule's variables.
    fn has_body(&self, rule: &Rule, from: usize, values: &Substitution, copies: &Copies) -> bool {
        let Some(literal) = rule.body.get(from) else { return true };
        let all = self.literals.iter();
        let mut found = all.filter_map(|it| match (literal, &**it) {
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
        });
        let is_there = found.any(|values| self.has_body(rule, from + 1, &values, copies));
        is_there
            || self.always_differ(literal, values) && self.has_body(rule, from + 1, values, copies)
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

    /// Whether the case is settled however a move has become legal, for some move.
    fn is_settled_by_legality(&mut self, prover: &mut Prover<'_, '_>, splits: u32) -> bool {
        let keywords = prover.definitions.keywords;
        let legal = Predicate { name: keywords.legal, arity: 2 };
        let rules = prover.definitions.of(legal);
        for at in 0..self.literals.len() {
            let Literal::Positive(made) = &*self.literals[at] else { continue };
            if made.predicate != keywords.does || self.taken_apart.contains(&at) {
                continue;
            }
            let made = made.clone();
            let Some(cases) = self.ways_to_be_legal(at, &made, rules.clone(), prover.definitions)
            else {
                continue;
            };
            if cases.into_iter().all(|mut it| it.is_settled(prover, splits - 1)) {
                return true;
            }
        }
        false
    }

    /// The case with what makes a move legal, for each rule that may. `None` if there are too many.
    fn ways_to_be_legal<'r>(
        &self,
        at: usize,
        made: &Atom,
        rules: impl Iterator<Item = &'r Rule>,
        definitions: &Definitions<'r>,
    ) -> Option<Vec<Case>> {
        let mut cases = Vec::new();
        for rule in rules {
            if !may_unify(&rule.head.arguments, &made.arguments, &self.substitution) {
                continue;
            }
            let mut case = self.clone();
            let rule = case.copies.of(rule)?;
            if case.unify_all(&rule.head.arguments, &made.arguments) {
                case.taken_apart.push(at);
                case.assume(rule.body, definitions);
                cases.push(case);
            }
            if cases.len() > MOST_LEGAL {
                return None;
            }
        }
        Some(cases)
    }
}

/// Whether terms, the first of which have other variables, might be made the same: a quick look that forgets no way.
fn may_unify(one: &[Term], other: &[Term], values: &Substitution) -> bool {
    let may_be_same = |one: &Term, other: &Term| match (one, values.resolved(other)) {
        (Term::Variable(_), _) | (_, Term::Variable(_)) => true,
        (Term::Constant(one), Term::Constant(other)) => one == other,
        (Term::Compound(one), Term::Compound(other)) => one
            .pairs(other)
            .is_some_and(|mut pairs| pairs.all(|(one, other)| match (one, values.resolved(other)) {
                (Term::Constant(one), Term::Constant(other)) => one == other,
                _ => true,
            })),
        _ => false,
    };
    one.iter().zip(other).all(|(one, other)| may_be_same(one, other))
}
