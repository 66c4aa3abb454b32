//! Measures of states that every joint move makes greater: a match ends when there is no greater value.
//!
//! A measure has levels, each a sum of the weights of the fluents that hold; of two states the one is greater whose first
//! level that differs is. Levels are learned from joint moves, the first as one that none of them makes less; those that it
//! leaves the same are left to the next ones. Then the solver looks for a joint move that does not make the measure greater, from
//! which it is learned again.

mod levels;
mod perceptron;

use std::collections::BTreeMap;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::game::AtomId;
use rustsat::types::Lit;

use crate::changes::{Choice, choice, solve_by_moves, sum_of};
use crate::families::Form;
use crate::formula::Answer;
use crate::unrolling::Unrolling;
use levels::Learner;

/// Weights of fluents.
pub(crate) type Weights = Vec<(AtomId, i64)>;

/// The levels of a measure, the first of which counts most.
pub(crate) type Measure = Vec<Weights>;

/// Fluents that a joint move lets hold no more, and those that it lets hold, each ascending.
pub(crate) type Change = (Vec<AtomId>, Vec<AtomId>);

/// How often the solver may find another joint move.
const ROUNDS: usize = 200;
/// More joint moves are not learned from at first.
const MOST_CHANGES: usize = 3000;

/// A literal that holds nowhere but where the joint move made in a state makes the measure greater.
pub(crate) fn grows(unrolling: &mut Unrolling<'_>, state: usize, measure: &Measure) -> Lit {
    let levels = Levels::new(measure, &[]);
    let all: Vec<usize> = (0..levels.groups.len()).collect();
    !levels.fails(unrolling, state, &all)
}

/// Looks for a measure that each joint move makes greater. Of each of the groups one fluent at most holds. `follow` says what
/// changes with the joint move in the model that the solver found last.
pub(crate) fn learn(
    unrolling: &mut Unrolling<'_>,
    forms: &[Form],
    groups: &[Vec<AtomId>],
    changes: impl Iterator<Item = Change>,
    mut follow: impl FnMut(&Unrolling<'_>) -> Option<Change>,
) -> Option<Measure> {
    let mut seen: FxHashSet<Change> = FxHashSet::default();
    let mut learner = Learner::new(forms, groups);
    for change in changes {
        if seen.len() >= MOST_CHANGES {
            break;
        }
        if seen.insert(change.clone()) {
            learner.add(change);
        }
    }
    for _ in 0..ROUNDS {
        if unrolling.formula.is_over() {
            return None;
        }
        let measure = learner.measure()?;
        let levels = Levels::new(&measure, groups);
        let fails = |unrolling: &mut Unrolling<'_>, changed: &[usize]| {
            levels.fails(unrolling, 0, changed)
        };
        match solve_by_moves(unrolling, 0, &[], &levels.groups, fails) {
            Answer::Unsatisfiable => return Some(measure),
            Answer::Unknown => return None,
            Answer::Satisfiable => {}
        }
        let change = follow(unrolling)?;
        if !seen.insert(change.clone()) {
            return None;
        }
        learner.add(change);
    }
    None
}

/// The fluents of a measure in groups of which one at most holds.
struct Levels {
    groups: Vec<Vec<AtomId>>,
    /// By level and group.
    weights: Vec<Vec<Weights>>,
}

impl Levels {
    fn new(measure: &Measure, known: &[Vec<AtomId>]) -> Self {
        let mut left: FxHashSet<AtomId> =
            measure.iter().flatten().map(|&(fluent, _)| fluent).collect();
        let mut groups: Vec<Vec<AtomId>> = Vec::new();
        for group in known {
            let own: Vec<AtomId> = group.iter().copied().filter(|it| left.remove(it)).collect();
            groups.extend((!own.is_empty()).then_some(own));
        }
        let mut single: Vec<AtomId> = left.into_iter().collect();
        single.sort_unstable();
        groups.extend(single.into_iter().map(|fluent| vec![fluent]));
        let of_level = |level: &Weights| {
            let weight_of: FxHashMap<AtomId, i64> = level.iter().copied().collect();
            let weighed = |group: &Vec<AtomId>| {
                group.iter().filter_map(|it| Some((*it, *weight_of.get(it)?))).collect()
            };
            groups.iter().map(weighed).collect()
        };
        let weights = measure.iter().map(of_level).collect();
        Levels { groups, weights }
    }

    /// A literal that holds only where the measure does not grow, if no groups change but these.
    fn fails(&self, unrolling: &mut Unrolling<'_>, state: usize, changed: &[usize]) -> Lit {
        let fails = unrolling.formula.variable();
        let mut is_same = fails;
        for level in &self.weights {
            let sides = [(state, -1), (state + 1, 1)];
            let both = |&group: &usize| {
                sides.map(|(state, sign)| choice(unrolling, state, sign, &level[group]))
            };
            let choices: Vec<Choice> = changed.iter().flat_map(both).collect();
            let sum = sum_of(unrolling, &choices, 0);
            let (is_less, stays) = (unrolling.formula.variable(), unrolling.formula.variable());
            unrolling.formula.add(&[!is_same, is_less, stays]);
            for (which, excluded) in [
                (is_less, &sum.equal),
                (is_less, &sum.more),
                (stays, &sum.less),
                (stays, &sum.more),
            ] {
                excluded.iter().for_each(|&it| unrolling.formula.add(&[!which, !it]));
            }
            is_same = stays;
        }
        fails
    }
}

/// What differs between two states, each ascending.
pub(crate) fn change(before: &[AtomId], after: &[AtomId]) -> Change {
    let without = |these: &[AtomId], those: &[AtomId]| {
        these.iter().copied().filter(|it| those.binary_search(it).is_err()).collect()
    };
    (without(before, after), without(after, before))
}

/// How often a measure can get greater: `groups` are fluents of which one at most holds, and whether one always does.
pub(crate) fn most_growths(measure: &Measure, groups: &[(Vec<AtomId>, bool)]) -> Option<u64> {
    let mut values: u64 = 1;
    for weights in measure {
        values = values.checked_mul(range(weights, groups)?.checked_add(1)?)?;
    }
    Some(values - 1)
}

/// How much greater a sum can get from the least it can be.
fn range(weights: &[(AtomId, i64)], groups: &[(Vec<AtomId>, bool)]) -> Option<u64> {
    let mut left: BTreeMap<AtomId, i64> = weights.iter().copied().collect();
    let mut range: i64 = 0;
    for (group, is_exact) in groups {
        if !group.iter().any(|fluent| left.contains_key(fluent)) {
            continue;
        }
        // A fluent that was counted with another group has no weight here.
        let values: Vec<i64> =
            group.iter().map(|fluent| left.remove(fluent).unwrap_or(0)).collect();
        let none = if *is_exact { values.first().copied() } else { Some(0) };
        let all = || values.iter().copied().chain(none);
        range = range.checked_add(all().max()?.checked_sub(all().min()?)?)?;
    }
    for weight in left.into_values() {
        range = range.checked_add(weight.abs())?;
    }
    u64::try_from(range).ok()
}
