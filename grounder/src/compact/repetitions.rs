//! How often a rule has the same instance because variables of its body can change places.

use std::hash::{Hash, Hasher};

use fxhash::{FxHashMap, FxHasher};
use groundfrog_engine::Argument;
use groundfrog_engine::projection::{VariableSet, members};

use super::auxiliaries::for_each_argument;
use super::estimate::literal_variables;
use crate::rewrite::sentence_forms::{FlatAtom, FlatLiteral, LiteralKind};

/// In how many orders the values of these variables give the same instance, where they are all different: a
/// factor for each set of variables any two of which can change places without changing the body.
pub(super) fn repetitions(body: &[&FlatLiteral], variables: VariableSet) -> f64 {
    let used = body.iter().map(|it| literal_variables(it)).fold(0, |all, it| all | it);
    let mut left = variables & used;
    let mut factor = 1.0;
    let places = places(body);
    while let Some(one) = members(left).next() {
        left &= !(1 << one);
        let mut size = 1.0;
        for other in members(left).filter(|it| places[it] == places[&one]) {
            if body.iter().all(|literal| has_exchanged(body, literal, one, other)) {
                left &= !(1 << other);
                size += 1.0;
                factor *= size;
            }
        }
    }
    factor
}

/// By variable: a number for where it stands in which literals with which constants. Variables that can change places
/// have the same.
fn places(body: &[&FlatLiteral]) -> FxHashMap<u32, u64> {
    let mut places: FxHashMap<u32, u64> = FxHashMap::default();
    for literal in body {
        let mut of_literal = FxHasher::default();
        literal.form().hash(&mut of_literal);
        for_each_argument(&literal.kind, &mut |it| match it {
            Argument::Constant(it) => it.hash(&mut of_literal),
            Argument::Variable(_) => {}
        });
        // The sides of a comparison may change places, and so do the constants of both.
        let both: [&[Argument]; 2] = match &literal.kind {
            LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => [&atom.arguments, &[]],
            LiteralKind::Distinct(left, right) => [left, right],
        };
        let is_comparison = matches!(literal.kind, LiteralKind::Distinct(..));
        for (place, it) in both.iter().flat_map(|side| side.iter().enumerate()) {
            let Some(variable) = it.variable() else { continue };
            let mut own = FxHasher::default();
            place.hash(&mut own);
            if !is_comparison {
                of_literal.finish().hash(&mut own);
            }
            let sum = places.entry(variable).or_default();
            *sum = sum.wrapping_add(own.finish());
        }
    }
    places
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
