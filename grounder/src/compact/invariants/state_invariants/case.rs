//! What holds of a step of a match, and what follows.

mod contradiction;

use std::rc::Rc;

use super::single_valued::{Claim, Prover, Relation};
use crate::compact::definitions::{Copies, Definitions};
use crate::description::{Atom, Compound, Predicate, Term};
use crate::rules::{Literal, Rule, Substitution, may_be_same};
use crate::tuning::{LONGEST_BODY, MOST_ALTERNATIVES, MOST_DEPTH};

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
}
