//! KIF: a variable-free game description that any player can read.

use std::io::{self, Write};

use super::chunks::Chunks;
use super::texts::{self, Notation, Place, Texts};
use crate::game::{GroundGame, GroundLiteral};

/// The notation of KIF.
pub(super) enum Kif {}

impl Notation for Kif {
    fn constant(name: &str, out: &mut Vec<u8>) {
        out.extend_from_slice(name.as_bytes());
    }

    fn open(name: &str, arity: usize, place: Place, out: &mut Vec<u8>) {
        if arity > 0 || place == Place::Term {
            out.push(b'(');
        }
        out.extend_from_slice(name.as_bytes());
        if arity > 0 {
            out.push(b' ');
        }
    }

    const SEPARATOR: &'static str = " ";

    fn close(_: &str, arity: usize, place: Place, out: &mut Vec<u8>) {
        if arity > 0 || place == Place::Term {
            out.push(b')');
        }
    }
}

/// The texts of the atoms, each after a space, as they stand in rules.
pub(super) fn atom_texts(game: &GroundGame) -> Texts {
    texts::atoms::<Kif>(game, " ")
}

/// The fluent of a ` (true f)`.
pub(super) fn fluent(atom: &[u8]) -> &[u8] {
    &atom[" (true ".len()..atom.len() - 1]
}

/// The role and the move of a ` (does r m)`.
pub(super) fn role_and_move(atom: &[u8]) -> &[u8] {
    &atom[" (does ".len()..atom.len() - 1]
}

/// The facts about roles, the initial state, base and input.
pub fn facts(game: &GroundGame) -> impl Iterator<Item = String> {
    let mut text = Vec::new();
    let mut chunks = Chunks::new(&mut text);
    write_facts(game, &atom_texts(game), &mut chunks)
        .and_then(|()| chunks.finish())
        .expect("memory takes everything");
    let text = String::from_utf8(text).expect("names are UTF-8");
    text.lines().map(str::to_owned).collect::<Vec<_>>().into_iter()
}

fn write_facts(game: &GroundGame, texts: &Texts, chunks: &mut Chunks<'_>) -> io::Result<()> {
    for role in game.roles() {
        chunks.push(b"(role ");
        texts::term::<Kif>(game, role, chunks.buffer());
        chunks.push(b")\n");
    }
    let mut fact = |name: &[u8], argument: &[u8]| {
        chunks.push(name);
        chunks.push(argument);
        chunks.push(b")\n");
        chunks.may_flush()
    };
    for atom in game.init() {
        fact(b"(init ", fluent(texts.get(atom.index())))?;
    }
    for atom in game.fluents() {
        fact(b"(base ", fluent(texts.get(atom.index())))?;
    }
    for atom in game.inputs() {
        fact(b"(input ", role_and_move(texts.get(atom.index())))?;
    }
    Ok(())
}

/// A space and a literal.
#[inline]
pub(super) fn push_literal(literal: GroundLiteral, texts: &Texts, chunks: &mut Chunks<'_>) {
    let atom = literal.atom() as usize;
    if literal.is_negated() {
        chunks.push(b" (not");
        texts.append(atom, 0, chunks.buffer());
        chunks.push(b")");
    } else {
        texts.append(atom, 0, chunks.buffer());
    }
}

/// Writes the facts and the rules.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    let texts = atom_texts(game);
    let mut chunks = Chunks::new(out);
    write_facts(game, &texts, &mut chunks)?;
    for rule in game.rules().iter() {
        let head = texts.get(rule.head as usize);
        if rule.body.is_empty() && head.ends_with(b")") {
            chunks.push(&head[1..]);
            chunks.push(b"\n");
        } else {
            // A fact that is but a word is written as a rule: every reader understands that.
            chunks.push(b"(<=");
            texts.append(rule.head as usize, 0, chunks.buffer());
            for literal in rule.body {
                push_literal(*literal, &texts, &mut chunks);
            }
            chunks.push(b")\n");
        }
        chunks.may_flush()?;
    }
    chunks.finish()
}
