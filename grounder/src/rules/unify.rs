//! Substitutions and most general unifiers.

use fxhash::FxHashMap;

use crate::description::{Term, Terms};
use crate::rules::compound;
use crate::symbols::Symbol;

/// Terms for variables.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    terms: FxHashMap<Symbol, Term>,
}

impl Substitution {
    /// Whether it replaces nothing.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Adds what makes two terms equal. Returns whether there is such a thing; if not, the
    /// substitution is of no further use.
    pub fn unify(&mut self, left: &Term, right: &Term) -> bool {
        let (left, right) = (self.resolved(left).clone(), self.resolved(right).clone());
        match (&left, &right) {
            (Term::Variable(one), Term::Variable(other)) if one == other => true,
            (Term::Variable(variable), term) | (term, Term::Variable(variable)) => {
                if self.occurs(*variable, term) {
                    return false;
                }
                self.terms.insert(*variable, term.clone());
                true
            }
            (Term::Constant(one), Term::Constant(other)) => one == other,
            (Term::Compound(one), Term::Compound(other)) => one
                .pairs(other)
                .is_some_and(|mut pairs| pairs.all(|(one, other)| self.unify(one, other))),
            _ => false,
        }
    }

    /// Whether two terms are the same once all variables are replaced that the substitution knows.
    pub(crate) fn are_same(&self, one: &Term, other: &Term) -> bool {
        match (self.resolved(one), self.resolved(other)) {
            (Term::Compound(one), Term::Compound(other)) => one
                .pairs(other)
                .is_some_and(|mut pairs| pairs.all(|(one, other)| self.are_same(one, other))),
            (one, other) => one == other,
        }
    }

    /// What a term stands for; the variables within it are not replaced.
    pub(crate) fn resolved<'t>(&'t self, mut term: &'t Term) -> &'t Term {
        while let Term::Variable(variable) = term
            && let Some(known) = self.terms.get(variable)
        {
            term = known;
        }
        term
    }

    fn occurs(&self, variable: Symbol, term: &Term) -> bool {
        match self.resolved(term) {
            Term::Variable(other) => *other == variable,
            Term::Constant(_) => false,
            Term::Compound(compound) => {
                compound.arguments.iter().any(|it| self.occurs(variable, it))
            }
        }
    }

    /// The term with all variables replaced that the substitution knows.
    pub fn term(&self, term: &Term) -> Term {
        match term {
            Term::Variable(variable) => {
                self.terms.get(variable).map_or_else(|| term.clone(), |term| self.term(term))
            }
            Term::Constant(_) => term.clone(),
            Term::Compound(it) => compound(it.functor, self.terms(&it.arguments)),
        }
    }

    /// The terms with all variables replaced that the substitution knows.
    pub fn terms(&self, terms: &[Term]) -> Terms {
        terms.iter().map(|term| self.term(term)).collect()
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
}
