//! The ASP intermediate format (aspif 1.0.0): the program of [`super::asp`] as a grounder hands it to a
//! solver. Atom n of the game is atom n + 1 here.

mod literals;

use std::io::{self, Write};

use groundfrog_engine::instantiate::{AtomSet, GroundLiteral, GroundRule};

use super::asp::{self, names::Asp};
use super::chunks::Chunks;
use super::decimals::{Decimals, ROOM};
use super::texts::Atoms;
use crate::game::{AtomId, GroundGame};
use literals::{LiteralTexts, put_word, word};

/// Writes the program.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    let numbers = Decimals::new(usize::MAX, game.atom_count());
    let mut chunks = Chunks::new(out);
    chunks.push(b"asp 1 0 0\n");
    let literals = LiteralTexts::new(game.atom_count(), &numbers);
    write_rules(game, &literals, &numbers, &mut chunks)?;
    write_symbols(game, &literals, &mut chunks)?;
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
fn write_rules(
    game: &GroundGame,
    literals: &LiteralTexts<'_>,
    numbers: &Decimals,
    chunks: &mut Chunks<'_>,
) -> io::Result<()> {
    let most = |rule: &GroundRule<'_>| (rule.body.len() + 3) * ROOM;
    chunks.for_each(game.rules().iter(), most, |rule, room, start| {
        let mut end = put_word(word(b"1 0 1"), room, start);
        end = literals.put(GroundLiteral::new(rule.head, false), room, end);
        end = match rule.body.len() as u64 {
            length @ 0..10 => put_word(word(b" 0 0") + (length << 24), room, end),
            length => numbers.put(*b" 0 ", length as u32, room, end),
        };
        for literal in rule.body {
            end = literals.put(*literal, room, end);
        }
        room[end] = b'\n';
        end + 1
    })
}

/// The symbol table: facts, then every atom that can hold.
fn write_symbols(
    game: &GroundGame,
    literals: &LiteralTexts<'_>,
    chunks: &mut Chunks<'_>,
) -> io::Result<()> {
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
    let symbols = game
        .atom_rows()
        .zip((0..).map(AtomId))
        .filter(|&(_, atom)| game.is_open(atom) || heads.contains(atom.0));
    let most = |((shape, _), _): &((usize, _), _)| atoms.room(*shape) + 3 * ROOM;
    chunks.for_each(symbols, most, |((shape, values), atom), room, start| {
        let mut end = put_word(word(b"4 "), room, start);
        end = put_with_length(room, end, |room, start| atoms.put(shape, values, room, start));
        end = put_word(word(b" 1"), room, end);
        end = literals.put(GroundLiteral::new(atom.0, false), room, end);
        room[end] = b'\n';
        end + 1
    })
}

/// Puts a text with its length before it into memory from a position on. Returns where it ends.
#[inline]
fn put_with_length(
    room: &mut [u8],
    start: usize,
    put: impl FnOnce(&mut [u8], usize) -> usize,
) -> usize {
    // Nearly all lengths have two digits.
    let begin = start + 3;
    let end = put(room, begin);
    let length = end - begin;
    if let 10..100 = length {
        let digits = [(length / 10) as u8, (length % 10) as u8].map(|digit| b'0' + digit);
        room[start..begin].copy_from_slice(&[digits[0], digits[1], b' ']);
        return end;
    }
    let front = format!("{length} ");
    room.copy_within(begin..end, start + front.len());
    room[start..start + front.len()].copy_from_slice(front.as_bytes());
    start + front.len() + length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_any_number_of_digits_stand_before_texts() {
        for length in [0, 1, 9, 10, 42, 99, 100, 101, 12_345] {
            let mut room = vec![b'x'; length + 20];
            let text = |room: &mut [u8], start| {
                room[start..start + length].fill(b'a');
                start + length
            };
            let end = put_with_length(&mut room, 2, text);
            assert_eq!(room[2..end], *format!("{length} {}", "a".repeat(length)).as_bytes());
        }
    }
}
