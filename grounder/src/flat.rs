//! What most of the grounder works on: sentence forms, rules over these, and what the engine makes of them.
//!
//! A *form* is a predicate with the shapes of its arguments, `(true (cell _ _ _))`: a table with a column for each `_`
//! ([`Forms`]). A *flat rule* has constants and variables as arguments ([`FlatRule`]). [`lowering`] turns flat rules into
//! programs of the engine.

mod forms;
pub mod lowering;

use groundfrog_engine::Arguments;

use crate::symbols::{Symbol, Symbols};
pub use forms::{Ending, Form, FormId, Forms, Shape, ShapeId};

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

/// How long the name of a form is, more or less.
const TYPICAL_NAME: usize = 48;

/// A form as people write it, a low line for each constant: `(base (cell _ _ _))`.
pub fn form_name(id: FormId, forms: &Forms, symbols: &Symbols) -> String {
    let form = forms.form(id);
    let mut name = String::with_capacity(TYPICAL_NAME);
    if form.shapes.is_empty() {
        name.push_str(symbols.name(form.predicate.name));
    } else {
        push_application(&mut name, form.predicate.name, &form.shapes, forms, symbols);
    }
    name
}

fn push_application(
    text: &mut String,
    name: Symbol,
    shapes: &[ShapeId],
    forms: &Forms,
    symbols: &Symbols,
) {
    text.push('(');
    text.push_str(symbols.name(name));
    for &shape in shapes {
        text.push(' ');
        match forms.shape(shape) {
            Shape::Hole => text.push('_'),
            Shape::Function(functor, shapes) => {
                push_application(text, *functor, shapes, forms, symbols);
            }
        }
    }
    text.push(')');
}
