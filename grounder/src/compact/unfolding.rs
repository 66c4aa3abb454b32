//! Unfolding of flat rules, of logic programming (Tamaki and Sato, 1984): the rules of a predicate take the place of a
//! literal that uses it.
//!
//! `complete_tables/decomposition/move_parts` does so for what can then be split better.
//!
//! What is replaced in other ways is no rule, or has no literals: that tuples differ
//! ([`comparison`](super::comparison)), conditions that become diagrams (`large_tables/diagrams/unfolding`), ground
//! rules (`ground_rules/inline`). Rules with terms have substitutions ([`crate::rules::Substitution`]): `state_invariants`.

use fxhash::FxBuildHasher;
use groundfrog_engine::Argument;
use indexmap::IndexSet;

use super::equality::Equality;
use super::variables::{for_each_argument, map_arguments, renumbered};
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, LiteralKind};

/// A rule with the body of another in the place of a literal; `None` if the literal is never what that derives.
pub(super) fn resolvent(rule: &FlatRule, at: usize, definition: &FlatRule) -> Option<FlatRule> {
    let literal = &rule.body[at];
    let first = first_free(rule);
    let apart = |it: Argument| it.variable().map_or(it, |it| Argument::Variable(first + it));
    let head: Vec<Argument> = definition.head.arguments.iter().map(|&it| apart(it)).collect();
    let arguments = &literal.atom()?.arguments;
    let equality = Equality::of(&head, arguments, |it| it >= first)?;
    let mut body =
        IndexSet::with_capacity_and_hasher(rule.body.len() + definition.body.len(), FxBuildHasher);
    let mut add = |kind: LiteralKind, joined: bool, stored: bool| {
        let literal = FlatLiteral { kind, joined, stored };
        if joined || stored {
            body.insert(literal);
        }
    };
    for (position, it) in rule.body.iter().enumerate() {
        if position != at {
            add(map_arguments(&it.kind, &|it| equality.value(it)), it.joined, it.stored);
            continue;
        }
        for it in &definition.body {
            let kind = map_arguments(&it.kind, &|it| equality.value(apart(it)));
            add(kind, it.joined && literal.joined, it.stored && literal.stored);
        }
    }
    let arguments = rule.head.arguments.iter().map(|&it| equality.value(it)).collect();
    let head = FlatAtom { arguments, ..rule.head.clone() };
    let body = body.into_iter().collect();
    Some(renumbered(&FlatRule { head, body, ..*rule }))
}

/// The rules that come of a rule with each of some rules in the place of a literal.
pub(super) fn unfold<'rule>(
    rule: &FlatRule,
    at: usize,
    definition: impl IntoIterator<Item = &'rule FlatRule>,
) -> Vec<FlatRule> {
    definition.into_iter().filter_map(|it| resolvent(rule, at, it)).collect()
}

/// The number after those of all variables.
fn first_free(rule: &FlatRule) -> u32 {
    let mut first = 0;
    let mut see = |it: Argument| first = first.max(it.variable().map_or(0, |it| it + 1));
    rule.head.arguments.iter().for_each(|&it| see(it));
    rule.body.iter().for_each(|it| for_each_argument(&it.kind, &mut see));
    first
}
