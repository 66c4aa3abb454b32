//! The description as a tabled Prolog program that grounds it: the method of Vittaut & Méhat (2014) as its
//! authors run it, for SWI-Prolog.
//!
//! Every predicate with rules is tabled, so that `base` and `input` are computed in one step from
//! g(R), in spite of their recursion. Then each rule is run once more, and what its stored literals
//! need of each answer is kept: a ground rule is an instance of s(R).
//!
//! No two GDL terms have the same Prolog term:
//!
//! | GDL | Prolog | |
//! | --- | --- | --- |
//! | `cell`, `x_Y` | `cell`, `x_Y` | words that Prolog has as well |
//! | `7`, `B`, `++`, `o'b` | `'7'`, `'B'`, `'++'`, `'o\'b'` | all other constants: quoted atoms |
//! | `(f a)`, `(++ a)` | `f(a)`, `'++'(a)` | functions |
//! | `(f)` | `'()'(f)` | functions without arguments; no word of GDL has parentheses |
//! | `(. a b)` | `'()'('.',a,b)` | the one name that SWI-Prolog does not take as a functor |
//! | `(p a)`, `(++ a)`, `p` | `p_p(a)`, `'p_++'(a)`, `p_p` | predicates, apart from what Prolog defines |

use std::io::{self, Write};

use fxhash::FxHashSet;

use super::RuleText;
use crate::description::{Atom, Keywords, Predicate, Terms};
use crate::emit::{Notation, Place};
use crate::prepare::Prepared;
use crate::rewrite::marking::{is_joined, is_stored, rename, renamed};
use crate::rules::{Literal, Rule, for_each_variable};
use crate::symbols::Symbol;

type PrologText<'run> = RuleText<'run, Prolog>;

/// What is the same for all games: the two phases and what they print.
const RUNTIME: &str = include_str!("prolog/runtime.pl");

/// Writes the program.
///
/// # Errors
/// Those of the writer.
pub fn write(prepared: &Prepared, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(RUNTIME.as_bytes())?;
    let used = |rule: &&Rule| prepared.statics.is_used(rule.head.predicate());
    let rules: Vec<&Rule> = prepared.rules.rules.iter().filter(used).collect();
    let keywords = &prepared.rules.keywords;
    let text = || PrologText::new(&prepared.rules.symbols);
    for (directive, predicate) in declarations(&rules, keywords) {
        let mut text = text();
        text.push(directive);
        text.predicate(predicate);
        text.push(".\n");
        out.write_all(&text.out)?;
    }
    out.write_all(b"\n% g(R): base and input in one step.\n")?;
    out.write_all(
        b"p_base(F) :- p_init(F).\np_base(F) :- p_next(F).\np_input(R,M) :- p_legal(R,M).\n",
    )?;
    for rule in &rules {
        let mut text = text();
        text.atom(&rename(&rule.head, keywords));
        let body = joined(rule, prepared);
        if !body.is_empty() {
            text.push(" :- ");
            text.list(body, PrologText::goal);
        }
        text.push(".\n");
        out.write_all(&text.out)?;
    }
    out.write_all(b"\n% Each rule, and what is stored of its answers.\n")?;
    let dynamic = |rule: &&&Rule| prepared.statics.is_dynamic(rule.head.predicate());
    let stored: Vec<&Rule> = rules.iter().filter(dynamic).copied().collect();
    for (number, rule) in stored.iter().enumerate() {
        let mut text = text();
        text.push("ground_rules(Store) :- ");
        for goal in joined(rule, prepared) {
            text.goal(goal);
            text.push(", ");
        }
        text.push("trie_insert(Store, ");
        text.instance(number, rule, prepared);
        text.push("), fail.\n");
        out.write_all(&text.out)?;
    }
    out.write_all(b"ground_rules(_).\n\n% s(R).\n:- dynamic stored_rule/3.\n")?;
    for (number, rule) in stored.iter().enumerate() {
        let mut text = text();
        text.push("stored_rule(");
        text.instance(number, rule, prepared);
        text.push(", ");
        text.atom_as_term(&rule.head);
        text.push(", [");
        let literals = rule.body.iter().filter(|literal| is_stored(literal, &prepared.statics));
        text.list(literals, PrologText::stored_literal);
        text.push("]).\n");
        out.write_all(&text.out)?;
    }
    Ok(())
}

/// Which predicates are tabled, and which have no clauses.
fn declarations(rules: &[&Rule], keywords: &Keywords) -> Vec<(&'static str, Predicate)> {
    let predicate = |name, arity| Predicate { name, arity };
    let base = predicate(keywords.base, 1);
    let input = predicate(keywords.input, 2);
    let heads: FxHashSet<Predicate> =
        rules.iter().map(|it| it.head.predicate()).chain([base, input]).collect();
    let mut declared = FxHashSet::default();
    let mut declarations = Vec::new();
    let ruled = rules.iter().filter(|it| !it.body.is_empty()).map(|it| it.head.predicate());
    for it in [base, input].into_iter().chain(ruled) {
        if declared.insert(it) {
            declarations.push((":- table ", it));
        }
    }
    let queried = [(keywords.init, 1), (keywords.next, 1), (keywords.legal, 2)];
    let queried = queried.map(|(name, arity)| predicate(name, arity));
    let read = rules.iter().flat_map(|it| &it.body).filter_map(Literal::atom);
    let read = read.map(|atom| renamed(atom.predicate(), keywords));
    for it in queried.into_iter().chain(read) {
        if !heads.contains(&it) && declared.insert(it) {
            declarations.push((":- dynamic ", it));
        }
    }
    declarations
}

/// g(R) with each condition behind the literals that bind its variables, wherever the description has it.
fn joined(rule: &Rule, prepared: &Prepared) -> Vec<Literal> {
    let keywords = &prepared.rules.keywords;
    let mut bound: FxHashSet<Symbol> = FxHashSet::default();
    let (binders, mut conditions): (Vec<&Literal>, Vec<&Literal>) = rule
        .body
        .iter()
        .filter(|literal| is_joined(literal, &prepared.statics))
        .partition(|literal| matches!(literal, Literal::Positive(_)));
    let mut goals = Vec::new();
    let mut check = |bound: &FxHashSet<Symbol>, goals: &mut Vec<Literal>| {
        conditions.retain(|condition| {
            let mut ready = true;
            condition.for_each_variable(&mut |it| ready &= bound.contains(&it));
            if ready {
                goals.push((*condition).clone());
            }
            !ready
        });
    };
    check(&bound, &mut goals);
    for literal in binders {
        if let Literal::Positive(atom) = literal {
            goals.push(Literal::Positive(rename(atom, keywords)));
        }
        literal.for_each_variable(&mut |variable| {
            bound.insert(variable);
        });
        check(&bound, &mut goals);
    }
    goals
}

impl PrologText<'_> {
    fn predicate(&mut self, predicate: Predicate) {
        self.atom(&Atom {
            predicate: predicate.name,
            arguments: Terms::new(),
            span: crate::kif::Span::default(),
        });
        self.push(&format!("/{}", predicate.arity));
    }

    fn goal(&mut self, literal: Literal) {
        match &literal {
            Literal::Positive(atom) => self.atom(atom),
            Literal::Negative(atom) => {
                self.push("\\+ ");
                self.atom(atom);
            }
            Literal::Distinct(left, right) => {
                // Names can be operators of Prolog, so none is written as one.
                self.push("\\==(");
                self.list([left, right], Self::term);
                self.push(")");
            }
        }
    }

    fn stored_literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Positive(atom) => self.atom_as_term(atom),
            Literal::Negative(atom) => {
                self.push("not(");
                self.atom_as_term(atom);
                self.push(")");
            }
            Literal::Distinct(..) => unreachable!("only dynamic literals are stored"),
        }
    }

    /// The rule's number with the variables of s(R).
    fn instance(&mut self, number: usize, rule: &Rule, prepared: &Prepared) {
        let mut variables: Vec<Symbol> = Vec::new();
        let mut add = |name| {
            if !variables.contains(&name) {
                variables.push(name);
            }
        };
        rule.head.arguments.iter().for_each(|term| for_each_variable(term, &mut add));
        let stored = rule.body.iter().filter(|literal| is_stored(literal, &prepared.statics));
        stored.for_each(|literal| literal.for_each_variable(&mut add));
        self.push(&format!("r{number}"));
        if !variables.is_empty() {
            self.push("(");
            self.list(variables, Self::variable);
            self.push(")");
        }
    }
}

/// The notation of Prolog.
enum Prolog {}

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
