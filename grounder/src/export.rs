//! Descriptions, not yet ground, as programs of other systems: so that others can be compared with.
//! `docs/exports.md` shows how.

pub mod asp;
pub mod infix;
pub mod projection;
pub mod prolog;
pub mod sas;
pub mod smv;

use std::marker::PhantomData;

use fxhash::FxHashMap;

use crate::description::{Atom, Term};
use crate::emit::{Notation, Place};
use crate::game::{AtomGraph, AtomKind, GroundGame};
use crate::symbols::{Symbol, Symbols};

/// Writes the atoms and terms of one rule; its variables are numbered in the order in which they are written.
struct RuleText<'run, N> {
    symbols: &'run Symbols,
    variables: FxHashMap<Symbol, usize>,
    /// What is written so far.
    out: Vec<u8>,
    notation: PhantomData<N>,
}

impl<'run, N: Notation> RuleText<'run, N> {
    fn new(symbols: &'run Symbols) -> Self {
        let (variables, out) = (FxHashMap::default(), Vec::new());
        RuleText { symbols, variables, out, notation: PhantomData }
    }

    /// Words between the terms.
    fn push(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// A list of things with separators.
    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        for (position, item) in items.into_iter().enumerate() {
            if position > 0 {
                self.push(N::SEPARATOR);
            }
            write(self, item);
        }
    }

    /// An atom.
    fn atom(&mut self, atom: &Atom) {
        self.application(atom.predicate, &atom.arguments, Place::Atom);
    }

    /// An atom with one more argument, if there is one.
    fn atom_with(&mut self, atom: &Atom, last: Option<&str>) {
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
    fn atom_as_term(&mut self, atom: &Atom) {
        match &atom.arguments[..] {
            [] => N::constant(self.symbols.name(atom.predicate), &mut self.out),
            arguments => self.application(atom.predicate, arguments, Place::Term),
        }
    }

    /// A term.
    fn term(&mut self, term: &Term) {
        match term {
            Term::Constant(name) => N::constant(self.symbols.name(*name), &mut self.out),
            Term::Compound(it) => self.application(it.functor, &it.arguments, Place::Term),
            Term::Variable(name) => self.variable(*name),
        }
    }

    /// A variable.
    fn variable(&mut self, name: Symbol) {
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

/// By atom: a layer above those of the atoms that its rules negate, and not below those that they read; 0 for `does`, 1 for what
/// negates nothing. `None` if an atom depends on its own negation.
fn layers(game: &GroundGame) -> Option<Vec<u32>> {
    let by_head = game.rules().by_head(game.atom_count(), |_| true);
    let graph = AtomGraph::new(game.rules(), &by_head);
    let components = graph.components();
    if graph.negative_cycle(&components).is_some() {
        return None;
    }
    let mut layers = vec![1_u32; game.atom_count()];
    game.inputs().for_each(|it| layers[it.index()] = 0);
    game.fluents().for_each(|it| layers[it.index()] = 0);
    for component in 0..components.len() {
        let members = components.members(component);
        let mut layer = 1;
        for &atom in members {
            for &rule in by_head.row(atom as usize) {
                for literal in game.rules().rule(rule as usize).body {
                    let below = layers[literal.atom() as usize];
                    let is_own = components.together(atom, literal.atom());
                    if !is_own {
                        layer = layer.max(below + u32::from(literal.is_negated()));
                    }
                }
            }
        }
        members.iter().for_each(|&atom| layers[atom as usize] = layer);
    }
    Some(layers)
}

/// The atoms that rules define, each after those that its rules read; `None` if one depends on itself.
fn in_order(game: &GroundGame) -> Option<Vec<u32>> {
    let by_head = game.rules().by_head(game.atom_count(), |_| true);
    let graph = AtomGraph::new(game.rules(), &by_head);
    let components = graph.components();
    let mut order = Vec::new();
    for component in 0..components.len() {
        if components.is_recursive(component) {
            return None;
        }
        order.extend_from_slice(components.members(component));
    }
    debug_assert!(order.iter().all(|&it| game.kind(crate::game::AtomId(it)) != AtomKind::True));
    Some(order)
}
