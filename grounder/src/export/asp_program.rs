//! The description as an answer set program whose grounding is the flat ground game (the program P of
//! Schiffel 2016).
//!
//! The rules are written as they are after or-elimination. A state generator chooses any facts of base, an
//! action generator any moves of input, and base and input are computed from `init`, `next` and `legal`:
//! a grounder instantiates each rule for every fact and every move that can occur.

use std::io::{self, Write};

use fxhash::FxHashMap;

use crate::description::{Atom, Term};
use crate::emit::notation::{Asp, Notation, Place};
use crate::prepare::Prepared;
use crate::rules::{Literal, Rule};
use crate::symbols::{Symbol, Symbols};

/// What generates states, moves, base and input.
const GENERATORS: &str = "\
base(F) :- init(F).
base(F) :- next(F).
input(R,M) :- legal(R,M).
{ true(F) } :- base(F).
{ does(R,M) } :- input(R,M), role(R).
#defined init/1.
#defined next/1.
#defined legal/2.
";

/// Writes the program.
///
/// # Errors
/// Those of the writer.
pub fn write(prepared: &Prepared, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(GENERATORS.as_bytes())?;
    let mut text = Vec::new();
    let rules = &prepared.rules.rules;
    let used = |rule: &&Rule| prepared.statics.is_used(rule.head.predicate());
    for rule in rules.iter().filter(used) {
        text.clear();
        RuleWriter::new(&prepared.rules.symbols).rule(rule, &mut text);
        out.write_all(&text)?;
    }
    Ok(())
}

/// Writes one rule; its variables are numbered.
struct RuleWriter<'run> {
    symbols: &'run Symbols,
    variables: FxHashMap<Symbol, usize>,
}

impl<'run> RuleWriter<'run> {
    fn new(symbols: &'run Symbols) -> Self {
        RuleWriter { symbols, variables: FxHashMap::default() }
    }

    fn rule(&mut self, rule: &Rule, out: &mut Vec<u8>) {
        self.atom(&rule.head, out);
        for (position, literal) in rule.body.iter().enumerate() {
            out.extend_from_slice(if position == 0 { b" :- " } else { b", " });
            match literal {
                Literal::Positive(atom) => self.atom(atom, out),
                Literal::Negative(atom) => {
                    out.extend_from_slice(b"not ");
                    self.atom(atom, out);
                }
                Literal::Distinct(left, right) => {
                    self.term(left, out);
                    out.extend_from_slice(b" != ");
                    self.term(right, out);
                }
            }
        }
        out.extend_from_slice(b".\n");
    }

    fn atom(&mut self, atom: &Atom, out: &mut Vec<u8>) {
        self.application(atom.predicate, &atom.arguments, Place::Atom, out);
    }

    fn application(&mut self, name: Symbol, arguments: &[Term], place: Place, out: &mut Vec<u8>) {
        let name = self.symbols.name(name);
        Asp::open(name, arguments.len(), place, out);
        for (position, argument) in arguments.iter().enumerate() {
            if position > 0 {
                out.extend_from_slice(Asp::SEPARATOR.as_bytes());
            }
            self.term(argument, out);
        }
        Asp::close(name, arguments.len(), place, out);
    }

    fn term(&mut self, term: &Term, out: &mut Vec<u8>) {
        match term {
            Term::Constant(name) => Asp::constant(self.symbols.name(*name), out),
            Term::Compound(it) => self.application(it.functor, &it.arguments, Place::Term, out),
            Term::Variable(name) => {
                let next = self.variables.len();
                let number = *self.variables.entry(*name).or_insert(next);
                out.extend_from_slice(format!("V{number}").as_bytes());
            }
        }
    }
}
