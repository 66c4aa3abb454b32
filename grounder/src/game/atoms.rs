//! What an atom means: its kind, its shape and its constants.

use std::fmt::{self, Display, Formatter};

use groundfrog_engine::Constants;

use crate::description::Term;
use crate::rules::compound;
use crate::symbols::{Symbol, Symbols};
use crate::visible::WrittenBy;

/// What an atom says, by its predicate.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum AtomKind {
    /// `(true f)`.
    True,
    /// `(next f)`.
    Next,
    /// `(does r m)`.
    Does,
    /// `(legal r m)`.
    Legal,
    /// `(goal r v)`.
    Goal,
    /// `terminal`.
    Terminal,
    /// `(sees r p)`.
    Sees,
    /// A dynamic predicate without a fixed meaning.
    View,
}

impl AtomKind {
    /// Its predicate, or `view`.
    pub fn name(self) -> &'static str {
        match self {
            AtomKind::True => "true",
            AtomKind::Next => "next",
            AtomKind::Does => "does",
            AtomKind::Legal => "legal",
            AtomKind::Goal => "goal",
            AtomKind::Terminal => "terminal",
            AtomKind::Sees => "sees",
            AtomKind::View => "view",
        }
    }
}

/// The shape of a ground term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TermShape {
    /// Any constant.
    Constant,
    /// A function of shapes.
    Function(Symbol, Vec<TermShape>),
}

/// The shape of ground atoms: everything but their constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AtomShape {
    /// The predicate's name.
    pub predicate: Symbol,
    /// The shapes of the arguments.
    pub arguments: Vec<TermShape>,
}

impl TermShape {
    /// How many constants a term of this shape has.
    pub fn holes(&self) -> usize {
        match self {
            TermShape::Constant => 1,
            TermShape::Function(_, arguments) => arguments.iter().map(TermShape::holes).sum(),
        }
    }

    /// The term with these constants, the first of which are taken away.
    pub(super) fn fill(&self, constants: &mut impl Iterator<Item = u32>) -> Term {
        match self {
            TermShape::Constant => {
                Term::Constant(Symbol(constants.next().expect("a constant for each hole")))
            }
            TermShape::Function(functor, arguments) => {
                compound(*functor, arguments.iter().map(|it| it.fill(constants)).collect())
            }
        }
    }
}

/// An atom of a ground game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroundAtom<'game> {
    /// What it says.
    pub kind: AtomKind,
    /// Its predicate and the functions in it.
    pub shape: &'game AtomShape,
    /// Its constants, from left to right, as symbol numbers.
    pub constants: Constants<'game>,
}

impl<'game> GroundAtom<'game> {
    /// The arguments as terms.
    pub fn arguments(&self) -> Vec<Term> {
        let mut constants = self.constants.iter();
        self.shape.arguments.iter().map(|shape| shape.fill(&mut constants)).collect()
    }

    /// The atom as KIF.
    pub fn display(self, symbols: &'game Symbols) -> impl Display + 'game {
        WrittenBy(move |out: &mut Formatter<'_>| {
            let AtomShape { predicate, arguments } = self.shape;
            if arguments.is_empty() {
                return out.write_str(symbols.name(*predicate));
            }
            write_application(out, symbols, *predicate, arguments, &mut self.constants.iter())
        })
    }
}

fn write_application(
    out: &mut Formatter<'_>,
    symbols: &Symbols,
    name: Symbol,
    arguments: &[TermShape],
    constants: &mut impl Iterator<Item = u32>,
) -> fmt::Result {
    write!(out, "({}", symbols.name(name))?;
    for argument in arguments {
        out.write_str(" ")?;
        match argument {
            TermShape::Constant => {
                let constant = constants.next().expect("a constant for each hole");
                out.write_str(symbols.name(Symbol(constant)))?;
            }
            TermShape::Function(functor, arguments) => {
                write_application(out, symbols, *functor, arguments, constants)?;
            }
        }
    }
    out.write_str(")")
}
