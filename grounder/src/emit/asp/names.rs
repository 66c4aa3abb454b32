//! Names of GDL as terms of ASP. No two GDL terms have the same ASP term.
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

use crate::emit::texts::{Notation, Place};

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
