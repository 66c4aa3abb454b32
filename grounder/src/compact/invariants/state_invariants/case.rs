//! What holds of a step of a match, and what follows.
//!
//! It is closed by what cannot hold together ([`Case::has_contradiction`]).

use std::rc::Rc;

use super::single_valued::{Claim, Prover, Relation};
use crate::compact::definitions::{Copies, Definitions};
use crate::description::{Atom, Compound, Predicate, Term};
use crate::rules::{Literal, Rule, Substitution, may_be_same};
use crate::tuning::{LONGEST_BODY, MOST_ALTERNATIVES, MOST_COMPARED, MOST_DEPTH};

/// How many ticks it takes to compare two.
const COMPARED: u32 = 8;

/// Literals that hold in one state and of the moves made in it, and terms that are to be the same then.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) substitution: Substitution,
    literals: Vec<Rc<Literal>>,
    /// By literal: from which body it is, counted from 1.
    bodies: Vec<u32>,
    body: u32,
    /// Literals that may have to agree.
    pairs: Vec<(u32, u32)>,
    pub(super) to_agree: Vec<(Term, Term)>,
    copies: Copies,
    /// By position: moves whose legality is among the literals already.
    taken_apart: Vec<usize>,
}

/// What comes of looking at a case once.
#[derive(PartialEq, Eq)]
enum CaseOutcome {
    Nothing,
    Something,
    Contradiction,
}

impl Case {
    pub(super) fn new(copies: Copies) -> Self {
        Case {
            substitution: Substitution::default(),
            literals: Vec::new(),
            bodies: Vec::new(),
            body: 0,
            pairs: Vec::new(),
            to_agree: Vec::new(),
            copies,
            taken_apart: Vec::new(),
        }
    }

    /// Adds the body of a rule, with views unfolded that have one rule.
    pub(super) fn assume(&mut self, body: Vec<Literal>, definitions: &Definitions<'_>) {
        self.body += 1;
        self.unfold(body, definitions, MOST_DEPTH);
    }

    fn unfold(&mut self, body: Vec<Literal>, definitions: &Definitions<'_>, depth: u32) {
        for literal in body {
            // It is not looked at.
            if self.literals.len() > LONGEST_BODY {
                return;
            }
            if let Literal::Positive(atom) = &literal
                && depth > 0
                && definitions.is_view(atom)
            {
                let mut rules = definitions.of(atom.predicate());
                if let (Some(rule), None) = (rules.next(), rules.next())
                    && let Some(rule) = self.copies.of(rule)
                    && self.substitution.unify_all(&rule.head.arguments, &atom.arguments)
                {
                    self.unfold(rule.body, definitions, depth - 1);
                }
            }
            self.add(literal, definitions);
        }
    }

    /// Adds a literal. What one body says twice is left as it is: it seldom means to be the same.
    fn add(&mut self, literal: Literal, definitions: &Definitions<'_>) {
        let new = self.literals.len();
        self.literals.push(Rc::new(literal));
        self.bodies.push(self.body);
        for other in (0..new).filter(|&it| self.bodies[it] != self.body) {
            if self.alike(new, other, definitions).is_some() {
                self.pairs.push((new as u32, other as u32));
            }
        }
    }

    /// Whether the case cannot be, or the terms agree. So many moves may be taken apart by the rules that make them legal, one
    /// within the other.
    pub(super) fn is_closed(&mut self, prover: &mut Prover<'_, '_, '_, '_>, splits: u32) -> bool {
        if self.literals.len() > LONGEST_BODY || !prover.may_look() {
            return false;
        }
        let before = self.substitution.steps();
        let is_closed = self.follows(prover, splits);
        let steps = self.substitution.steps() - before;
        is_closed && prover.passes(steps) && !self.substitution.is_exhausted()
    }

    /// Whether the terms agree or the case cannot be, unless the substitution is exhausted.
    fn follows(&mut self, prover: &mut Prover<'_, '_, '_, '_>, splits: u32) -> bool {
        loop {
            if self.to_agree.iter().all(|(one, other)| self.substitution.are_same(one, other)) {
                return true;
            }
            match self.look(prover) {
                CaseOutcome::Contradiction => return true,
                CaseOutcome::Something => {}
                CaseOutcome::Nothing => break,
            }
        }
        if self.has_contradiction(prover) {
            return true;
        }
        splits > 0 && self.is_closed_by_legality(prover, splits)
    }

    /// Makes equal what must be: what one role does, and values of fluents and static predicates that have only one.
    fn look(&mut self, prover: &mut Prover<'_, '_, '_, '_>) -> CaseOutcome {
        let mut found = CaseOutcome::Nothing;
        let mut at = 0;
        while let Some(&(one, other)) = self.pairs.get(at) {
            at += 1;
            let alike = self.alike(one as usize, other as usize, prover.definitions);
            let Some((of, left, right)) = alike else { continue };
            let is_same = |at: &usize| self.substitution.are_same(&left[*at], &right[*at]);
            let key: u64 = (0..left.len()).filter(is_same).map(|at| 1 << at).sum();
            let is_closed = key.count_ones() as usize == left.len();
            let must_agree = !is_closed
                && match of {
                    None => key & 1 == 1,
                    Some(Relation::Static(_)) if key == 0 => false,
                    Some(of) => prover.holds(Claim { of, key }),
                };
            if must_agree {
                let (left, right) = (left.to_vec(), right.to_vec());
                if !self.substitution.unify_all(&left, &right) {
                    return CaseOutcome::Contradiction;
                }
                found = CaseOutcome::Something;
            }
            if is_closed || must_agree {
                at -= 1;
                self.pairs.swap_remove(at);
            }
        }
        found
    }

    /// The arguments of two literals that may have to agree, with what they are about: nothing for moves, of which each role
    /// makes one.
    fn alike(
        &self,
        one: usize,
        other: usize,
        definitions: &Definitions<'_>,
    ) -> Option<(Option<Relation>, &[Term], &[Term])> {
        let (Literal::Positive(left), Literal::Positive(right)) =
            (&*self.literals[one], &*self.literals[other])
        else {
            return None;
        };
        let predicate = left.predicate();
        if predicate != right.predicate() || left.arguments.len() > 64 {
            return None;
        }
        if predicate.name == definitions.keywords.true_ {
            let (left, right) = (self.compound(left)?, self.compound(right)?);
            let _ = left.pairs(right)?;
            let arity = left.arguments.len();
            let relation = Relation::Fluents(left.functor, arity);
            return (arity <= 64).then_some((Some(relation), &left.arguments, &right.arguments));
        }
        if predicate.name == definitions.keywords.does {
            return Some((None, &left.arguments, &right.arguments));
        }
        let relation = Some(Relation::Static(predicate));
        let is_static = !definitions.is_dynamic(predicate);
        is_static.then_some((relation, &left.arguments, &right.arguments))
    }

    /// The function of a fluent.
    fn compound<'c>(&'c self, atom: &'c Atom) -> Option<&'c Compound> {
        match self.substitution.resolved(atom.arguments.first()?) {
            Term::Compound(it) => Some(it),
            _ => None,
        }
    }

    /// Whether the case is decided however a move has become legal, for some move.
    fn is_closed_by_legality(&mut self, prover: &mut Prover<'_, '_, '_, '_>, splits: u32) -> bool {
        let keywords = prover.definitions.keywords;
        let legal = Predicate { name: keywords.legal, arity: 2 };
        let rules = prover.definitions.of(legal);
        for at in 0..self.literals.len() {
            let Literal::Positive(made) = &*self.literals[at] else { continue };
            if made.predicate != keywords.does || self.taken_apart.contains(&at) {
                continue;
            }
            let made = made.clone();
            let Some(cases) = self.legal_cases(at, &made, rules.clone(), prover.definitions) else {
                continue;
            };
            if cases.into_iter().all(|mut it| it.is_closed(prover, splits - 1)) {
                return true;
            }
        }
        false
    }

    /// The case with what makes a move legal, for each rule that may. `None` if there are too many.
    fn legal_cases<'r>(
        &self,
        at: usize,
        made: &Atom,
        rules: impl Iterator<Item = &'r Rule>,
        definitions: &Definitions<'r>,
    ) -> Option<Vec<Case>> {
        let made = self.substitution.terms(&made.arguments);
        let may_be_made = |rule: &&Rule| {
            rule.head.arguments.iter().zip(&made).all(|(legal, made)| may_be_same(legal, made))
        };
        let mut cases = Vec::new();
        for rule in rules.filter(may_be_made) {
            let mut case = self.clone();
            let rule = case.copies.of(rule)?;
            if case.substitution.unify_all(&rule.head.arguments, &made) {
                case.taken_apart.push(at);
                case.assume(rule.body, definitions);
                cases.push(case);
            } else if case.substitution.is_exhausted() {
                return None;
            }
            if cases.len() > MOST_ALTERNATIVES {
                return None;
            }
        }
        Some(cases)
    }

    /// Whether two literals contradict each other, or one itself.
    fn has_contradiction(&self, prover: &mut Prover<'_, '_, '_, '_>) -> bool {
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
