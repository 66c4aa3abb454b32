//! KIF: a variable-free game description that any player can read.

use std::io::{self, Write};

use super::chunks::Chunks;
use super::texts::{self, AtomTexts, Notation, Place, Texts};
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
}

/// The texts of the atoms, each after a space, as they stand in rules.
pub(crate) fn atom_texts(game: &GroundGame) -> Texts {
    texts::atoms::<Kif>(game, " ")
}

/// The fluent of a ` (true f)`.
pub(super) fn fluent(atom: &[u8]) -> &[u8] {
    &atom[" (true ".len()..atom.len() - 1]
}

/// The role and the move of a ` (does r m)`.
fn role_and_move(atom: &[u8]) -> &[u8] {
    &atom[" (does ".len()..atom.len() - 1]
}

/// The facts about roles, the initial state, base, input and percepts.
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
    for atom in game.percepts() {
        let text = game.display(atom).to_string();
        fact(b"(percept ", &text.as_bytes()["(sees ".len()..text.len() - 1])?;
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

/// Bytes that the texts of atoms may have for each rule: otherwise the text of a game with many long atoms would take
/// more memory than all else.
const BYTES_PER_RULE: usize = 22;
/// Bytes that the texts of atoms may have in any case.
const LEAST_BYTES: usize = 1 << 20;

/// Writes atoms, most of which have a text.
struct AtomWriter<'game> {
    game: &'game GroundGame,
    atoms: AtomTexts,
    texts: Texts,
}

impl<'game> AtomWriter<'game> {
    /// The texts of all atoms together have about so many bytes at most.
    fn new(game: &'game GroundGame, bytes: usize) -> Self {
        let atoms = AtomTexts::new::<Kif>(game, " ");
        // The facts take parts of the texts of fluents and inputs.
        let end = |first: Option<AtomId>, count| first.map_or(0, |it| it.index() + count);
        let fluents = end(game.fluents().next(), game.fluents().len());
        let count = fluents.max(end(game.inputs().next(), game.inputs().len()));
        let texts = texts::first_atoms(game, &atoms, count, bytes);
        AtomWriter { game, atoms, texts }
    }

    /// Appends a space and an atom.
    #[inline]
    fn append(&self, atom: u32, out: &mut Vec<u8>) {
        if (atom as usize) < self.texts.len() {
            self.texts.append(atom as usize, 0, out);
        } else {
            self.append_anew(atom, out);
        }
    }

    /// Appends an atom without a text. Few games have any.
    #[cold]
    fn append_anew(&self, atom: u32, out: &mut Vec<u8>) {
        let (shape, constants) = self.game.row(AtomId(atom));
        self.atoms.append(shape, constants, out);
    }

    /// Appends a space and a literal.
    #[inline]
    fn append_literal(&self, literal: GroundLiteral, out: &mut Vec<u8>) {
        if literal.is_negated() {
            out.extend_from_slice(b" (not");
        }
        self.append(literal.atom(), out);
        if literal.is_negated() {
            out.push(b')');
        }
    }
}

/// Writes the facts and the rules.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    write_with(game, LEAST_BYTES.max(game.rules().len() * BYTES_PER_RULE), out)
}

fn write_with(game: &GroundGame, bytes: usize, out: &mut dyn Write) -> io::Result<()> {
    let atoms = AtomWriter::new(game, bytes);
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

#[cfg(test)]
mod tests {
    use groundfrog_engine::observe::Silent;

    use super::*;
    use crate::description::{Description, ParseOptions};
    use crate::ground::ground;
    use crate::options::GroundOptions;

    #[test]
    fn the_texts_that_are_kept_make_no_difference() {
        let text = "(role r) (init (lit a)) (index a) (index b) (<= terminal seen) (<= seen (true (lit b)))
            (<= (legal r (light ?x)) (index ?x)) (<= (next (lit ?x)) (does r (light ?x)))
            (<= (goal r 100) (not (seen_at ?x 1)) (index ?x)) (<= (seen_at ?x 1) (true (lit ?x)) seen)
            (<= (shown (at ?x) 2) (index ?x) (not (true (lit c)))) (<= (seen_at ?x 1) (shown (at ?x) 2))";
        let description = Description::parse(text.as_bytes(), &ParseOptions::default());
        let description = description.expect("the text is well formed");
        let options = GroundOptions { simplify: false, ..GroundOptions::flat() };
        let game = ground(&description, &options, &mut Silent).expect("the game is sound").game;
        let written = |bytes| {
            let mut out = Vec::new();
            write_with(&game, bytes, &mut out).expect("memory takes everything");
            String::from_utf8(out).expect("names are UTF-8")
        };
        let kept = [0, 160, usize::MAX].map(|bytes| AtomWriter::new(&game, bytes).texts.len());
        assert!(kept[0] < kept[1] && kept[1] < kept[2], "{kept:?}");
        assert_eq!(kept[2], game.atom_count());
        assert_eq!([written(0), written(160)], [written(usize::MAX), written(usize::MAX)]);
        assert!(written(0).contains("(<= (seen_at a 1) (true (lit a)) seen)\n"), "{}", written(0));
    }
}
