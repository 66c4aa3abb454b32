//! How rules are shown: flat ones as people can read them (terms put together again, variables with their names), in KIF with a
//! remark beside each line, and where in the description they come from.

use std::fmt::Write;

use groundfrog_engine::{Argument, Literal as EngineLiteral, PredicateId};

use crate::description::{Atom, Term};
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, Forms, LiteralKind, Shape, ShapeId};
use crate::kif::Span;
use crate::rewrite::sentence_forms::MarkedRule;
use crate::symbols::{Symbol, Symbols};

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
        let (atoms, flat_atoms) = (origin.rule.positive_atoms(), positive_flat(flat));
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
            && origin.rule.positive_atoms().count() == positive_flat(flat).count()
            && origin
                .rule
                .positive_atoms()
                .zip(positive_flat(flat))
                .all(|(atom, flat)| is_alike(atom, flat));
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

/// Remarks stand in one column, but not beyond this one.
const WIDEST: usize = 64;

/// A text that is being written.
#[derive(Default)]
pub(super) struct Listing {
    text: String,
    /// The last thing written is a rule.
    after_rule: bool,
}

/// An atom or a literal, with a remark that may be empty.
pub(super) struct Line {
    pub(super) text: String,
    pub(super) remark: String,
}

impl Line {
    pub(super) fn new(text: impl ToString, remark: impl Into<String>) -> Self {
        Line { text: text.to_string(), remark: remark.into() }
    }

    pub(super) fn plain(text: impl ToString) -> Self {
        Self::new(text, "")
    }
}

impl Listing {
    /// A line of comment.
    pub(super) fn comment(&mut self, comment: impl AsRef<str>) {
        writeln!(self.text, "{}", format!("; {}", comment.as_ref()).trim_end())
            .expect("a string takes everything");
    }

    /// An empty line and a line of comment.
    pub(super) fn heading(&mut self, comment: impl AsRef<str>) {
        self.gap();
        self.comment(comment);
    }

    /// An empty line, unless nothing stands before it.
    pub(super) fn gap(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.after_rule = false;
    }

    /// A rule, or a fact if the body is empty. Rules stand apart from each other and from facts.
    pub(super) fn rule(&mut self, head: Line, body: Vec<Line>) {
        if self.after_rule {
            self.gap();
        }
        let is_rule = !body.is_empty() || !head.text.starts_with('(');
        let count = body.len();
        let mut lines = vec![Line {
            text: if is_rule { format!("(<= {}", head.text) } else { head.text },
            ..head
        }];
        lines.extend(body.into_iter().map(|it| Line { text: format!("    {}", it.text), ..it }));
        if is_rule {
            lines[count].text.push(')');
        }
        let remarked = lines.iter().filter(|line| !line.remark.is_empty());
        self.after_rule = is_rule;
        let widest = remarked.map(|line| line.text.chars().count()).max().unwrap_or(0);
        let column = widest.min(WIDEST);
        for Line { text, remark } in lines {
            self.text.push_str(&text);
            if !remark.is_empty() {
                let gap = column.saturating_sub(text.chars().count()) + 2;
                write!(self.text, "{:gap$}; {remark}", "").expect("a string takes everything");
            }
            self.text.push('\n');
        }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}

/// A number with its noun: `1 rule`, `2 rules`.
pub(super) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Where each line of a text begins.
pub(super) struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    pub(super) fn new(source: &str) -> Self {
        let bytes = source.as_bytes();
        let ends_line = |&(at, &byte): &(usize, &u8)| {
            byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
        };
        let after = bytes.iter().enumerate().filter(ends_line).map(|(at, _)| at as u32 + 1);
        Lines { starts: std::iter::once(0).chain(after).collect() }
    }

    /// Where a rule comes from, in words.
    pub(super) fn origin(&self, span: Span) -> String {
        if span == Span::default() {
            return "connects the domains".to_owned();
        }
        format!("line {}", self.starts.partition_point(|&start| start <= span.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_that_messages_count() {
        let source = "a\nb\r\nc\rd";
        let lines = Lines::new(source);
        for at in 1..source.len() {
            let expected = format!("line {}", crate::kif::locate(source, at as u32).line);
            assert_eq!(lines.origin(Span::new(at, at + 1)), expected, "{at}");
        }
    }
}
