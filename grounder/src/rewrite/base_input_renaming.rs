//! `true` becomes `base` and `does` becomes `input`, so that one fixpoint covers all states and moves.
//!
//! A description may define `base` and `input` itself, and may use them in other rules. Since ours are
//! computed, its own are renamed apart first and go on meaning what the description says.

use crate::description::{Atom, Keywords, Predicate};
use crate::rules::{Literal, Rules};
use crate::symbols::fresh;

/// The names that a description's own `base` and `input` go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenDomains {
    /// The description's `base`, with one argument.
    pub base: Predicate,
    /// The description's `input`, with two arguments.
    pub input: Predicate,
}

/// Renames the description's own `base` and `input` apart, wherever they are predicates.
pub fn rename_given(rules: &mut Rules) -> GivenDomains {
    let keywords = rules.keywords;
    let base = fresh(&mut rules.symbols, "given_base");
    let input = fresh(&mut rules.symbols, "given_input");
    let rename = |atom: &mut Atom| {
        atom.predicate = match atom.predicate {
            name if name == keywords.base => base,
            name if name == keywords.input => input,
            _ => return,
        };
    };
    for rule in &mut rules.rules {
        rename(&mut rule.head);
        for literal in &mut rule.body {
            if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                rename(atom);
            }
        }
    }
    GivenDomains {
        base: Predicate { name: base, arity: 1 },
        input: Predicate { name: input, arity: 2 },
    }
}

/// The predicate under which an atom is looked up: `base` for `true`, `input` for `does`.
pub fn renamed(predicate: Predicate, keywords: &Keywords) -> Predicate {
    let name = match predicate.name {
        name if name == keywords.true_ => keywords.base,
        name if name == keywords.does => keywords.input,
        name => name,
    };
    Predicate { name, ..predicate }
}

/// The atom with its predicate renamed.
pub fn rename(atom: &Atom, keywords: &Keywords) -> Atom {
    Atom { predicate: renamed(atom.predicate(), keywords).name, ..atom.clone() }
}
