//! The ASP intermediate format (aspif 1.0.0): the program of [`super::asp`] as a grounder hands it to a
//! solver. Atom n of the game is atom n + 1 here.

use std::io::{self, Write};

use groundfrog_engine::instantiate::AtomSet;

use super::asp::{self, names::Asp};
use super::chunks::Chunks;
use super::decimals::Decimals;
use super::texts::Atoms;
use crate::game::{AtomId, GroundGame};

/// Writes the program.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    let numbers = Decimals::new(game.atom_count(), 2 * game.atom_count() + 1);
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
    for rule in game.rules().iter() {
        let line = chunks.buffer();
        numbers.append(*b"1 0 1 ", rule.head + 1, line);
        numbers.append(*b" 0 ", rule.body.len() as u32, line);
        for literal in rule.body {
            numbers.append_signed(literal.is_negated(), literal.atom() + 1, line);
        }
        line.push(b'\n');
        chunks.may_flush()?;
    }
    Ok(())
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
    let mut text = Vec::new();
    for ((shape, values), atom) in game.atom_rows().zip((0..).map(AtomId)) {
        if !game.is_open(atom) && !heads.contains(atom.0) {
            continue;
        }
        text.clear();
        atoms.append(shape, values, &mut text);
        chunks.push(b"4 ");
        chunks.push(digits.format(text.len()).as_bytes());
        chunks.push(b" ");
        chunks.push(&text);
        numbers.append(*b" 1 ", atom.0 + 1, chunks.buffer());
        chunks.push(b"\n");
        chunks.may_flush()?;
    }
    Ok(())
}
