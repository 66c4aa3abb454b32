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
        let (left, right) = (self.term(left), self.term(right));
        match (&left, &right) {
            (Term::Variable(one), Term::Variable(other)) if one == other => true,
            (Term::Variable(variable), term) | (term, Term::Variable(variable)) => {
                if occurs(*variable, term) {
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

fn occurs(variable: Symbol, term: &Term) -> bool {
    match term {
        Term::Variable(other) => *other == variable,
        Term::Constant(_) => false,
        Term::Compound(compound) => compound.arguments.iter().any(|it| occurs(variable, it)),
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
