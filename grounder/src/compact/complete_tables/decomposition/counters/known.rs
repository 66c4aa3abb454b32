//! Other elements than some that are known to fulfil the conditions of each: as many more there are in all.
//!
//! ```text
//! (<= (legal ?p (join ?x)) (true (owns ?p ?x)) (true (owns ?p ?y)) (distinct ?x ?y))
//! ```
//!
//! There is another than `?x` if there are two, as `?x` is one of them.

use groundfrog_engine::projection::{VariableSet, set_of};
use groundfrog_engine::{Argument, Arguments};

use super::elements::Separated;
use crate::compact::variables::map_arguments;
use crate::flat::{FlatLiteral, LiteralKind};
use crate::tuning::complete_tables::known::MOST_COMPARED;

/// Takes out what says that an element is none of those that fulfil all conditions of an element by the rest, and differ
/// from each other. Returns how many these are.
pub(super) fn without_known(separated: &mut Separated, key: &[u32]) -> usize {
    let mut known: Vec<(FlatLiteral, Arguments)> = Vec::new();
    for literal in &separated.own {
        known.extend(other_than(literal, key, separated.block).map(|it| (literal.clone(), it)));
    }
    let mut room = MOST_COMPARED;
    while !known.is_empty() {
        let is_known = |it: &FlatLiteral| known.iter().any(|(literal, _)| literal == it);
        let own: Vec<FlatLiteral> =
            separated.own.iter().filter(|it| !is_known(it)).cloned().collect();
        let mut is_one = |at: usize| {
            let (_, tuple) = &known[at];
            let value = |it: Argument| {
                let place = it.variable().and_then(|it| key.iter().position(|&key| key == it));
                place.map_or(it, |place| tuple[place])
            };
            let of_key = set_of(key.iter().copied());
            let all = own
                .iter()
                .map(|it| FlatLiteral { kind: map_arguments(&it.kind, &value), ..it.clone() });
            let all: Vec<FlatLiteral> = all.collect();
            known[..at].iter().all(|(_, other)| differ(tuple, other, &separated.rest))
                && are_implied(
                    &all,
                    separated,
                    separated.block & !of_key,
                    &mut Vec::new(),
                    &mut room,
                )
        };
        match (0..known.len()).find(|&at| !is_one(at)) {
            Some(at) => _ = known.remove(at),
            None => {
                separated.own = own;
                break;
            }
        }
    }
    known.len()
}

/// The tuple, not about the element, that a literal says it differs from.
fn other_than(literal: &FlatLiteral, key: &[u32], block: VariableSet) -> Option<Arguments> {
    let LiteralKind::Distinct(left, right) = &literal.kind else { return None };
    let is_key = |it: &[Argument]| {
        it.len() == key.len() && it.iter().zip(key).all(|(it, key)| it.variable() == Some(*key))
    };
    let is_other = |it: &Argument| it.variable().is_none_or(|it| block >> it & 1 == 0);
    let other = match (is_key(left), is_key(right)) {
        (true, _) => right,
        (_, true) => left,
        _ => return None,
    };
    other.iter().all(is_other).then(|| other.clone())
}

/// Whether two tuples differ, as they do or the literals say.
fn differ(one: &Arguments, other: &Arguments, known: &[FlatLiteral]) -> bool {
    let are_constants = |(one, other): (&Argument, &Argument)| {
        one != other && one.variable().is_none() && other.variable().is_none()
    };
    one.iter().zip(other).any(are_constants)
        || known.iter().any(|it| match &it.kind {
            LiteralKind::Distinct(left, right) => {
                (left, right) == (one, other) || (left, right) == (other, one)
            }
            _ => false,
        })
}

/// Whether all of some literals are known by the rest, with some value for each variable that is `free`.
fn are_implied(
    literals: &[FlatLiteral],
    separated: &Separated,
    free: VariableSet,
    values: &mut Vec<(u32, Argument)>,
    room: &mut usize,
) -> bool {
    let Some((first, others)) = literals.split_first() else { return true };
    for known in &separated.rest {
        let Some(left) = room.checked_sub(1) else { return false };
        *room = left;
        if (first.joined, first.stored) != (known.joined, known.stored) {
            continue;
        }
        let before = values.len();
        for sides in pairs(&first.kind, &known.kind) {
            if sides.iter().all(|&(one, other)| is_value(one, other, free, values))
                && are_implied(others, separated, free, values, room)
            {
                return true;
            }
            values.truncate(before);
        }
    }
    false
}

/// The pairs of arguments that have to be the same for one literal to be another, in each way that they may be.
fn pairs(one: &LiteralKind, other: &LiteralKind) -> Vec<Vec<(Argument, Argument)>> {
    let zip = |left: &Arguments, right: &Arguments| -> Vec<(Argument, Argument)> {
        left.iter().copied().zip(right.iter().copied()).collect()
    };
    match (one, other) {
        (LiteralKind::Positive(one), LiteralKind::Positive(other))
        | (LiteralKind::Negative(one), LiteralKind::Negative(other)) => {
            let is_like = one.form == other.form && one.name == other.name;
            if is_like { vec![zip(&one.arguments, &other.arguments)] } else { Vec::new() }
        }
        (LiteralKind::Distinct(left, right), LiteralKind::Distinct(first, second))
            if left.len() == first.len() =>
        {
            [(first, second), (second, first)]
                .map(|(first, second)| [zip(left, first), zip(right, second)].concat())
                .to_vec()
        }
        _ => Vec::new(),
    }
}

/// Whether an argument is another, as a variable that is free may become by it.
fn is_value(
    one: Argument,
    other: Argument,
    free: VariableSet,
    values: &mut Vec<(u32, Argument)>,
) -> bool {
    let Some(variable) = one.variable().filter(|it| free >> it & 1 == 1) else {
        return one == other;
    };
    match values.iter().find(|it| it.0 == variable) {
        Some(&(_, value)) => value == other,
        None => {
            values.push((variable, other));
            true
        }
    }
}
