//! Substitutions and most general unifiers.

use std::cell::Cell;

use fxhash::FxHashMap;

use crate::description::{MAX_NESTING, Term, Terms};
use crate::rules::compound;
use crate::symbols::Symbol;

/// How many terms one substitution looks at. Where terms hold others several times, that multiplies with each that is
/// replaced: a rule of some lines may stand for more than there is memory for.
const MOST_STEPS: u32 = 1 << 17;

/// Terms for variables.
///
/// It looks at a bounded number of terms, and at none that is nested deeper than [`MAX_NESTING`]. Then it
/// [is exhausted](Substitution::is_exhausted), and what it says is no answer.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    terms: FxHashMap<Symbol, Term>,
    steps: Cell<u32>,
}

impl Substitution {
    /// Whether it replaces nothing.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether it has met terms that are too large or too deep: terms may not have been made the same, or replaced.
    pub fn is_exhausted(&self) -> bool {
        self.steps.get() > MOST_STEPS
    }

    /// How many terms it has looked at.
    pub fn steps(&self) -> u32 {
        self.steps.get()
    }

    /// Adds what makes two terms equal. Returns whether there is such a thing; if not, the
    /// substitution is of no further use.
    pub fn unify(&mut self, left: &Term, right: &Term) -> bool {
        self.unify_at(0, left, right)
    }

    /// Adds what makes the terms of two lists equal, one by one.
    pub fn unify_all(&mut self, left: &[Term], right: &[Term]) -> bool {
        left.iter().zip(right).all(|(left, right)| self.unify(left, right))
    }

    fn unify_at(&mut self, depth: usize, left: &Term, right: &Term) -> bool {
        if !self.may_look(depth) {
            return false;
        }
        let (left, right) = (self.resolved(left).clone(), self.resolved(right).clone());
        match (&left, &right) {
            (Term::Variable(one), Term::Variable(other)) if one == other => true,
            (Term::Variable(variable), term) | (term, Term::Variable(variable)) => {
                if self.occurs(depth, *variable, term) {
                    return false;
                }
                self.terms.insert(*variable, term.clone());
                true
            }
            (Term::Constant(one), Term::Constant(other)) => one == other,
            (Term::Compound(one), Term::Compound(other)) => {
                one.pairs(other).is_some_and(|mut pairs| {
                    pairs.all(|(one, other)| self.unify_at(depth + 1, one, other))
                })
            }
            _ => false,
        }
    }

    /// Whether two terms are the same once all variables are replaced that the substitution knows.
    pub fn are_same(&self, one: &Term, other: &Term) -> bool {
        self.are_same_at(0, one, other)
    }

    fn are_same_at(&self, depth: usize, one: &Term, other: &Term) -> bool {
        self.may_look(depth)
            && match (self.resolved(one), self.resolved(other)) {
                (Term::Compound(one), Term::Compound(other)) => {
                    one.pairs(other).is_some_and(|mut pairs| {
                        pairs.all(|(one, other)| self.are_same_at(depth + 1, one, other))
                    })
                }
                (one, other) => one == other,
            }
    }

    /// What a term stands for; the variables within it are not replaced.
    pub fn resolved<'t>(&'t self, mut term: &'t Term) -> &'t Term {
        while let Term::Variable(variable) = term
            && let Some(known) = self.terms.get(variable)
        {
            term = known;
            self.steps.set(self.steps.get().saturating_add(1));
        }
        term
    }

    fn occurs(&self, depth: usize, variable: Symbol, term: &Term) -> bool {
        match self.resolved(term) {
            Term::Variable(other) => *other == variable,
            Term::Constant(_) => false,
            Term::Compound(compound) => {
                !self.may_look(depth)
                    || compound.arguments.iter().any(|it| self.occurs(depth + 1, variable, it))
            }
        }
    }

    /// The term with all variables replaced that the substitution knows.
    pub fn term(&self, term: &Term) -> Term {
        self.term_at(0, term)
    }

    fn term_at(&self, depth: usize, term: &Term) -> Term {
        if !self.may_look(depth) {
            return term.clone();
        }
        match self.resolved(term) {
            Term::Compound(it) => {
                let arguments = it.arguments.iter().map(|it| self.term_at(depth + 1, it));
                compound(it.functor, arguments.collect())
            }
            other => other.clone(),
        }
    }

    /// The terms with all variables replaced that the substitution knows.
    pub fn terms(&self, terms: &[Term]) -> Terms {
        terms.iter().map(|term| self.term(term)).collect()
    }

    /// Notes that one more term is looked at. Returns whether it may be.
    fn may_look(&self, depth: usize) -> bool {
        let steps = self.steps.get();
        let is_deep = depth > MAX_NESTING;
        self.steps.set(if is_deep { MOST_STEPS + 1 } else { steps.saturating_add(1) });
        !self.is_exhausted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::Symbols;

    #[test]
    fn unifiers_are_applied_through() {
        let mut symbols = Symbols::new();
        let [x, y] = ["?x", "?y"].map(|name| Term::Variable(symbols.intern(name)));
        let (f, a) = (symbols.intern("f"), Term::Constant(symbols.intern("a")));
        let mut substitution = Substitution::default();
        assert!(substitution.unify(&x, &compound(f, vec![y.clone()].into())));
        assert!(substitution.unify(&x, &compound(f, vec![a.clone()].into())));
        assert_eq!(substitution.term(&y), a);
        assert_eq!(substitution.term(&x), compound(f, vec![a.clone()].into()));
        assert!(!substitution.unify(&x, &a));
        let z = Term::Variable(symbols.intern("?z"));
        assert!(
            !Substitution::default().unify(&z, &compound(f, vec![z.clone()].into())),
            "occurs check"
        );
    }

    #[test]
    fn what_multiplies_is_given_up() {
        let mut symbols = Symbols::new();
        let f = symbols.intern("f");
        let mut variables = |name: &str| -> Vec<Term> {
            (0..64).map(|it| Term::Variable(symbols.intern(&format!("?{name}{it}")))).collect()
        };
        let (xs, ys) = (variables("x"), variables("y"));
        let mut doubled = Substitution::default();
        for of in [&xs, &ys] {
            for pair in of.windows(2).rev() {
                let twice = compound(f, vec![pair[0].clone(), pair[0].clone()].into());
                assert!(doubled.unify(&pair[1], &twice));
            }
        }
        assert!(!doubled.is_exhausted());
        let (x, y) = (&xs[63], &ys[63]);
        let checks: [fn(&mut Substitution, &Term, &Term); 3] = [
            |it, x, y| assert!(!it.are_same(x, y)),
            |it, x, y| assert!(!it.unify(x, y)),
            |it, x, _| assert_ne!(it.term(x), *x),
        ];
        // Where the first terms differ, no others are looked at.
        for (check, is_exhausted) in checks.into_iter().zip([false, true, true]) {
            let mut doubled = doubled.clone();
            check(&mut doubled, x, y);
            assert_eq!(doubled.is_exhausted(), is_exhausted);
        }
    }

    #[test]
    fn what_is_too_deep_is_given_up() {
        let mut symbols = Symbols::new();
        let f = symbols.intern("f");
        let xs: Vec<Term> =
            (0..2000).map(|it| Term::Variable(symbols.intern(&format!("?x{it}")))).collect();
        let mut deep = Substitution::default();
        for pair in xs.windows(2).rev() {
            assert!(deep.unify(&pair[1], &compound(f, vec![pair[0].clone()].into())));
        }
        let _ = deep.term(&xs[MAX_NESTING - 1]);
        assert!(!deep.is_exhausted());
        let _ = deep.term(&xs[1999]);
        assert!(deep.is_exhausted());
    }
}
