//! Patterns of terms: what is the same in terms that differ in constants only.

use std::fmt::Write as _;

use groundfrog::description::{Printer, Term};
use groundfrog::symbols::Symbols;

/// A term as its pattern, in which each constant is `_`, and its constants. A term that is a constant is its own pattern.
#[derive(Clone, Debug, Default)]
pub(super) struct Flat {
    pub(super) pattern: String,
    pub(super) leaves: Vec<String>,
}

impl Flat {
    pub(super) fn new(term: &Term, symbols: &Symbols) -> Self {
        let mut flat = Flat::default();
        match term {
            Term::Constant(name) | Term::Variable(name) => {
                symbols.name(*name).clone_into(&mut flat.pattern)
            }
            Term::Compound(_) => flat.add(term, symbols),
        }
        flat
    }

    fn add(&mut self, term: &Term, symbols: &Symbols) {
        match term {
            Term::Compound(it) => {
                let _ = write!(self.pattern, "({}", symbols.name(it.functor));
                for argument in &it.arguments {
                    self.pattern.push(' ');
                    self.add(argument, symbols);
                }
                self.pattern.push(')');
            }
            Term::Constant(name) | Term::Variable(name) => {
                self.pattern.push('_');
                self.leaves.push(symbols.name(*name).to_owned());
            }
        }
    }
}

/// The functions of a pattern: `cell` of `(cell _ _ _)`, `at` of `(at (cell _ _) _)`.
pub(super) fn functor(pattern: &str) -> &str {
    let inner = pattern.trim_start_matches('(');
    inner.split([' ', ')', '(']).next().unwrap_or(pattern)
}

fn leaf_count(term: &Term) -> usize {
    match term {
        Term::Compound(it) => it.arguments.iter().map(leaf_count).sum(),
        Term::Constant(_) | Term::Variable(_) => 1,
    }
}

/// What is written of a fluent at its place: all leaves that are content, with the functions that have nothing else.
pub(super) fn content(
    fluent: &Term,
    symbols: &Symbols,
    prefix: &str,
    is_content: impl Fn(usize) -> bool,
) -> String {
    let mut text = prefix.to_owned();
    write_content(fluent, true, &mut 0, symbols, &is_content, &mut text);
    text
}

fn write_content(
    term: &Term,
    is_top: bool,
    leaf: &mut usize,
    symbols: &Symbols,
    is_content: &impl Fn(usize) -> bool,
    text: &mut String,
) {
    let mut word = |word: &dyn std::fmt::Display| {
        let space = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{space}{word}");
    };
    match term {
        Term::Compound(compound) => {
            let last = *leaf + leaf_count(term);
            if !is_top && (*leaf..last).all(is_content) && last > *leaf {
                word(&Printer::new(symbols).term(term));
                *leaf = last;
                return;
            }
            for argument in &compound.arguments {
                write_content(argument, false, leaf, symbols, is_content, text);
            }
        }
        Term::Constant(name) | Term::Variable(name) => {
            if is_content(*leaf) {
                word(&symbols.name(*name));
            }
            *leaf += 1;
        }
    }
}
