//! The text of every atom, rendered once and shared by all the rules that mention it.

use crate::game::{AtomShape, GroundGame, TermShape};
use crate::symbols::Symbol;

/// Byte strings, one after the other in a single buffer.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    bytes: Vec<u8>,
    /// By text: where it ends. It begins where the one before ends.
    ends: Vec<usize>,
}

/// How many bytes a text has, more or less.
const TYPICAL: usize = 16;
/// The same of the text of an atom.
const TYPICAL_ATOM: usize = 28;
/// Texts up to this length are copied together with what stands behind them, which is then cut off: that is
/// much faster than copying so many bytes and no more.
const SHORT: usize = 32;

impl Texts {
    pub(super) fn with_capacity(texts: usize) -> Self {
        Texts { bytes: Vec::with_capacity(TYPICAL * texts), ends: Vec::with_capacity(texts) }
    }

    /// Adds the text that `write` appends to the buffer.
    pub(super) fn add(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }

    /// Makes room behind the last text, so that short ones can be copied the fast way.
    fn pad(&mut self) {
        self.bytes.resize(self.bytes.len() + SHORT, 0);
    }

    #[inline]
    pub(super) fn get(&self, number: usize) -> &[u8] {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.bytes[start..self.ends[number]]
    }

    /// Appends a text without its first bytes.
    #[inline]
    pub(super) fn append(&self, number: usize, skip: usize, out: &mut Vec<u8>) {
        let start = skip + if number == 0 { 0 } else { self.ends[number - 1] };
        let end = self.ends[number];
        match self.bytes[start..].first_chunk::<SHORT>() {
            Some(piece) if end - start <= SHORT => {
                let length = out.len() + end - start;
                out.extend_from_slice(piece);
                out.truncate(length);
            }
            _ => out.extend_from_slice(&self.bytes[start..end]),
        }
    }

    /// The numbers below `count` as decimal digits after a prefix.
    pub(super) fn numbers(prefix: &str, numbers: impl ExactSizeIterator<Item = u64>) -> Texts {
        let mut texts = Texts::with_capacity(numbers.len());
        let mut digits = itoa::Buffer::new();
        for number in numbers {
            texts.add(|out| {
                out.extend_from_slice(prefix.as_bytes());
                out.extend_from_slice(digits.format(number).as_bytes());
            });
        }
        texts.pad();
        texts
    }
}

/// Where a name with arguments stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// It is the predicate of an atom.
    Atom,
    /// It is a function in a term.
    Term,
}

/// How constants, functions and predicates are written.
pub(crate) trait Notation {
    /// A constant.
    fn constant(name: &str, out: &mut Vec<u8>);

    /// What stands before the first argument.
    fn open(name: &str, arity: usize, place: Place, out: &mut Vec<u8>);

    /// What stands between two arguments.
    const SEPARATOR: &'static str;

    /// What stands after the last argument.
    fn close(name: &str, arity: usize, place: Place, out: &mut Vec<u8>);
}

/// The texts of all atoms of a game, each after the same prefix.
pub(super) fn atoms<N: Notation>(game: &GroundGame, prefix: &str) -> Texts {
    let symbols = game.symbols();
    let mut constants = Texts::with_capacity(symbols.len());
    for (_, name) in symbols.iter() {
        constants.add(|out| N::constant(name, out));
    }
    constants.pad();
    let patterns: Vec<Texts> =
        game.shapes().map(|shape| pattern::<N>(game, shape, prefix)).collect();
    let mut texts = Texts {
        bytes: Vec::with_capacity(TYPICAL_ATOM * game.atom_count()),
        ends: Vec::with_capacity(game.atom_count()),
    };
    for (space, values) in game.atom_rows() {
        let pattern = &patterns[space];
        texts.add(|out| {
            pattern.append(0, 0, out);
            for (hole, &value) in values.iter().enumerate() {
                constants.append(value as usize, 0, out);
                pattern.append(hole + 1, 0, out);
            }
        });
    }
    texts.pad();
    texts
}

/// A term without variables, as the argument of a fact.
pub(super) fn term<N: Notation>(
    game: &GroundGame,
    term: &crate::description::Term,
    out: &mut Vec<u8>,
) {
    use crate::description::Term;
    match term {
        Term::Variable(name) | Term::Constant(name) => {
            N::constant(game.symbols().name(*name), out);
        }
        Term::Compound(compound) => {
            let name = game.symbols().name(compound.functor);
            let arity = compound.arguments.len();
            N::open(name, arity, Place::Term, out);
            for (position, argument) in compound.arguments.iter().enumerate() {
                if position > 0 {
                    out.extend_from_slice(N::SEPARATOR.as_bytes());
                }
                self::term::<N>(game, argument, out);
            }
            N::close(name, arity, Place::Term, out);
        }
    }
}

/// What stands before, between and after the constants of the atoms of a shape.
fn pattern<N: Notation>(game: &GroundGame, shape: &AtomShape, prefix: &str) -> Texts {
    let mut pattern = Pattern { game, done: Texts::default(), piece: prefix.as_bytes().to_vec() };
    pattern.application::<N>(shape.predicate, &shape.arguments, Place::Atom);
    pattern.end_piece();
    pattern.done.pad();
    pattern.done
}

struct Pattern<'game> {
    game: &'game GroundGame,
    done: Texts,
    piece: Vec<u8>,
}

impl Pattern<'_> {
    fn end_piece(&mut self) {
        let piece = std::mem::take(&mut self.piece);
        self.done.add(|out| out.extend_from_slice(&piece));
    }

    fn application<N: Notation>(&mut self, name: Symbol, arguments: &[TermShape], place: Place) {
        let name = self.game.symbols().name(name);
        N::open(name, arguments.len(), place, &mut self.piece);
        for (position, argument) in arguments.iter().enumerate() {
            if position > 0 {
                self.piece.extend_from_slice(N::SEPARATOR.as_bytes());
            }
            match argument {
                TermShape::Constant => self.end_piece(),
                TermShape::Function(functor, arguments) => {
                    self.application::<N>(*functor, arguments, Place::Term);
                }
            }
        }
        N::close(name, arguments.len(), place, &mut self.piece);
    }
}
