//! Rules as text of another language.

use std::marker::PhantomData;

use fxhash::FxHashMap;

use crate::description::{Atom, Term};
use crate::emit::notation::{Notation, Place};
use crate::symbols::{Symbol, Symbols};

/// Writes the atoms and terms of one rule; its variables are numbered in the order in which they are written.
pub(super) struct RuleText<'run, N> {
    symbols: &'run Symbols,
    variables: FxHashMap<Symbol, usize>,
    /// What is written so far.
    pub(super) out: Vec<u8>,
    notation: PhantomData<N>,
}

impl<'run, N: Notation> RuleText<'run, N> {
    pub(super) fn new(symbols: &'run Symbols) -> Self {
        let (variables, out) = (FxHashMap::default(), Vec::new());
        RuleText { symbols, variables, out, notation: PhantomData }
    }

    /// Words between the terms.
    pub(super) fn push(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// A list of things with separators.
    pub(super) fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        for (position, item) in items.into_iter().enumerate() {
            if position > 0 {
                self.push(N::SEPARATOR);
            }
            write(self, item);
        }
    }

    /// An atom.
    pub(super) fn atom(&mut self, atom: &Atom) {
        self.application(atom.predicate, &atom.arguments, Place::Atom);
    }

    /// An atom with one more argument, if there is one.
    pub(super) fn atom_with(&mut self, atom: &Atom, last: Option<&str>) {
        let Some(last) = last else { return self.atom(atom) };
        let (name, arity) = (self.symbols.name(atom.predicate), atom.arguments.len() + 1);
        N::open(name, arity, Place::Atom, &mut self.out);
        for argument in &atom.arguments {
            self.term(argument);
            self.push(N::SEPARATOR);
        }
        self.push(last);
        N::close(name, arity, Place::Atom, &mut self.out);
    }

    /// An atom as if it were a term.
    pub(super) fn atom_as_term(&mut self, atom: &Atom) {
        match &atom.arguments[..] {
            [] => N::constant(self.symbols.name(atom.predicate), &mut self.out),
            arguments => self.application(atom.predicate, arguments, Place::Term),
        }
    }

    /// A term.
    pub(super) fn term(&mut self, term: &Term) {
        match term {
            Term::Constant(name) => N::constant(self.symbols.name(*name), &mut self.out),
            Term::Compound(it) => self.application(it.functor, &it.arguments, Place::Term),
            Term::Variable(name) => self.variable(*name),
        }
    }

    /// A variable.
    pub(super) fn variable(&mut self, name: Symbol) {
        let next = self.variables.len();
        let number = *self.variables.entry(name).or_insert(next);
        self.push(&format!("V{number}"));
    }

    fn application(&mut self, name: Symbol, arguments: &[Term], place: Place) {
        let name = self.symbols.name(name);
        N::open(name, arguments.len(), place, &mut self.out);
        self.list(arguments, Self::term);
        N::close(name, arguments.len(), place, &mut self.out);
    }
}
