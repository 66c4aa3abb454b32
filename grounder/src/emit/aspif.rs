//! The ASP intermediate format (aspif 1.0.0): the program of [`super::asp`] as a grounder hands it to a
//! solver. Atom n of the game is atom n + 1 here.

use std::io::{self, Write};

use super::asp;
use super::chunks::Chunks;
use super::texts::Texts;
use crate::game::{AtomId, GroundGame, RulesByHead};

/// Writes the program.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    let numbers = Texts::numbers(" -", (0..game.atom_count()).map(|atom| atom as u64 + 1));
    let mut chunks = Chunks::new(out);
    chunks.push(b"asp 1 0 0\n");
    write_rules(game, &numbers, &mut chunks)?;
    write_symbols(game, &numbers, &mut chunks)?;
    for atom in game.fluents().chain(game.inputs()) {
        // An external atom, false unless stated otherwise.
        chunks.push(b"5");
        push_positive(&numbers, atom.index(), &mut chunks);
        chunks.push(b" 2\n");
        chunks.may_flush()?;
    }
    chunks.push(b"0\n");
    chunks.finish()
}

/// The number's text is ` -n`: writes ` n`.
#[inline]
fn push_positive(numbers: &Texts, number: usize, chunks: &mut Chunks<'_>) {
    chunks.push(b" ");
    numbers.append(number, 2, chunks.buffer());
}

/// Rules: a disjunction of one atom, a normal body.
fn write_rules(game: &GroundGame, numbers: &Texts, chunks: &mut Chunks<'_>) -> io::Result<()> {
    let mut digits = itoa::Buffer::new();
    for rule in game.rules().iter() {
        chunks.push(b"1 0 1");
        push_positive(numbers, rule.head as usize, chunks);
        chunks.push(b" 0 ");
        chunks.push(digits.format(rule.body.len()).as_bytes());
        for literal in rule.body {
            let atom = literal.atom() as usize;
            if literal.is_negated() {
                numbers.append(atom, 0, chunks.buffer());
            } else {
                push_positive(numbers, atom, chunks);
            }
        }
        chunks.push(b"\n");
        chunks.may_flush()?;
    }
    Ok(())
}

/// The symbol table: facts, then every atom that can hold.
fn write_symbols(game: &GroundGame, numbers: &Texts, chunks: &mut Chunks<'_>) -> io::Result<()> {
    let mut digits = itoa::Buffer::new();
    let texts = asp::atom_texts(game);
    asp::for_each_fact(game, &texts, |name, arguments| {
        chunks.push(b"4 ");
        chunks.push(digits.format(name.len() + arguments.len()).as_bytes());
        chunks.push(b" ");
        chunks.push(name.as_bytes());
        chunks.push(arguments);
        chunks.push(b" 0\n");
        chunks.may_flush()
    })?;
    let by_head = RulesByHead::new(game);
    for atom in (0..game.atom_count() as u32).map(AtomId) {
        if !game.is_open(atom) && !by_head.has_rules(atom) {
            continue;
        }
        let text = texts.get(atom.index());
        chunks.push(b"4 ");
        chunks.push(digits.format(text.len()).as_bytes());
        chunks.push(b" ");
        texts.append(atom.index(), 0, chunks.buffer());
        chunks.push(b" 1");
        push_positive(numbers, atom.index(), chunks);
        chunks.push(b"\n");
        chunks.may_flush()?;
    }
    Ok(())
}
