//! The description in infix notation: `legal(X, mark(Y)) :- true(control(X)) & ~true(cell(Y, full))`. [`crate::kif::infix`] reads
//! it.

use std::io::{self, Write};

use fxhash::FxHashMap;

use crate::description::{Atom, Description, Formula, Term};
use crate::kif::infix::{is_plain, is_variable};
use crate::symbols::{Symbol, Symbols};

/// Writes the statements, one a line.
///
/// # Errors
/// Those of the writer.
pub fn write(description: &Description, out: &mut dyn Write) -> io::Result<()> {
    for statement in &description.statements {
        let (variables, taken) = (FxHashMap::default(), FxHashMap::default());
        let mut text = Text { symbols: &description.symbols, variables, taken, out: String::new() };
        text.atom(&statement.head);
        for (position, formula) in statement.body.iter().enumerate() {
            text.out.push_str(if position == 0 { " :- " } else { " & " });
            text.formula(formula);
        }
        text.out.push_str(".\n");
        out.write_all(text.out.as_bytes())?;
    }
    Ok(())
}

struct Text<'run> {
    symbols: &'run Symbols,
    /// The names that the variables of a statement have.
    variables: FxHashMap<Symbol, String>,
    /// Names that are taken, each with the number that was tried last behind it.
    taken: FxHashMap<String, u64>,
    out: String,
}

impl Text<'_> {
    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Atom(atom) => self.atom(atom),
            Formula::Not(inner, _) => {
                self.out.push('~');
                self.formula(inner);
            }
            Formula::Or(parts, _) => self.parts(parts, "or", " | "),
            Formula::And(parts, _) => self.parts(parts, "and", " & "),
            Formula::Distinct(one, other, _) => {
                self.out.push_str("distinct(");
                self.term(one);
                self.out.push_str(", ");
                self.term(other);
                self.out.push(')');
            }
        }
    }

    /// Parts in parentheses, with the name of the connective before them where no separator shows it.
    fn parts(&mut self, parts: &[Formula], name: &str, separator: &str) {
        self.out.push_str(if parts.len() == 1 { name } else { "" });
        self.out.push('(');
        for (position, part) in parts.iter().enumerate() {
            self.out.push_str(if position == 0 { "" } else { separator });
            self.formula(part);
        }
        self.out.push(')');
    }

    fn atom(&mut self, atom: &Atom) {
        self.name(atom.predicate);
        if !atom.arguments.is_empty() {
            self.arguments(&atom.arguments);
        }
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Constant(name) => self.name(*name),
            Term::Compound(it) => {
                self.name(it.functor);
                self.arguments(&it.arguments);
            }
            Term::Variable(name) => {
                let name = self.variable(*name);
                self.out.push_str(&name);
            }
        }
    }

    fn arguments(&mut self, arguments: &[Term]) {
        self.out.push('(');
        for (position, argument) in arguments.iter().enumerate() {
            self.out.push_str(if position == 0 { "" } else { ", " });
            self.term(argument);
        }
        self.out.push(')');
    }

    /// A name; in quotes if it would be read as something else.
    fn name(&mut self, name: Symbol) {
        let name = self.symbols.name(name);
        if is_plain(name) {
            self.out.push_str(name);
        } else {
            self.out.push_str(&format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'")));
        }
    }

    /// The variable's name with a capital, if no other of the statement has that.
    fn variable(&mut self, variable: Symbol) -> String {
        if let Some(known) = self.variables.get(&variable) {
            return known.clone();
        }
        let word = self.symbols.name(variable).trim_start_matches('?');
        let mut characters = word.chars();
        let first = characters.next().map(|it| it.to_ascii_uppercase());
        let wanted: String = first.into_iter().chain(characters).collect();
        let wanted = if is_variable(&wanted) { wanted } else { "V".to_owned() };
        let mut name = wanted.clone();
        while self.taken.contains_key(&name) {
            let number = self.taken.entry(wanted.clone()).or_insert(1);
            *number += 1;
            name = format!("{wanted}_{number}");
        }
        self.taken.insert(name.clone(), 1);
        self.variables.insert(variable, name.clone());
        name
    }
}
