//! How often a rule has the same instance because variables of its body can change places.

use groundfrog_engine::Argument;
use groundfrog_engine::projection::{VariableSet, members};

use super::estimate::literal_variables;
use crate::rewrite::sentence_forms::{FlatAtom, FlatLiteral, LiteralKind};

/// In how many orders the values of these variables give the same instance, where they are all different: a
/// factor for each set of variables any two of which can change places without changing the body.
pub(super) fn repetitions(body: &[&FlatLiteral], variables: VariableSet) -> f64 {
    let used = body.iter().map(|it| literal_variables(it)).fold(0, |all, it| all | it);
    let mut left = variables & used;
    let mut factor = 1.0;
    while let Some(one) = members(left).next() {
        left &= !(1 << one);
        let mut size = 1.0;
        for other in members(left) {
            if body.iter().all(|literal| has_exchanged(body, literal, one, other)) {
                left &= !(1 << other);
                size += 1.0;
                factor *= size;
            }
        }
    }
    factor
}

/// Whether a body has what a literal becomes when two variables change places.
fn has_exchanged(body: &[&FlatLiteral], literal: &FlatLiteral, one: u32, other: u32) -> bool {
    if literal_variables(literal) & (1 << one | 1 << other) == 0 {
        return true;
    }
    let same = |left: &[Argument], right: &[Argument]| {
        let exchanged = |it: &Argument| match it {
            Argument::Variable(it) if *it == one => Argument::Variable(other),
            Argument::Variable(it) if *it == other => Argument::Variable(one),
            it => *it,
        };
        left.len() == right.len()
            && left.iter().zip(right).all(|(left, right)| exchanged(left) == *right)
    };
    let same_atom = |left: &FlatAtom, right: &FlatAtom| {
        left.name == right.name
            && left.form == right.form
            && same(&left.arguments, &right.arguments)
    };
    body.iter().any(|it| match (&literal.kind, &it.kind) {
        (LiteralKind::Positive(left), LiteralKind::Positive(right))
        | (LiteralKind::Negative(left), LiteralKind::Negative(right)) => same_atom(left, right),
        (LiteralKind::Distinct(left, right), LiteralKind::Distinct(first, second)) => {
            (same(left, first) && same(right, second)) || (same(left, second) && same(right, first))
        }
        _ => false,
    })
}
