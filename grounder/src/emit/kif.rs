//! KIF: a variable-free game description that any player can read.

use std::io::{self, Write};

use super::chunks::Chunks;
use super::texts::{self, Atoms, Notation, Place, Texts};
use crate::game::{AtomId, GroundGame, GroundLiteral};

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

/// The texts of atoms have at most so many bytes for each rule, or the text of a game with many long atoms would take
/// more memory than all else.
const BYTES_PER_RULE: usize = 28;
/// Or so many in all.
const LEAST_BYTES: usize = 1 << 20;

/// Writes atoms, most of which have a text.
struct AtomWriter<'game> {
    game: &'game GroundGame,
    atoms: Atoms,
    texts: Texts,
}

impl<'game> AtomWriter<'game> {
    fn new(game: &'game GroundGame) -> Self {
        let atoms = Atoms::new::<Kif>(game, " ");
        // The facts take parts of the texts of fluents and inputs.
        let count = game.fluents().chain(game.inputs()).map(|it| it.index() + 1).max();
        let bytes = LEAST_BYTES.max(game.rules().len() * BYTES_PER_RULE);
        let texts = texts::first_atoms(game, &atoms, count.unwrap_or(0), bytes);
        AtomWriter { game, atoms, texts }
    }

    /// Appends a space and an atom.
    #[inline]
    fn append(&self, atom: u32, out: &mut Vec<u8>) {
        if (atom as usize) < self.texts.len() {
            self.texts.append(atom as usize, 0, out);
        } else {
            let (shape, constants) = self.game.row(AtomId(atom));
            self.atoms.append(shape, constants, out);
        }
    }

    /// Appends a space and a literal.
    #[inline]
    fn append_literal(&self, literal: GroundLiteral, out: &mut Vec<u8>) {
        if literal.is_negated() {
            out.extend_from_slice(b" (not");
            self.append(literal.atom(), out);
            out.push(b')');
        } else {
            self.append(literal.atom(), out);
        }
    }
}

/// Writes the facts and the rules.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    let atoms = AtomWriter::new(game);
    let mut chunks = Chunks::new(out);
    write_facts(game, &atoms.texts, &mut chunks)?;
    for rule in game.rules().iter() {
        let out = chunks.buffer();
        let start = out.len();
        // A fact that is but a word is written as a rule: every reader understands that.
        out.extend_from_slice(b"(<=");
        atoms.append(rule.head, out);
        if rule.body.is_empty() && out.ends_with(b")") {
            out.drain(start..start + b"(<= ".len());
            out.push(b'\n');
        } else {
            rule.body.iter().for_each(|literal| atoms.append_literal(*literal, out));
            out.extend_from_slice(b")\n");
        }
        chunks.may_flush()?;
    }
    chunks.finish()
}
