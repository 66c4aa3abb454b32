//! The text of every atom, rendered once and shared by all the rules that mention it.

use groundfrog_engine::Constants;

use crate::game::{GroundGame, TermShape};
use crate::symbols::Symbol;

/// Byte strings, one after the other in a single buffer.
#[derive(Clone, Debug)]
pub(crate) struct Texts {
    bytes: Vec<u8>,
    /// By text: where it begins; at last, where the last one ends.
    bounds: Vec<usize>,
}

/// How many bytes a text has, more or less.
const TYPICAL: usize = 16;
/// Bytes that the text of an atom typically has.
const TYPICAL_ATOM: usize = 28;
/// Texts up to this length are copied together with what stands behind them, which is then cut off: that is
/// much faster than copying so many bytes and no more.
const SHORT: usize = 32;

impl Texts {
    pub(super) fn with_capacity(texts: usize) -> Self {
        Self::with_room(texts, TYPICAL)
    }

    /// Room for so many texts of so many bytes.
    fn with_room(texts: usize, length: usize) -> Self {
        let mut bounds = Vec::with_capacity(texts + 1);
        bounds.push(0);
        Texts { bytes: Vec::with_capacity(length * texts + SHORT), bounds }
    }

    /// The number of texts.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Adds the text that `write` appends to the buffer.
    pub(super) fn add(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.bounds.push(self.bytes.len());
    }

    /// Makes room behind the last text, so that short ones can be copied the fast way.
    pub(super) fn pad(&mut self) {
        self.bytes.resize(self.bytes.len() + SHORT, 0);
    }

    #[inline]
    pub(crate) fn get(&self, number: usize) -> &[u8] {
        let (start, end) = self.place(number);
        &self.bytes[start..end]
    }

    #[inline]
    fn place(&self, number: usize) -> (usize, usize) {
        let bounds = &self.bounds[number..][..2];
        (bounds[0], bounds[1])
    }

    /// Appends a text without its first bytes.
    #[inline]
    pub(super) fn append(&self, number: usize, skip: usize, out: &mut Vec<u8>) {
        let (start, end) = self.place(number);
        let start = start + skip;
        match self.bytes[start..].first_chunk::<SHORT>() {
            Some(piece) if end - start <= SHORT => {
                let length = out.len() + end - start;
                out.extend_from_slice(piece);
                out.truncate(length);
            }
            _ => out.extend_from_slice(&self.bytes[start..end]),
        }
    }

    /// Puts a text without its first bytes into memory from a position on, where there has to be room for [`SHORT`]
    /// bytes behind it. Returns where it ends.
    #[inline]
    fn put(&self, number: usize, skip: usize, room: &mut [u8], at: usize) -> usize {
        let (start, end) = self.place(number);
        let start = start + skip;
        match self.bytes[start..].first_chunk::<SHORT>() {
            Some(piece) if end - start <= SHORT => {
                room[at..at + SHORT].copy_from_slice(piece);
            }
            _ => room[at..at + end - start].copy_from_slice(&self.bytes[start..end]),
        }
        at + end - start
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
    fn close(_name: &str, arity: usize, place: Place, out: &mut Vec<u8>) {
        if arity > 0 || place == Place::Term {
            out.push(b')');
        }
    }
}

/// Writes the atoms of a game, each after the same prefix.
pub(super) struct AtomTexts {
    /// Most constants stand behind a separator, so that the two are written at once.
    constants: Texts,
    /// By constant: the text again if it is short, from the lowest byte on, and in the highest its length; else 0.
    short: Vec<u128>,
    separator: usize,
    patterns: Patterns,
    /// By shape: how many bytes an atom has at most, and those behind it that may be written over.
    room: Vec<usize>,
}

impl AtomTexts {
    pub(super) fn new<N: Notation>(game: &GroundGame, prefix: &str) -> Self {
        let symbols = game.symbols();
        let mut constants = Texts::with_capacity(symbols.len());
        for (_, name) in symbols.iter() {
            constants.add(|out| {
                out.extend_from_slice(N::SEPARATOR.as_bytes());
                N::constant(name, out);
            });
        }
        constants.pad();
        let short = (0..constants.len()).map(|it| in_a_word(constants.get(it))).collect();
        let patterns = Patterns::new::<N>(game, prefix);
        let longest = (0..constants.len()).map(|it| constants.get(it).len()).max().unwrap_or(0);
        let room = patterns.lengths().map(|(holes, length)| holes * longest + length + SHORT);
        let room = room.collect();
        AtomTexts { constants, short, separator: N::SEPARATOR.len(), patterns, room }
    }

    /// Appends an atom of a shape with these constants.
    #[inline]
    pub(super) fn append(&self, shape: usize, constants: Constants<'_>, out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + self.room[shape], 0);
        let end = match constants {
            Constants::Wide(values) => self.put_values(shape, values, out, start),
            Constants::Narrow(values) => self.put_values(shape, values, out, start),
        };
        out.truncate(end);
    }

    /// Puts an atom of a shape with these constants into memory from a position on. Returns where it ends.
    #[inline]
    fn put_values<V: Copy + Into<u32>>(
        &self,
        shape: usize,
        values: &[V],
        room: &mut [u8],
        start: usize,
    ) -> usize {
        let mut end = start;
        let Patterns { pieces, is_separator, first } = &self.patterns;
        let mut last = first[shape];
        for (piece, &value) in (last..).zip(values) {
            last = piece + 1;
            let value = value.into() as usize;
            let is_separator = is_separator[piece];
            if is_separator && self.short[value] != 0 {
                let text = self.short[value];
                end = put_word(text, room, end);
                continue;
            }
            if !is_separator {
                end = pieces.put(piece, 0, room, end);
            }
            let skipped = if is_separator { 0 } else { self.separator };
            end = self.constants.put(value, skipped, room, end);
        }
        pieces.put(last, 0, room, end)
    }
}

/// Where a text in a word has its length.
const LENGTH: u32 = 120;

/// Bytes of a text in a word.
pub(super) const WORD: usize = 16;

/// A text of at most 15 bytes, from the lowest byte on, with its length in the highest; 0 if it is longer.
pub(super) const fn in_a_word(text: &[u8]) -> u128 {
    let mut bytes = [0; WORD];
    if text.len() >= WORD {
        return 0;
    }
    bytes.split_at_mut(text.len()).0.copy_from_slice(text);
    bytes[WORD - 1] = text.len() as u8;
    u128::from_le_bytes(bytes)
}

/// Puts a text in a word into memory from a position on, where there has to be room for [`WORD`] bytes. Returns where it ends.
#[inline]
pub(super) fn put_word(text: u128, room: &mut [u8], at: usize) -> usize {
    room[at..at + WORD].copy_from_slice(&text.to_le_bytes());
    at + (text >> LENGTH) as usize
}

/// The texts of all atoms of a game, each after the same prefix.
pub(super) fn atoms<N: Notation>(game: &GroundGame, prefix: &str) -> Texts {
    first_atoms(game, &AtomTexts::new::<N>(game, prefix), usize::MAX, 0)
}

/// The texts of so many atoms, and of more as long as they have fewer bytes than these.
pub(super) fn first_atoms(
    game: &GroundGame,
    atoms: &AtomTexts,
    count: usize,
    bytes: usize,
) -> Texts {
    let mut texts = Texts::with_room(game.atom_count(), TYPICAL_ATOM);
    // The rows of the spaces are chained: that is faster if the chain goes through them itself.
    let _ = game.atom_rows().try_for_each(|(shape, values)| {
        let is_wanted = texts.bytes.len() < bytes || texts.len() < count;
        is_wanted.then(|| texts.add(|out| atoms.append(shape, values, out)))
    });
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

/// What stands before, between and after the constants of the atoms of each shape.
struct Patterns {
    pieces: Texts,
    /// By piece: whether it is nothing but what separates two arguments.
    is_separator: Vec<bool>,
    /// By shape: the first of its pieces, of which there is one more than constants.
    first: Vec<usize>,
}

impl Patterns {
    fn new<N: Notation>(game: &GroundGame, prefix: &str) -> Self {
        let pieces = Texts::with_capacity(4 * game.shapes().len());
        let (is_separator, first) = (Vec::new(), Vec::with_capacity(game.shapes().len()));
        let mut patterns = Patterns { pieces, is_separator, first };
        for shape in game.shapes() {
            patterns.first.push(patterns.pieces.len());
            patterns.pieces.bytes.extend_from_slice(prefix.as_bytes());
            patterns.application::<N>(game, shape.predicate, &shape.arguments, Place::Atom);
            patterns.end_piece::<N>();
        }
        patterns.pieces.pad();
        patterns
    }

    /// By shape: how many constants it has, and how many bytes without them.
    fn lengths(&self) -> impl Iterator<Item = (usize, usize)> {
        let ends = self.first.iter().skip(1).copied().chain([self.pieces.len()]);
        self.first.iter().zip(ends).map(|(&first, end)| {
            let bounds = &self.pieces.bounds;
            (end - first - 1, bounds[end] - bounds[first])
        })
    }

    fn end_piece<N: Notation>(&mut self) {
        self.pieces.add(|_| {});
        let piece = self.pieces.get(self.pieces.len() - 1);
        self.is_separator.push(piece == N::SEPARATOR.as_bytes());
    }

    fn application<N: Notation>(
        &mut self,
        game: &GroundGame,
        name: Symbol,
        arguments: &[TermShape],
        place: Place,
    ) {
        let name = game.symbols().name(name);
        N::open(name, arguments.len(), place, &mut self.pieces.bytes);
        for (position, argument) in arguments.iter().enumerate() {
            if position > 0 {
                self.pieces.bytes.extend_from_slice(N::SEPARATOR.as_bytes());
            }
            match argument {
                TermShape::Constant => self.end_piece::<N>(),
                TermShape::Function(functor, arguments) => {
                    self.application::<N>(game, *functor, arguments, Place::Term);
                }
            }
        }
        N::close(name, arguments.len(), place, &mut self.pieces.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_fit_into_a_word_with_their_length() {
        for length in [1, 7, 15] {
            let text = &b" abcdefghijklmnop"[..length];
            let word = in_a_word(text);
            assert_eq!((word >> LENGTH) as usize, length);
            assert_eq!(word.to_le_bytes()[..length], *text);
        }
        assert_eq!(in_a_word(b" abcdefghijklmno"), 0);
    }
}
