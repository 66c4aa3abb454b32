//! Rules after or-elimination: a head and literals.

mod unify;

use std::sync::Arc;

use crate::description::{Atom, Compound, Formula, Keywords, Predicate, Statement, Term, Terms};
use crate::kif::Span;
use crate::symbols::{Symbol, Symbols};

pub use unify::Substitution;

/// A condition in the body of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    /// The atom holds.
    Positive(Atom),
    /// The atom does not hold.
    Negative(Atom),
    /// The terms are different.
    Distinct(Term, Term),
}

impl Literal {
    /// The atom of a literal that has one.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
            Literal::Distinct(..) => None,
        }
    }

    /// The literal as a formula, to print it.
    pub fn formula(&self, span: Span) -> Formula {
        match self {
            Literal::Positive(atom) => Formula::Atom(atom.clone()),
            Literal::Negative(atom) => Formula::Not(Box::new(Formula::Atom(atom.clone())), span),
            Literal::Distinct(left, right) => Formula::Distinct(left.clone(), right.clone(), span),
        }
    }

    /// The literal with its variables replaced.
    pub(crate) fn substitute(&self, substitution: &Substitution) -> Literal {
        let atom =
            |atom: &Atom| Atom { arguments: substitution.terms(&atom.arguments), ..atom.clone() };
        match self {
            Literal::Positive(it) => Literal::Positive(atom(it)),
            Literal::Negative(it) => Literal::Negative(atom(it)),
            Literal::Distinct(left, right) => {
                Literal::Distinct(substitution.term(left), substitution.term(right))
            }
        }
    }

    /// Calls `visit` with each variable, in order and with repetitions.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(Symbol)) {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                atom.arguments.iter().for_each(|term| for_each_variable(term, visit));
            }
            Literal::Distinct(left, right) => {
                for_each_variable(left, visit);
                for_each_variable(right, visit);
            }
        }
    }
}

/// `head <- body`; a fact if the body is empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// What the rule derives.
    pub head: Atom,
    /// The conditions; their order means nothing.
    pub body: Vec<Literal>,
    /// The statement that the rule comes from.
    pub span: Span,
}

impl Rule {
    /// The rule as a statement, to print it.
    pub fn statement(&self) -> Statement {
        Statement {
            head: self.head.clone(),
            body: self.body.iter().map(|literal| literal.formula(self.span)).collect(),
            span: self.span,
        }
    }

    /// The rule with its variables replaced.
    pub fn substitute(&self, substitution: &Substitution) -> Rule {
        Rule {
            head: Atom { arguments: substitution.terms(&self.head.arguments), ..self.head.clone() },
            body: self.body.iter().map(|literal| literal.substitute(substitution)).collect(),
            span: self.span,
        }
    }
}

/// Rules with the names that they are written in.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The names.
    pub symbols: Symbols,
    /// The symbols of the keywords.
    pub keywords: Keywords,
    /// The rules, in the order of the description.
    pub rules: Vec<Rule>,
    /// The names of the predicates that stand for an `or` of a rule each, which the description does not have.
    pub of_alternatives: Vec<Symbol>,
}

impl Rules {
    /// A predicate with its name and arity, as `cell/3`.
    pub fn predicate_name(&self, predicate: Predicate) -> String {
        format!("{}/{}", self.symbols.name(predicate.name), predicate.arity)
    }
}

/// Calls `visit` with each variable of a term, in order and with repetitions.
pub fn for_each_variable(term: &Term, visit: &mut impl FnMut(Symbol)) {
    match term {
        Term::Variable(variable) => visit(*variable),
        Term::Constant(_) => {}
        Term::Compound(compound) => {
            compound.arguments.iter().for_each(|term| for_each_variable(term, visit));
        }
    }
}

/// The term `functor(arguments)`.
pub(crate) fn compound(functor: Symbol, arguments: Terms) -> Term {
    Term::Compound(Arc::new(Compound { functor, arguments }))
}
