//! ASP: a logic program for clingo, about one state and one joint move.
//!
//! `role`, `init`, `base`, `input` and `percept` are facts; `true` and `does` are external, so they are false until
//! somebody gives the state and the moves, as facts in a second file or through clingo's interface.

pub(super) mod names;

use std::io::{self, Write};

use super::chunks::Chunks;
use super::texts;
use crate::game::{AtomId, GroundGame};
use names::Asp;

/// Calls `each` with every atom of the facts. `atom` appends the text of an atom of the game.
pub(super) fn for_each_fact(
    game: &GroundGame,
    atom: impl Fn(AtomId, &mut Vec<u8>),
    mut each: impl FnMut(&str, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut text = Vec::new();
    for term in game.roles() {
        text.clear();
        texts::term::<Asp>(game, term, &mut text);
        text.push(b')');
        each("role(", &text)?;
    }
    let mut fact = |name: &str, before: &str, of: AtomId| {
        text.clear();
        atom(of, &mut text);
        each(name, &text[before.len()..])
    };
    game.init().iter().try_for_each(|&it| fact("init(", "true(", it))?;
    game.fluents().try_for_each(|it| fact("base(", "true(", it))?;
    game.inputs().try_for_each(|it| fact("input(", "does(", it))?;
    game.percepts().into_iter().try_for_each(|it| fact("percept(", "sees(", it))
}

/// The atoms of a game as they stand in the program, by number.
pub fn atom_texts(game: &GroundGame) -> Vec<String> {
    let texts = texts::atoms::<Asp>(game, "");
    let text = |number| String::from_utf8(texts.get(number).to_vec()).expect("names are UTF-8");
    (0..game.atom_count()).map(text).collect()
}

/// The facts about roles, the initial state, base, input and percepts, a line each.
pub fn facts(game: &GroundGame) -> String {
    let texts = texts::atoms::<Asp>(game, "");
    let append = |atom: AtomId, out: &mut Vec<u8>| texts.append(atom.index(), 0, out);
    let mut out = Vec::new();
    for_each_fact(game, append, |name, arguments| {
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(arguments);
        out.extend_from_slice(b".\n");
        Ok(())
    })
    .expect("memory takes everything");
    String::from_utf8(out).expect("names are UTF-8")
}

/// Writes the program.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    let texts = texts::atoms::<Asp>(game, "");
    let append = |atom: AtomId, out: &mut Vec<u8>| texts.append(atom.index(), 0, out);
    let mut chunks = Chunks::new(out);
    for_each_fact(game, append, |name, arguments| {
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
