//! Flat rules as people can read them: terms put together again, variables with their names.

use groundfrog_engine::{Argument, Literal as EngineLiteral, PredicateId};

use crate::description::{Atom, Term};
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, Forms, LiteralKind, Shape, ShapeId};
use crate::rewrite::sentence_forms::MarkedRule;
use crate::rules::Literal;
use crate::symbols::{Symbol, Symbols};

fn positive<'run>(rule: &'run MarkedRule<'_>) -> impl Iterator<Item = &'run Atom> {
    rule.rule.body.iter().filter_map(|literal| match literal {
        Literal::Positive(atom) => Some(atom),
        _ => None,
    })
}

fn positive_flat(rule: &FlatRule) -> impl Iterator<Item = &FlatAtom> {
    rule.body.iter().filter_map(|literal| match &literal.kind {
        LiteralKind::Positive(atom) => Some(atom),
        _ => None,
    })
}

/// Writes the parts of one flat rule.
pub(super) struct FlatText<'run> {
    forms: &'run Forms,
    symbols: &'run Symbols,
    /// By flat variable.
    variables: Vec<String>,
}

impl<'run> FlatText<'run> {
    /// For facts, which have no variables.
    pub(super) fn new(forms: &'run Forms, symbols: &'run Symbols) -> Self {
        FlatText { forms, symbols, variables: Vec::new() }
    }

    /// For a rule and the one that it specialises.
    ///
    /// A variable over constants keeps its name; one over terms becomes several, `?f_1`, `?f_2`, ...
    pub(super) fn of_rule(
        forms: &'run Forms,
        symbols: &'run Symbols,
        flat: &FlatRule,
        origin: &MarkedRule<'_>,
    ) -> Self {
        let mut text = Self::new(forms, symbols);
        text.name_variables(&origin.rule.head, &flat.head);
        let (atoms, flat_atoms) = (positive(origin), positive_flat(flat));
        // Positive literals are never dropped from a specialised rule.
        for (atom, flat_atom) in atoms.zip(flat_atoms) {
            text.name_variables(atom, flat_atom);
        }
        text
    }

    /// The text of a rule with its own variable names if it has still the positive literals of the one that it specialises;
    /// otherwise variables have numbers.
    pub(super) fn of_rule_if_alike(
        forms: &'run Forms,
        symbols: &'run Symbols,
        flat: &FlatRule,
        origin: &MarkedRule<'_>,
    ) -> Self {
        let is_alike = |atom: &Atom, flat: &FlatAtom| {
            flat.name == atom.predicate
                && forms.form(flat.form).shapes.len() == atom.arguments.len()
        };
        let are_alike = is_alike(&origin.rule.head, &flat.head)
            && positive(origin).count() == positive_flat(flat).count()
            && positive(origin).zip(positive_flat(flat)).all(|(atom, flat)| is_alike(atom, flat));
        if are_alike {
            Self::of_rule(forms, symbols, flat, origin)
        } else {
            Self::new(forms, symbols)
        }
    }

    fn name_variables(&mut self, atom: &Atom, flat: &FlatAtom) {
        let shapes = &self.forms.form(flat.form).shapes;
        let mut arguments = flat.arguments.as_slice();
        for (term, &shape) in atom.arguments.iter().zip(shapes) {
            self.name_term(term, shape, &mut arguments);
        }
    }

    fn name_term(&mut self, term: &Term, shape: ShapeId, arguments: &mut &[Argument]) {
        if let (Term::Compound(compound), Shape::Function(_, shapes)) =
            (term, self.forms.shape(shape))
        {
            for (term, &shape) in compound.arguments.iter().zip(shapes) {
                self.name_term(term, shape, arguments);
            }
            return;
        }
        let (own, others) = arguments.split_at(self.forms.holes(shape));
        *arguments = others;
        let Term::Variable(name) = term else { return };
        for (number, argument) in own.iter().enumerate() {
            let Argument::Variable(variable) = *argument else { continue };
            let name = self.symbols.name(*name);
            self.set_name(
                variable,
                if own.len() == 1 { name.to_owned() } else { format!("{name}_{}", number + 1) },
            );
        }
    }

    fn set_name(&mut self, variable: u32, mut name: String) {
        let index = variable as usize;
        if self.variables.len() <= index {
            self.variables.resize(index + 1, String::new());
        }
        if self.variables[index].is_empty() {
            while self.variables.contains(&name) {
                name.push('_');
            }
            self.variables[index] = name;
        }
    }

    /// A flat atom under its own name: `(true (cell ?x ?y b))`.
    pub(super) fn atom(&self, atom: &FlatAtom) -> String {
        self.sentence(atom.name, atom.form, &atom.arguments)
    }

    /// A fact.
    pub(super) fn fact(&self, form: FormId, constants: &[u32]) -> String {
        let arguments: Vec<Argument> = constants.iter().copied().map(Argument::Constant).collect();
        self.sentence(self.forms.form(form).predicate.name, form, &arguments)
    }

    /// A flat literal.
    pub(super) fn literal(&self, literal: &FlatLiteral) -> String {
        match &literal.kind {
            LiteralKind::Positive(atom) => self.atom(atom),
            LiteralKind::Negative(atom) => format!("(not {})", self.atom(atom)),
            LiteralKind::Distinct(left, right) => self.distinct(left, right),
        }
    }

    /// An atom of the engine, whose predicates are forms: `(base (cell ?x ?y b))`.
    pub(super) fn engine_atom(&self, predicate: PredicateId, arguments: &[Argument]) -> String {
        let form = FormId(predicate.0);
        self.sentence(self.forms.form(form).predicate.name, form, arguments)
    }

    /// A literal of the engine.
    pub(super) fn engine_literal(&self, literal: &EngineLiteral) -> String {
        match literal {
            EngineLiteral::Positive(atom) => self.engine_atom(atom.predicate, &atom.arguments),
            EngineLiteral::Negative(atom) => {
                format!("(not {})", self.engine_atom(atom.predicate, &atom.arguments))
            }
            EngineLiteral::Distinct(left, right) => self.distinct(left, right),
        }
    }

    /// A constant or a variable.
    pub(super) fn argument(&self, argument: Argument) -> String {
        match argument {
            Argument::Constant(constant) => self.symbols.name(Symbol(constant)).to_owned(),
            Argument::Variable(variable) => match self.variables.get(variable as usize) {
                Some(name) if !name.is_empty() => name.clone(),
                _ => format!("?_{variable}"),
            },
        }
    }

    /// Several columns are written as a term: `(distinct (tuple ?x ?y) (tuple 1 2))`.
    fn distinct(&self, left: &[Argument], right: &[Argument]) -> String {
        let tuple = |tuple: &[Argument]| {
            let texts: Vec<String> = tuple.iter().map(|&it| self.argument(it)).collect();
            if texts.len() == 1 { texts.concat() } else { format!("(tuple {})", texts.join(" ")) }
        };
        format!("(distinct {} {})", tuple(left), tuple(right))
    }

    fn sentence(&self, name: Symbol, form: FormId, mut arguments: &[Argument]) -> String {
        let shapes = &self.forms.form(form).shapes;
        if shapes.is_empty() {
            return self.symbols.name(name).to_owned();
        }
        let mut text = String::new();
        self.push_function(name, shapes, &mut arguments, &mut text);
        text
    }

    fn push_function(
        &self,
        name: Symbol,
        shapes: &[ShapeId],
        arguments: &mut &[Argument],
        text: &mut String,
    ) {
        text.push('(');
        text.push_str(self.symbols.name(name));
        for &shape in shapes {
            text.push(' ');
            match (self.forms.shape(shape), arguments.split_first()) {
                (Shape::Function(functor, shapes), _) => {
                    self.push_function(*functor, shapes, arguments, text);
                }
                (Shape::Hole, Some((&argument, others))) => {
                    *arguments = others;
                    text.push_str(&self.argument(argument));
                }
                (Shape::Hole, None) => unreachable!("a form has a column for each hole"),
            }
        }
        text.push(')');
    }
}
