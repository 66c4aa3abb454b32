//! The ASP intermediate format (aspif 1.0.0): the program of [`super::asp`] as a grounder hands it to a
//! solver. Atom n of the game is atom n + 1 here.

use std::io::{self, Write};

use groundfrog_engine::instantiate::{AtomSet, GroundLiteral, GroundRule};

use super::asp::{self, Asp};
use super::chunks::Chunks;
use super::texts::{AtomTexts, WORD, in_a_word, put_word};
use crate::game::{AtomId, GroundGame};

/// Writes the program.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    let numbers = Numbers::new(game.atom_count());
    let mut chunks = Chunks::new(out);
    chunks.push(b"asp 1 0 0\n");
    write_rules(game, &numbers, &mut chunks)?;
    write_symbols(game, &numbers, &mut chunks)?;
    for atom in game.fluents().chain(game.inputs()) {
        // An external atom, false unless stated otherwise.
        let out = chunks.buffer();
        out.push(b'5');
        numbers.append(atom, out);
        out.extend_from_slice(b" 2\n");
        chunks.may_flush()?;
    }
    chunks.push(b"0\n");
    chunks.finish()
}

/// Appends a number.
fn number(number: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Bytes that a literal takes at most, and those behind it that may be written over.
const ROOM: usize = 2 + WORD;

/// The numbers of atoms as text.
struct Numbers(Vec<u128>);

impl Numbers {
    /// Those of so many atoms.
    fn new(atoms: usize) -> Self {
        let mut digits = itoa::Buffer::new();
        Numbers((1..=atoms).map(|atom| in_a_word(digits.format(atom).as_bytes())).collect())
    }

    /// Puts a space and a literal into memory from a position on, where there has to be [`ROOM`]. Returns where it ends.
    #[inline]
    fn put(&self, literal: GroundLiteral, room: &mut [u8], at: usize) -> usize {
        room[at..at + 2].copy_from_slice(b" -");
        let at = at + 1 + usize::from(literal.is_negated());
        put_word(self.0[literal.atom() as usize], room, at)
    }

    /// Appends a space and the number of an atom.
    fn append(&self, atom: AtomId, out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + ROOM, 0);
        let end = self.put(GroundLiteral::new(atom.0, false), out, start);
        out.truncate(end);
    }
}

/// Rules: a disjunction of one atom, a normal body.
fn write_rules(game: &GroundGame, numbers: &Numbers, chunks: &mut Chunks<'_>) -> io::Result<()> {
    let most = |rule: &GroundRule<'_>| (rule.body.len() + 4) * ROOM;
    chunks.for_each(game.rules().iter(), most, |rule, room, start| {
        let mut end = put_word(const { in_a_word(b"1 0 1") }, room, start);
        end = numbers.put(GroundLiteral::new(rule.head, false), room, end);
        end = put_word(const { in_a_word(b" 0 ") }, room, end);
        end = match rule.body.len() {
            length @ 0..10 => {
                room[end] = b'0' + length as u8;
                end + 1
            }
            length => put_word(in_a_word(itoa::Buffer::new().format(length).as_bytes()), room, end),
        };
        for literal in rule.body {
            end = numbers.put(*literal, room, end);
        }
        room[end] = b'\n';
        end + 1
    })
}

/// The symbol table: facts, then every atom that can hold.
fn write_symbols(game: &GroundGame, numbers: &Numbers, chunks: &mut Chunks<'_>) -> io::Result<()> {
    let atoms = AtomTexts::new::<Asp>(game, "");
    let append = |atom: AtomId, out: &mut Vec<u8>| {
        let (shape, values) = game.row(atom);
        atoms.append(shape, values, out);
    };
    asp::for_each_fact(game, append, |name, arguments| {
        let out = chunks.buffer();
        out.extend_from_slice(b"4 ");
        number(name.len() + arguments.len(), out);
        out.push(b' ');
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
    let mut text = Vec::new();
    for ((shape, values), atom) in symbols {
        text.clear();
        atoms.append(shape, values, &mut text);
        let out = chunks.buffer();
        out.extend_from_slice(b"4 ");
        number(text.len(), out);
        out.push(b' ');
        out.extend_from_slice(&text);
        out.extend_from_slice(b" 1");
        numbers.append(atom, out);
        out.push(b'\n');
        chunks.may_flush()?;
    }
    Ok(())
}
