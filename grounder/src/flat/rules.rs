//! Flat rules: rules over sentence forms, whose arguments are constants and variables.

use groundfrog_engine::Arguments;

use super::{FormId, Forms};
use crate::symbols::Symbol;

/// An atom of a form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FlatAtom {
    /// The form of its table.
    pub form: FormId,
    /// Its predicate's name in the description: `true` where the table is `base`.
    pub name: Symbol,
    /// The constants, as symbol numbers, and the variables.
    pub arguments: Arguments,
}

/// What a flat literal says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LiteralKind {
    /// The atom holds.
    Positive(FlatAtom),
    /// The atom does not hold.
    Negative(FlatAtom),
    /// The tuples differ.
    Distinct(Arguments, Arguments),
}

/// A literal of a flat rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FlatLiteral {
    /// What it says.
    pub kind: LiteralKind,
    /// It is in g(R).
    pub joined: bool,
    /// It is in s(R).
    pub stored: bool,
}

impl FlatLiteral {
    /// Its atom, if it has one.
    pub fn atom(&self) -> Option<&FlatAtom> {
        match &self.kind {
            LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => Some(atom),
            LiteralKind::Distinct(..) => None,
        }
    }

    /// Whether it says that an atom holds.
    pub fn is_positive(&self) -> bool {
        matches!(self.kind, LiteralKind::Positive(_))
    }

    /// The form of its atom, if it has one.
    pub fn form(&self) -> Option<FormId> {
        self.atom().map(|atom| atom.form)
    }
}

/// A rule over forms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FlatRule {
    /// The head.
    pub head: FlatAtom,
    /// The body.
    pub body: Vec<FlatLiteral>,
    /// The rule that it specialises, as a position in the list of rules.
    pub origin: u32,
    /// Whether instances are stored.
    pub stored: bool,
}

/// The rules and facts of a description over forms.
#[derive(Clone, Debug, Default)]
pub struct FlatProgram {
    /// The rules, and those facts that are stored.
    pub rules: Vec<FlatRule>,
    /// The facts that are not stored, by their forms.
    pub(crate) fact_forms: Vec<FormId>,
    /// Their constants, one fact after the other.
    pub(crate) fact_constants: Vec<u32>,
}

impl FlatProgram {
    /// Adds a fact that is not stored.
    pub fn add_fact(&mut self, form: FormId, constants: &[u32]) {
        self.fact_forms.push(form);
        self.fact_constants.extend_from_slice(constants);
    }

    /// The facts, each a form and its constants; stored facts are among the rules as well.
    pub fn facts<'a>(&'a self, forms: &'a Forms) -> impl Iterator<Item = (FormId, &'a [u32])> {
        let mut start = 0;
        self.fact_forms.iter().map(move |&form| {
            let end = start + forms.columns(form);
            let constants = &self.fact_constants[start..end];
            start = end;
            (form, constants)
        })
    }
}
