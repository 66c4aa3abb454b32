//! The ASP intermediate format (aspif 1.0.0): the program of [`super::asp`] as a grounder hands it to a
//! solver. Atom n of the game is atom n + 1 here.

use std::io::{self, Write};

use groundfrog_engine::instantiate::AtomSet;

use super::asp::{self, names::Asp};
use super::chunks::Chunks;
use super::texts::{AtomTexts, Texts};
use crate::game::{AtomId, GroundGame};

/// Writes the program.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    let numbers = numbers(game.atom_count());
    let mut chunks = Chunks::new(out);
    chunks.push(b"asp 1 0 0\n");
    write_rules(game, &numbers, &mut chunks)?;
    write_symbols(game, &numbers, &mut chunks)?;
    for atom in game.fluents().chain(game.inputs()) {
        // An external atom, false unless stated otherwise.
        let out = chunks.buffer();
        out.push(b'5');
        numbers.append(atom.0 as usize, 0, out);
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

/// The numbers of so many atoms, each after a space.
fn numbers(atoms: usize) -> Texts {
    let mut texts = Texts::with_capacity(atoms);
    for atom in 1..=atoms {
        texts.add(|out| {
            out.push(b' ');
            number(atom, out);
        });
    }
    texts.pad();
    texts
}

/// Rules: a disjunction of one atom, a normal body.
fn write_rules(game: &GroundGame, numbers: &Texts, chunks: &mut Chunks<'_>) -> io::Result<()> {
    for rule in game.rules().iter() {
        let out = chunks.buffer();
        out.extend_from_slice(b"1 0 1");
        numbers.append(rule.head as usize, 0, out);
        out.extend_from_slice(b" 0 ");
        number(rule.body.len(), out);
        for literal in rule.body {
            let skipped = usize::from(literal.is_negated());
            if literal.is_negated() {
                out.extend_from_slice(b" -");
            }
            numbers.append(literal.atom() as usize, skipped, out);
        }
        out.push(b'\n');
        chunks.may_flush()?;
    }
    Ok(())
}

/// The symbol table: facts, then every atom that can hold.
fn write_symbols(game: &GroundGame, numbers: &Texts, chunks: &mut Chunks<'_>) -> io::Result<()> {
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
        numbers.append(atom.0 as usize, 0, out);
        out.push(b'\n');
        chunks.may_flush()?;
    }
    Ok(())
}
