//! From statements back to text.

use std::fmt::{self, Display, Formatter, Write};

use super::ast::{Atom, Formula, Statement, Term};
use crate::symbols::{Symbol, Symbols};
use crate::visible::WrittenBy;

/// Writes terms, formulas and statements in KIF.
///
/// Every method returns something to format, so that it can go to any [`fmt::Write`] or
/// [`std::io::Write`] through `write!`. What is written reads back as the same thing.
#[derive(Clone, Copy, Debug)]
pub struct Printer<'s> {
    symbols: &'s Symbols,
}

impl<'s> Printer<'s> {
    /// A printer that takes names from `symbols`.
    #[must_use]
    pub fn new(symbols: &'s Symbols) -> Self {
        Self { symbols }
    }

    /// A term: `(cell 1 ?y)`.
    #[must_use]
    pub fn term<'a>(self, term: &'a Term) -> impl Display + use<'a, 's> {
        WrittenBy(move |f: &mut Formatter<'_>| self.write_term(f, term))
    }

    /// An atom as it stands in a body: `(true (cell 1 ?y))`, `terminal`.
    #[must_use]
    pub fn atom<'a>(self, atom: &'a Atom) -> impl Display + use<'a, 's> {
        WrittenBy(move |f: &mut Formatter<'_>| self.write_atom(f, atom))
    }

    /// A formula: `(not (true (cell 1 ?y)))`.
    #[must_use]
    pub fn formula<'a>(self, formula: &'a Formula) -> impl Display + use<'a, 's> {
        WrittenBy(move |f: &mut Formatter<'_>| self.write_formula(f, formula))
    }

    /// A statement on one line, without a line end.
    #[must_use]
    pub fn statement<'a>(self, statement: &'a Statement) -> impl Display + use<'a, 's> {
        WrittenBy(move |f: &mut Formatter<'_>| self.write_statement(f, statement, " "))
    }

    /// A statement with the head of a rule on the first line and every literal on a line of its
    /// own, without a line end.
    #[must_use]
    pub fn wrapped<'a>(self, statement: &'a Statement) -> impl Display + use<'a, 's> {
        WrittenBy(move |f: &mut Formatter<'_>| self.write_statement(f, statement, "\n    "))
    }

    fn write_statement(&self, f: &mut Formatter<'_>, rule: &Statement, gap: &str) -> fmt::Result {
        // A fact that is but a word is written as a rule: every reader of KIF understands that.
        if rule.body.is_empty() && !rule.head.arguments.is_empty() {
            return self.write_atom(f, &rule.head);
        }
        f.write_str("(<= ")?;
        self.write_atom(f, &rule.head)?;
        for formula in &rule.body {
            f.write_str(gap)?;
            self.write_formula(f, formula)?;
        }
        f.write_char(')')
    }

    fn write_formula(&self, f: &mut Formatter<'_>, formula: &Formula) -> fmt::Result {
        match formula {
            Formula::Atom(atom) => self.write_atom(f, atom),
            Formula::Not(formula, _) => self.write_connective(f, "not", [&**formula]),
            Formula::Or(formulas, _) => self.write_connective(f, "or", formulas),
            Formula::And(formulas, _) => self.write_connective(f, "and", formulas),
            Formula::Distinct(left, right, _) => {
                f.write_str("(distinct ")?;
                self.write_term(f, left)?;
                f.write_char(' ')?;
                self.write_term(f, right)?;
                f.write_char(')')
            }
        }
    }

    fn write_connective<'a>(
        &self,
        f: &mut Formatter<'_>,
        name: &str,
        formulas: impl IntoIterator<Item = &'a Formula>,
    ) -> fmt::Result {
        write!(f, "({name}")?;
        for formula in formulas {
            f.write_char(' ')?;
            self.write_formula(f, formula)?;
        }
        f.write_char(')')
    }

    fn write_atom(&self, f: &mut Formatter<'_>, atom: &Atom) -> fmt::Result {
        if atom.arguments.is_empty() {
            f.write_str(self.symbols.name(atom.predicate))
        } else {
            self.write_application(f, atom.predicate, &atom.arguments)
        }
    }

    fn write_term(&self, f: &mut Formatter<'_>, term: &Term) -> fmt::Result {
        match term {
            Term::Variable(name) | Term::Constant(name) => f.write_str(self.symbols.name(*name)),
            Term::Compound(compound) => {
                self.write_application(f, compound.functor, &compound.arguments)
            }
        }
    }

    fn write_application(
        &self,
        f: &mut Formatter<'_>,
        name: Symbol,
        arguments: &[Term],
    ) -> fmt::Result {
        f.write_char('(')?;
        f.write_str(self.symbols.name(name))?;
        for argument in arguments {
            f.write_char(' ')?;
            self.write_term(f, argument)?;
        }
        f.write_char(')')
    }
}
