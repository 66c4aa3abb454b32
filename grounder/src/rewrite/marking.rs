//! What is joined and what is stored of a rule.
//!
//! g(R) is the rule without its negated dynamic literals, over `base` and `input`. Whatever holds in some state is derived by g(R): a
//! negated dynamic literal can hold in one state and not in another, so nothing is concluded from it. Negated static literals and
//! `distinct` stay. s(R) is the rule without its static literals, which is stored for every answer of g(R).
//!
//! In g(R) `true` becomes `base` and `does` becomes `input`, so that one fixpoint covers all states and moves. A description may define
//! `base` and `input` itself, and may use them in other rules. Since ours are computed, its own are renamed apart first and go on
//! meaning what the description says.

use super::statics::Statics;
use crate::description::{Atom, Keywords, Predicate};
use crate::rules::{Literal, Rule, Rules};
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

/// Whether a literal is part of g(R).
pub fn is_joined(literal: &Literal, statics: &Statics) -> bool {
    match literal {
        Literal::Negative(atom) => !statics.is_dynamic(atom.predicate()),
        Literal::Positive(_) | Literal::Distinct(..) => true,
    }
}

/// g(R).
pub fn joined_rule(rule: &Rule, statics: &Statics, keywords: &Keywords) -> Rule {
    let body = rule.body.iter().filter(|literal| is_joined(literal, statics));
    let body = body.map(|literal| match literal {
        Literal::Positive(atom) => Literal::Positive(rename(atom, keywords)),
        other => other.clone(),
    });
    Rule { head: rule.head.clone(), body: body.collect(), span: rule.span }
}

/// Whether a literal is part of s(R).
pub fn is_stored(literal: &Literal, statics: &Statics) -> bool {
    literal.atom().is_some_and(|atom| statics.is_dynamic(atom.predicate()))
}

/// s(R).
pub fn stored_rule(rule: &Rule, statics: &Statics) -> Rule {
    let body = rule.body.iter().filter(|literal| is_stored(literal, statics));
    Rule { head: rule.head.clone(), body: body.cloned().collect(), span: rule.span }
}
