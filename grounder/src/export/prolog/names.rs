//! Names of GDL as terms of Prolog. No two GDL terms have the same Prolog term.
//!
//! | GDL | Prolog | |
//! | --- | --- | --- |
//! | `cell`, `x_Y` | `cell`, `x_Y` | words that Prolog has as well |
//! | `7`, `B`, `++`, `o'b` | `'7'`, `'B'`, `'++'`, `'o\'b'` | all other constants: quoted atoms |
//! | `(f a)`, `(++ a)` | `f(a)`, `'++'(a)` | functions |
//! | `(f)` | `'()'(f)` | functions without arguments; no word of GDL has parentheses |
//! | `(. a b)` | `'()'('.',a,b)` | the one name that SWI-Prolog does not take as a functor |
//! | `(p a)`, `(++ a)`, `p` | `p_p(a)`, `'p_++'(a)`, `p_p` | predicates, apart from what Prolog defines |

use crate::emit::notation::{Notation, Place};

/// The notation of Prolog.
pub(super) enum Prolog {}

impl Notation for Prolog {
    fn constant(name: &str, out: &mut Vec<u8>) {
        quoted_unless_word("", name, out);
    }

    fn open(name: &str, arity: usize, place: Place, out: &mut Vec<u8>) {
        match place {
            Place::Atom => quoted_unless_word("p_", name, out),
            Place::Term if arity == 0 || name == "." => {
                out.extend_from_slice(b"'()'(");
                Self::constant(name, out);
                if arity > 0 {
                    out.push(b',');
                }
                return;
            }
            Place::Term => Self::constant(name, out),
        }
        if arity > 0 {
            out.push(b'(');
        }
    }

    const SEPARATOR: &'static str = ",";
}

fn quoted_unless_word(prefix: &str, name: &str, out: &mut Vec<u8>) {
    let first = |first: char| !prefix.is_empty() || first.is_ascii_lowercase();
    let is_word = name.starts_with(first)
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_word {
        out.extend_from_slice(prefix.as_bytes());
        out.extend_from_slice(name.as_bytes());
        return;
    }
    out.push(b'\'');
    out.extend_from_slice(prefix.as_bytes());
    for byte in name.bytes() {
        if matches!(byte, b'\'' | b'\\') {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out.push(b'\'');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, arguments: &[&str], place: Place) -> String {
        let mut out = Vec::new();
        Prolog::open(name, arguments.len(), place, &mut out);
        out.extend_from_slice(arguments.join(Prolog::SEPARATOR).as_bytes());
        Prolog::close(name, arguments.len(), place, &mut out);
        String::from_utf8(out).expect("names are UTF-8")
    }

    #[test]
    fn names_of_any_kind_have_terms_of_their_own() {
        let cases = [
            ("cell", &["a"][..], "cell(a)", "p_cell(a)"),
            ("B", &["a", "b"], "'B'(a,b)", "p_B(a,b)"),
            ("7", &["a"], "'7'(a)", "p_7(a)"),
            ("++", &["a"], "'++'(a)", "'p_++'(a)"),
            (".", &["a", "b"], "'()'('.',a,b)", "'p_.'(a,b)"),
            ("f", &[], "'()'(f)", "p_f"),
            ("o'b\\", &[], "'()'('o\\'b\\\\')", "'p_o\\'b\\\\'"),
            ("é", &[], "'()'('é')", "'p_é'"),
        ];
        for (name, arguments, term, atom) in cases {
            assert_eq!(text(name, arguments, Place::Term), term);
            assert_eq!(text(name, arguments, Place::Atom), atom);
        }
    }

    #[test]
    fn only_words_stand_without_quotes() {
        let constant = |name: &str| {
            let mut out = Vec::new();
            Prolog::constant(name, &mut out);
            String::from_utf8(out).expect("names are UTF-8")
        };
        for word in ["cell", "x_Y2"] {
            assert_eq!(constant(word), word);
        }
        for other in ["B", "_x", "7", "01", "-1", "[]", "!", "a.b", "a-b"] {
            assert_eq!(constant(other), format!("'{other}'"));
        }
    }
}
