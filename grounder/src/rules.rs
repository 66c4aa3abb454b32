//! Rules after or-elimination: a head and literals.

pub mod lengths;
mod predicate_graph;
mod unify;

use std::sync::Arc;

use fxhash::FxHashSet;

use crate::description::{Atom, Compound, Formula, Keywords, Predicate, Statement, Term, Terms};
use crate::kif::Span;
use crate::symbols::{Symbol, Symbols};

pub use predicate_graph::PredicateGraph;
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
    pub fn substitute(&self, substitution: &Substitution) -> Literal {
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

    /// Whether each variable occurs in a positive literal: whether the rule is safe.
    pub fn is_safe(&self) -> bool {
        is_safe(&self.head.arguments, &self.body)
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

/// The variables of terms, in order and with repetitions.
pub fn variables_of(terms: &[Term]) -> Vec<Symbol> {
    let mut variables = Vec::new();
    terms.iter().for_each(|it| for_each_variable(it, &mut |it| variables.push(it)));
    variables
}

/// Whether each variable of terms and of a body occurs in a positive literal of the body.
pub fn is_safe(terms: &[Term], body: &[Literal]) -> bool {
    let mut bound = FxHashSet::default();
    let positive = body.iter().filter(|it| matches!(it, Literal::Positive(_)));
    positive.for_each(|it| it.for_each_variable(&mut |it| _ = bound.insert(it)));
    let mut is_safe = true;
    let mut check = |it| is_safe &= bound.contains(&it);
    terms.iter().for_each(|it| for_each_variable(it, &mut check));
    body.iter().for_each(|it| it.for_each_variable(&mut check));
    is_safe
}

/// The argument of an atom of a predicate that has one: the fluent of an atom of `true`, `init` or `next`.
pub fn argument_of(atom: &Atom, predicate: Symbol) -> Option<&Term> {
    match atom.arguments.as_slice() {
        [argument] if atom.predicate == predicate => Some(argument),
        _ => None,
    }
}

/// Whether terms, whose variables have nothing to do with each other, may have an instance in common: a quick look, at
/// one variable at a time.
pub fn may_be_same(one: &Term, other: &Term) -> bool {
    match (one, other) {
        (Term::Variable(_), _) | (_, Term::Variable(_)) => true,
        (Term::Constant(one), Term::Constant(other)) => one == other,
        (Term::Compound(one), Term::Compound(other)) => {
            one.pairs(other).is_some_and(|mut pairs| pairs.all(|(it, of)| may_be_same(it, of)))
        }
        _ => false,
    }
}

/// The term `functor(arguments)`.
pub fn compound(functor: Symbol, arguments: Terms) -> Term {
    Term::Compound(Arc::new(Compound { functor, arguments }))
}
