//! The ASP intermediate format (aspif 1.0.0): the program of [`super::asp`] as a grounder hands it to a
//! solver. Atom n of the game is atom n + 1 here.

use std::io::{self, Write};

use groundfrog_engine::instantiate::{AtomSet, GroundLiteral};

use super::asp::{self, names::Asp};
use super::chunks::Chunks;
use super::texts::AtomTexts;
use crate::game::{AtomId, GroundGame};

/// Writes the program.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    let mut chunks = Chunks::new(out);
    chunks.push(b"asp 1 0 0\n");
    write_rules(game, &mut chunks)?;
    write_symbols(game, &mut chunks)?;
    for atom in game.fluents().chain(game.inputs()) {
        // An external atom, false unless stated otherwise.
        let out = chunks.buffer();
        out.extend_from_slice(b"5 ");
        number(atom_number(atom.0), out);
        out.extend_from_slice(b" 2\n");
        chunks.may_flush()?;
    }
    chunks.push(b"0\n");
    chunks.finish()
}

/// Appends a number.
fn number(number: i64, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// The number of an atom here.
fn atom_number(atom: u32) -> i64 {
    i64::from(atom) + 1
}

/// Appends a space and a literal: the number of its atom, negated for a negation.
fn literal(literal: GroundLiteral, out: &mut Vec<u8>) {
    let atom = atom_number(literal.atom());
    out.push(b' ');
    number(if literal.is_negated() { -atom } else { atom }, out);
}

/// Rules: a disjunction of one atom, a normal body.
fn write_rules(game: &GroundGame, chunks: &mut Chunks<'_>) -> io::Result<()> {
    for rule in game.rules().iter() {
        let out = chunks.buffer();
        out.extend_from_slice(b"1 0 1 ");
        number(atom_number(rule.head), out);
        out.extend_from_slice(b" 0 ");
        number(rule.body.len() as i64, out);
        rule.body.iter().for_each(|&it| literal(it, out));
        out.push(b'\n');
        chunks.may_flush()?;
    }
    Ok(())
}

/// The symbol table: facts, then every atom that can hold.
fn write_symbols(game: &GroundGame, chunks: &mut Chunks<'_>) -> io::Result<()> {
    let atoms = AtomTexts::new::<Asp>(game, "");
    let append = |atom: AtomId, out: &mut Vec<u8>| {
        let (shape, values) = game.row(atom);
        atoms.append(shape, values, out);
    };
    asp::for_each_fact(game, append, |name, arguments| {
        let out = chunks.buffer();
        out.extend_from_slice(b"4 ");
        number((name.len() + arguments.len()) as i64, out);
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
        number(text.len() as i64, out);
        out.push(b' ');
        out.extend_from_slice(&text);
        out.extend_from_slice(b" 1 ");
        number(atom_number(atom.0), out);
        out.push(b'\n');
        chunks.may_flush()?;
    }
    Ok(())
}
