//! ASP: a logic program for clingo, about one state and one joint move.
//!
//! `role`, `init`, `base`, `input` and `percept` are facts; `true` and `does` are external, so they are false until
//! somebody gives the state and the moves, as facts in a second file or through clingo's interface.
//!
//! No two GDL terms have the same ASP term:
//!
//! | GDL | ASP | |
//! | --- | --- | --- |
//! | `cell`, `x_Y` | `cell`, `x_Y` | words that ASP has as well |
//! | `7`, `-7` | `7`, `-7` | numbers of at most 31 bits, written as ASP would write them |
//! | `B`, `++`, `01`, `not` | `"B"`, `"++"`, `"01"`, `"not"` | all other constants |
//! | `(f a)` | `f(a)` | functions named by a word |
//! | `(++ 1 2)` | `("++",1,2)` | all other functions: a tuple, the name first |
//! | `(f)` | `(f,)` | no arguments: a tuple of one |
//! | `(p a)` | `p(a)` | predicates named by a word |
//! | `(+ a)` | `_atom("+",a)` | all other predicates |

use std::io::{self, Write};

use super::chunks::Chunks;
use super::texts::{self, Notation, Place};
use crate::game::{AtomId, GroundGame};

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

/// The notation of ASP.
pub(crate) enum Asp {}

impl Notation for Asp {
    fn constant(name: &str, out: &mut Vec<u8>) {
        if is_word(name) || is_number(name) {
            out.extend_from_slice(name.as_bytes());
        } else {
            quoted(name, out);
        }
    }

    fn open(name: &str, arity: usize, place: Place, out: &mut Vec<u8>) {
        if is_word(name) && (arity > 0 || place == Place::Atom) {
            out.extend_from_slice(name.as_bytes());
            if arity > 0 {
                out.push(b'(');
            }
            return;
        }
        out.extend_from_slice(if place == Place::Atom { b"_atom(" } else { b"(" });
        Self::constant(name, out);
        if arity > 0 || place == Place::Term {
            out.push(b',');
        }
    }

    const SEPARATOR: &'static str = ",";

    fn close(name: &str, arity: usize, place: Place, out: &mut Vec<u8>) {
        if arity > 0 || place == Place::Term || !is_word(name) {
            out.push(b')');
        }
    }
}

fn is_word(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name != "not"
}

fn is_number(name: &str) -> bool {
    // clingo has no number below -2^31 + 1 that it could write and read again.
    name.parse::<i32>().is_ok_and(|number| number > i32::MIN && number.to_string() == name)
}

fn quoted(name: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for byte in name.bytes() {
        match byte {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constant(name: &str) -> String {
        let mut out = Vec::new();
        Asp::constant(name, &mut out);
        String::from_utf8(out).expect("names are UTF-8")
    }

    fn application(name: &str, arguments: &[&str], place: Place) -> String {
        let mut out = Vec::new();
        Asp::open(name, arguments.len(), place, &mut out);
        out.extend_from_slice(arguments.join(Asp::SEPARATOR).as_bytes());
        Asp::close(name, arguments.len(), place, &mut out);
        String::from_utf8(out).expect("names are UTF-8")
    }

    #[test]
    fn constants_keep_their_names_where_asp_has_them() {
        for name in ["cell", "x_Y", "0", "7", "-7", "2147483647", "-2147483647"] {
            assert_eq!(constant(name), name);
        }
        for name in ["B", "01", "-0", "+7", "++", "not", "_x", "o'b", "2147483648", "é", "-"] {
            assert_eq!(constant(name), format!("\"{name}\""));
        }
        assert_eq!(constant("-2147483648"), "\"-2147483648\"");
        assert_eq!(constant("a\"b\\c"), r#""a\"b\\c""#);
        assert_eq!(constant(""), "\"\"");
    }

    #[test]
    fn functions_of_any_name_and_arity_have_terms_of_their_own() {
        let term = |name, arguments: &[&str]| application(name, arguments, Place::Term);
        assert_eq!(term("f", &["a", "b"]), "f(a,b)");
        assert_eq!(term("f", &[]), "(f,)");
        assert_eq!(term("++", &["1", "2"]), "(\"++\",1,2)");
        assert_eq!(term("++", &[]), "(\"++\",)");
        assert_eq!(term("7", &[]), "(7,)");
        assert_eq!(term("7", &["a"]), "(7,a)");
    }

    #[test]
    fn predicates_of_any_name_have_atoms_of_their_own() {
        let atom = |name, arguments: &[&str]| application(name, arguments, Place::Atom);
        assert_eq!(atom("p", &[]), "p");
        assert_eq!(atom("p", &["a"]), "p(a)");
        assert_eq!(atom("+", &[]), "_atom(\"+\")");
        assert_eq!(atom("+", &["a"]), "_atom(\"+\",a)");
        assert_eq!(atom("_atom", &["a"]), "_atom(\"_atom\",a)");
        assert_eq!(atom("7", &["a"]), "_atom(7,a)");
    }
}
