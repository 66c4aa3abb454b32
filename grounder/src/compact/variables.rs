//! The variables of rules, which are numbers: in which order they are mentioned, and other numbers for them.

use groundfrog_engine::Argument;

use crate::flat::{FlatAtom, FlatLiteral, FlatRule, LiteralKind};

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
