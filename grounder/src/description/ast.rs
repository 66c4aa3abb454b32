//! Statements, formulas and terms.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::kif::Span;
use crate::symbols::Symbol;

/// A predicate: the same name with another arity is another predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Predicate {
    /// Its name.
    pub name: Symbol,
    /// How many arguments it takes.
    pub arity: u32,
}

/// A rule, or a fact if the body is empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Statement {
    /// What holds if all of the body holds.
    pub head: Atom,
    /// The literals of the body.
    pub body: Vec<Formula>,
    /// Its place, with the parentheses.
    pub span: Span,
}

/// A predicate with its arguments. `(p)` and `p` are the same atom.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Atom {
    /// The predicate's name.
    pub predicate: Symbol,
    /// The arguments.
    pub arguments: Terms,
    /// Its place.
    pub span: Span,
}

impl Atom {
    /// The atom's predicate.
    #[must_use]
    pub fn predicate(&self) -> Predicate {
        let arity = u32::try_from(self.arguments.len()).expect("fewer arguments than bytes");
        Predicate { name: self.predicate, arity }
    }
}

/// The arguments of an atom or a function. Few have so many that they are stored apart.
pub type Terms = SmallVec<[Term; 3]>;

/// A term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A variable; its name includes the leading `?`.
    Variable(Symbol),
    /// A name or number.
    Constant(Symbol),
    /// A function with arguments. `(f)`, with none, is another term than the constant `f`. Rules that are made of
    /// one another share it.
    Compound(Arc<Compound>),
}

/// A function with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Compound {
    /// The function's name.
    pub functor: Symbol,
    /// The arguments.
    pub arguments: Terms,
}

impl Compound {
    /// Its arguments with those of another term; `None` if that has another functor, or more or fewer arguments.
    pub(crate) fn pairs<'a>(
        &'a self,
        other: &'a Self,
    ) -> Option<impl Iterator<Item = (&'a Term, &'a Term)>> {
        let is_alike =
            self.functor == other.functor && self.arguments.len() == other.arguments.len();
        is_alike.then(|| self.arguments.iter().zip(&other.arguments))
    }
}

/// What can stand in the body of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// An atom holds.
    Atom(Atom),
    /// A formula does not hold.
    Not(Box<Formula>, Span),
    /// At least one of the formulas holds; there is at least one.
    Or(Vec<Formula>, Span),
    /// All of the formulas hold; there is at least one.
    And(Vec<Formula>, Span),
    /// Two terms are different.
    Distinct(Term, Term, Span),
}

impl Formula {
    /// The formula's place.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Atom(atom) => atom.span,
            Self::Not(_, span)
            | Self::Or(_, span)
            | Self::And(_, span)
            | Self::Distinct(_, _, span) => *span,
        }
    }

    /// Calls `visit` with each atom of the formula, in the order of the text.
    pub fn for_each_atom<'a>(&'a self, visit: &mut impl FnMut(&'a Atom)) {
        match self {
            Self::Atom(atom) => visit(atom),
            Self::Not(formula, _) => formula.for_each_atom(visit),
            Self::Or(formulas, _) | Self::And(formulas, _) => {
                for formula in formulas {
                    formula.for_each_atom(visit);
                }
            }
            Self::Distinct(..) => {}
        }
    }
}
