//! The ASP intermediate format (aspif 1.0.0): the program of [`super::asp`] as a grounder hands it to a
//! solver. Atom n of the game is atom n + 1 here.

use std::io::{self, Write};

use groundfrog_engine::instantiate::{AtomSet, GroundLiteral, GroundRule};

use super::asp::{self, names::Asp};
use super::chunks::Chunks;
use super::decimals::{Decimals, ROOM};
use super::texts::Atoms;
use crate::game::{AtomId, GroundGame};

/// Writes the program.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    let numbers = Decimals::new(usize::MAX, 2 * game.atom_count() + 1);
    let mut chunks = Chunks::new(out);
    chunks.push(b"asp 1 0 0\n");
    write_rules(game, &numbers, &mut chunks)?;
    write_symbols(game, &numbers, &mut chunks)?;
    for atom in game.fluents().chain(game.inputs()) {
        // An external atom, false unless stated otherwise.
        numbers.append(*b"5 ", atom.0 + 1, chunks.buffer());
        chunks.push(b" 2\n");
        chunks.may_flush()?;
    }
    chunks.push(b"0\n");
    chunks.finish()
}

/// Rules: a disjunction of one atom, a normal body.
fn write_rules(game: &GroundGame, numbers: &Decimals, chunks: &mut Chunks<'_>) -> io::Result<()> {
    let most = |rule: &GroundRule<'_>| (rule.body.len() + 3) * ROOM;
    let rules = game.rules().iter();
    if let Some(literals) = LiteralTexts::new(game.atom_count(), numbers) {
        return chunks.for_each(rules, most, |rule, room, start| {
            let mut end = put_word(word(b"1 0 1"), room, start);
            end = literals.put(GroundLiteral::new(rule.head, false), room, end);
            end = match rule.body.len() {
                length @ 0..10 => put_word(word(b" 0 0") + ((length as u64) << 24), room, end),
                length => numbers.put(*b" 0 ", length as u32, room, end),
            };
            for literal in rule.body {
                end = literals.put(*literal, room, end);
            }
            room[end] = b'\n';
            end + 1
        });
    }
    chunks.for_each(rules, most, |rule, room, start| {
        let mut end = numbers.put(*b"1 0 1 ", rule.head + 1, room, start);
        end = numbers.put(*b" 0 ", rule.body.len() as u32, room, end);
        for literal in rule.body {
            end = numbers.put_signed(literal.is_negated(), literal.atom() + 1, room, end);
        }
        room[end] = b'\n';
        end + 1
    })
}

/// The literals of this many atoms are kept as text, each in a word. Those of more would not fit into the caches.
const MOST_TEXTS: usize = 1 << 15;
/// Where the word of a text has its length.
const LENGTH: u32 = 56;

/// By literal: a space, and its number, as a [`word`].
struct LiteralTexts(Vec<u64>);

impl LiteralTexts {
    /// The texts of the literals of so many atoms, unless they are too many.
    fn new(atoms: usize, numbers: &Decimals) -> Option<Self> {
        if atoms > MOST_TEXTS {
            return None;
        }
        let mut room = [0; ROOM];
        let mut text = |is_negated, number| {
            let end = numbers.put_signed(is_negated, number, &mut room, 0);
            word(&room[..end])
        };
        let both = |number| [text(false, number), text(true, number)];
        Some(LiteralTexts((1..=atoms as u32).flat_map(both).collect()))
    }

    #[inline]
    fn put(&self, literal: GroundLiteral, room: &mut [u8], start: usize) -> usize {
        put_word(self.0[literal.code() as usize], room, start)
    }
}

/// A text of at most seven bytes, from the lowest byte on, and in the highest its length.
const fn word(text: &[u8]) -> u64 {
    let mut word = (text.len() as u64) << LENGTH;
    let mut position = 0;
    while position < text.len() {
        word |= (text[position] as u64) << (8 * position);
        position += 1;
    }
    word
}

/// Puts the text of a word into memory from a position on. Returns where it ends.
#[inline]
fn put_word(word: u64, room: &mut [u8], start: usize) -> usize {
    room[start..start + 8].copy_from_slice(&word.to_le_bytes());
    start + (word >> LENGTH) as usize
}

/// The symbol table: facts, then every atom that can hold.
fn write_symbols(game: &GroundGame, numbers: &Decimals, chunks: &mut Chunks<'_>) -> io::Result<()> {
    let atoms = Atoms::new::<Asp>(game, "");
    let mut digits = itoa::Buffer::new();
    let append = |atom: AtomId, out: &mut Vec<u8>| {
        let (shape, values) = game.row(atom);
        atoms.append(shape, values, out);
    };
    asp::for_each_fact(game, append, |name, arguments| {
        chunks.push(b"4 ");
        chunks.push(digits.format(name.len() + arguments.len()).as_bytes());
        chunks.push(b" ");
        chunks.push(name.as_bytes());
        chunks.push(arguments);
        chunks.push(b" 0\n");
        chunks.may_flush()
    })?;
    let mut heads = AtomSet::default();
    game.rules().heads().iter().for_each(|&head| heads.insert(head));
    for ((shape, values), atom) in game.atom_rows().zip((0..).map(AtomId)) {
        if !game.is_open(atom) && !heads.contains(atom.0) {
            continue;
        }
        let line = chunks.buffer();
        line.extend_from_slice(b"4 ");
        with_length(line, |line| atoms.append(shape, values, line));
        numbers.append(*b" 1 ", atom.0 + 1, line);
        chunks.push(b"\n");
        chunks.may_flush()?;
    }
    Ok(())
}

/// Appends a text with its length before it.
#[inline]
fn with_length(line: &mut Vec<u8>, append: impl FnOnce(&mut Vec<u8>)) {
    // Nearly all lengths have two digits.
    line.extend_from_slice(b"00 ");
    let start = line.len();
    append(line);
    let length = line.len() - start;
    if let 10..100 = length {
        line[start - 3] += (length / 10) as u8;
        line[start - 2] += (length % 10) as u8;
    } else {
        line.splice(start - 3..start - 1, length.to_string().into_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_any_number_of_digits_stand_before_texts() {
        for length in [0, 1, 9, 10, 42, 99, 100, 101, 12_345] {
            let mut line = b"4 ".to_vec();
            with_length(&mut line, |line| line.resize(line.len() + length, b'a'));
            assert_eq!(line, format!("4 {length} {}", "a".repeat(length)).into_bytes());
        }
    }
}
