//! The variables of flat rules, and what takes the place of them and of literals.
//!
//! Variables are numbers: there are others for them, in the order in which they are mentioned, and values where two tuples
//! are equal ([`Equality`]). With these the rules of a predicate take the place of a literal that uses it ([`unfold`]; Tamaki
//! and Sato, 1984): `complete_tables/decomposition/move_parts` does so for what can then be split better.
//!
//! What is replaced in other ways is no rule, or has no literals: that tuples differ (`large_tables/differences`), conditions
//! that become diagrams (`large_tables/diagrams/unfolding`), ground rules (`ground_rules/inline`). Rules with terms have
//! substitutions ([`crate::rules::Substitution`]): `state_invariants`.

use fxhash::FxBuildHasher;
use groundfrog_engine::Argument;
use indexmap::IndexSet;

use crate::flat::{FlatAtom, FlatLiteral, FlatRule, LiteralKind};

/// A rule with the body of another in the place of a literal; `None` if the literal is never what that derives.
fn resolvent(rule: &FlatRule, at: usize, definition: &FlatRule) -> Option<FlatRule> {
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

/// What variables are, each at most once, perhaps other variables.
#[derive(Debug, Default)]
pub struct Equality {
    values: Vec<(u32, Argument)>,
}

impl Equality {
    /// What variables are where two tuples are equal; `None` if they cannot be. Where one of two variables is the
    /// other, one of those to be replaced is, if one of them is among these.
    pub fn of(
        left: &[Argument],
        right: &[Argument],
        is_to_be_replaced: impl Fn(u32) -> bool,
    ) -> Option<Self> {
        let mut equality = Equality::default();
        for (&left, &right) in left.iter().zip(right) {
            let is_replaced = |it: Argument| it.variable().is_some_and(&is_to_be_replaced);
            let (left, right) = (equality.value(left), equality.value(right));
            let (left, right) = if is_replaced(left) { (left, right) } else { (right, left) };
            match (left, right) {
                _ if left == right => {}
                (Argument::Variable(it), value) | (value, Argument::Variable(it)) => {
                    equality.values.push((it, value));
                }
                (Argument::Constant(_), Argument::Constant(_)) => return None,
            }
        }
        Some(equality)
    }

    /// What an argument is.
    pub fn value(&self, argument: Argument) -> Argument {
        // A variable is replaced by what was not replaced before, so that later pairs have the last word.
        self.values.iter().fold(argument, |it, &(variable, value)| {
            if it == Argument::Variable(variable) { value } else { it }
        })
    }
}

/// Adds a variable to those that are mentioned, in the order of their first mention.
pub(super) fn mention(mentioned: &mut Vec<u32>, argument: Argument) {
    mentioned.extend(argument.variable().filter(|it| !mentioned.contains(it)));
}

/// A variable by its place among some, if it is one of them.
pub(super) fn number(numbers: &[u32], argument: Argument) -> Argument {
    let position = argument.variable().and_then(|it| numbers.iter().position(|&other| other == it));
    position.map_or(argument, |it| Argument::Variable(it as u32))
}

pub(super) fn for_each_argument(kind: &LiteralKind, visit: &mut impl FnMut(Argument)) {
    match kind {
        LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => {
            atom.arguments.iter().for_each(|&it| visit(it));
        }
        LiteralKind::Distinct(left, right) => left.iter().chain(right).for_each(|&it| visit(it)),
    }
}

pub(super) fn map_arguments(
    kind: &LiteralKind,
    map: &impl Fn(Argument) -> Argument,
) -> LiteralKind {
    let all = |arguments: &[Argument]| arguments.iter().map(|&it| map(it)).collect();
    let atom = |atom: &FlatAtom| FlatAtom { arguments: all(&atom.arguments), ..atom.clone() };
    match kind {
        LiteralKind::Positive(it) => LiteralKind::Positive(atom(it)),
        LiteralKind::Negative(it) => LiteralKind::Negative(atom(it)),
        LiteralKind::Distinct(left, right) => LiteralKind::Distinct(all(left), all(right)),
    }
}

/// The variables of a literal, in the order in which it mentions them.
pub(super) fn variables_of(literal: &FlatLiteral) -> Vec<u32> {
    let mut found = Vec::new();
    for_each_argument(&literal.kind, &mut |it| mention(&mut found, it));
    found
}

/// The variables of a rule but for those that only literals have that are not left, in the order in which they are
/// mentioned.
pub(super) fn mentioned(rule: &FlatRule, is_left: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut found = Vec::new();
    let mut visit = |it: Argument| mention(&mut found, it);
    rule.head.arguments.iter().for_each(|&it| visit(it));
    for (_, literal) in rule.body.iter().enumerate().filter(|&(at, _)| is_left(at)) {
        for_each_argument(&literal.kind, &mut visit);
    }
    found
}

/// A rule with its variables numbered as they are mentioned, without gaps.
pub(super) fn renumbered(rule: &FlatRule) -> FlatRule {
    let names = mentioned(rule, |_| true);
    let rename = |it: Argument| number(&names, it);
    let literal = |it: &FlatLiteral| FlatLiteral { kind: map_arguments(&it.kind, &rename), ..*it };
    let arguments = rule.head.arguments.iter().map(|&it| rename(it)).collect();
    FlatRule {
        head: FlatAtom { arguments, ..rule.head.clone() },
        body: rule.body.iter().map(literal).collect(),
        ..*rule
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Argument = Argument::Constant(7);
    const B: Argument = Argument::Constant(8);

    fn variable(number: u32) -> Argument {
        Argument::Variable(number)
    }

    #[test]
    fn variables_are_replaced_by_those_that_stay() {
        let equality =
            Equality::of(&[variable(0), variable(3)], &[variable(2), variable(1)], |it| it < 2);
        let equality = equality.expect("they can be equal");
        let values = [0, 1, 2, 3].map(|it| equality.value(variable(it)));
        assert_eq!(values, [variable(2), variable(3), variable(2), variable(3)]);
    }

    #[test]
    fn what_is_equal_to_the_same_is_equal() {
        let (left, right) = ([variable(0), variable(0), variable(1)], [variable(1), A, A]);
        let equality = Equality::of(&left, &right, |_| false).expect("they can be equal");
        assert_eq!([0, 1].map(|it| equality.value(variable(it))), [A, A]);
        assert!(Equality::of(&[variable(0), variable(0)], &[A, B], |_| false).is_none());
        assert!(Equality::of(&[A, variable(0)], &[A, variable(0)], |_| false).is_some());
    }
}
