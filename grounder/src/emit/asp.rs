//! ASP: a logic program for clingo, about one state and one joint move.
//!
//! `role`, `init`, `base` and `input` are facts; `true` and `does` are external, so they are false until
//! somebody gives the state and the moves, as facts in a second file or through clingo's interface.

pub(super) mod names;

use std::io::{self, Write};

use super::chunks::Chunks;
use super::texts::{self, Texts};
use crate::game::GroundGame;
use names::Asp;

/// The texts of the atoms.
pub(super) fn atom_texts(game: &GroundGame) -> Texts {
    texts::atoms::<Asp>(game, "")
}

/// Calls `each` with every atom of the facts.
pub(super) fn for_each_fact(
    game: &GroundGame,
    texts: &Texts,
    mut each: impl FnMut(&str, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut role = Vec::new();
    for term in game.roles() {
        role.clear();
        texts::term::<Asp>(game, term, &mut role);
        role.push(b')');
        each("role(", &role)?;
    }
    for atom in game.init() {
        each("init(", &texts.get(atom.index())["true(".len()..])?;
    }
    for atom in game.fluents() {
        each("base(", &texts.get(atom.index())["true(".len()..])?;
    }
    for atom in game.inputs() {
        each("input(", &texts.get(atom.index())["does(".len()..])?;
    }
    Ok(())
}

/// Writes the program.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    let texts = atom_texts(game);
    let mut chunks = Chunks::new(out);
    for_each_fact(game, &texts, |name, arguments| {
        chunks.push(name.as_bytes());
        chunks.push(arguments);
        chunks.push(b".\n");
        chunks.may_flush()
    })?;
    chunks.push(b"#external true(F) : base(F).\n#external does(R,M) : input(R,M).\n");
    for rule in game.rules().iter() {
        texts.append(rule.head as usize, 0, chunks.buffer());
        let mut separator: &[u8] = b" :- ";
        for literal in rule.body {
            chunks.push(separator);
            if literal.is_negated() {
                chunks.push(b"not ");
            }
            texts.append(literal.atom() as usize, 0, chunks.buffer());
            separator = b", ";
        }
        chunks.push(b".\n");
        chunks.may_flush()?;
    }
    chunks.finish()
}
