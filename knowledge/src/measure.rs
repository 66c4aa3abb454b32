//! Measures of states that every joint move makes greater: a match ends when there is no greater value.
//!
//! A measure is the sum of the weights of the fluents that hold. Weights are learned from joint moves: by a perceptron, until
//! each of them makes the measure greater. Fluents share what the weights of their arguments, and of pairs of these, are, so
//! that what was seen on some cells is assumed of others. Then the solver looks for a joint move that does not, from which
//! the weights are learned again.

use std::collections::BTreeMap;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::game::AtomId;
use rustsat::types::Lit;

use crate::families::Form;
use crate::formula::Answer;
use crate::unrolling::Unrolling;

/// Weights of fluents.
pub(crate) type Weights = Vec<(AtomId, i64)>;

/// Fluents that a joint move lets hold no more, and those that it lets hold.
pub(crate) type Change = (Vec<AtomId>, Vec<AtomId>);

/// Partial sums of a measure in one formula.
const MOST_SUMS: usize = 400_000;
/// How often all joint moves are learned.
const EPOCHS: usize = 300;
/// How often the solver may find another joint move.
const ROUNDS: usize = 40;
/// More joint moves are not learned from at first.
const MOST_CHANGES: usize = 3000;

/// A literal that holds wherever the sum of the weights grows with the joint move made in a state. Where it holds, it may not
/// grow.
pub(crate) fn grows(unrolling: &mut Unrolling<'_>, state: usize, weights: &[(AtomId, i64)]) -> Lit {
    let yes = unrolling.formula.yes();
    grows_where(unrolling, state, weights, yes)
}

/// As [`grows`], as far as another literal holds.
fn grows_where(
    unrolling: &mut Unrolling<'_>,
    state: usize,
    weights: &[(AtomId, i64)],
    applies: Lit,
) -> Lit {
    let largest = weights.iter().map(|(_, weight)| weight.abs()).max().unwrap_or(0);
    let bound = (4 * largest + 8).min((MOST_SUMS / weights.len().max(1)) as i64);
    // By value of the sum so far: a literal that holds where it is reached. Greater sums count as the bound; a sum that is lower
    // is lost, and claims nothing.
    let mut reached: BTreeMap<i64, Lit> = BTreeMap::from([(0, applies)]);
    for &(fluent, weight) in weights {
        let (before, after) =
            (unrolling.literal(state, fluent), unrolling.literal(state + 1, fluent));
        let mut next: BTreeMap<i64, Lit> = BTreeMap::new();
        for (&sum, &here) in &reached {
            let ways: [(i64, &[Lit]); 4] = [
                (weight, &[before, !after]),
                (-weight, &[!before, after]),
                (0, &[before, after]),
                (0, &[!before, !after]),
            ];
            for (change, unless) in ways {
                let sum = (sum + change).min(bound);
                if sum < -bound {
                    continue;
                }
                let there = *next.entry(sum).or_insert_with(|| unrolling.formula.variable());
                let mut clause = vec![!here, there];
                clause.extend(unless);
                unrolling.formula.add(&clause);
            }
        }
        reached = next;
        if unrolling.formula.is_over() {
            break;
        }
    }
    let positive: Vec<Lit> = reached.range(1..).map(|(_, &literal)| literal).collect();
    unrolling.formula.any(&positive)
}

/// Looks for a measure that each joint move makes greater. `ranked` are weights of single groups that are worth trying.
pub(crate) fn learn(
    unrolling: &mut Unrolling<'_>,
    forms: &[Form],
    ranked: &[Weights],
    steps: impl Iterator<Item = Change>,
) -> Option<Weights> {
    let features = Features::new(forms, ranked);
    let mut seen: FxHashSet<Vec<(usize, i64)>> = FxHashSet::default();
    let mut learned: Vec<Vec<(usize, i64)>> = Vec::new();
    for change in steps {
        if learned.len() >= MOST_CHANGES {
            break;
        }
        let row = features.of_change(&change);
        if seen.insert(row.clone()) {
            learned.push(row);
        }
    }
    let mut known = vec![0_i64; features.count];
    for _ in 0..ROUNDS {
        if unrolling.formula.is_over() || !teach(&mut known, &learned) {
            return None;
        }
        let weights = features.weights(&known);
        if weights.is_empty() || weights.len() > MOST_SUMS / 16 {
            return None;
        }
        // The sums of one round are of no use in the next.
        let this_round = unrolling.formula.variable();
        let grows = grows_where(unrolling, 0, &weights, this_round);
        let goes_on = unrolling.goes_on(0);
        match unrolling.formula.solve(&[goes_on, this_round, !grows]) {
            Answer::Unsatisfiable => return Some(weights),
            Answer::Unknown => return None,
            Answer::Satisfiable => {}
        }
        let (before, after) = (unrolling.state(0), unrolling.state(1));
        let row = features.of_change(&change(&before, &after));
        if !seen.insert(row.clone()) {
            return None;
        }
        learned.push(row);
    }
    None
}

/// What differs between two states, each ascending.
fn change(before: &[AtomId], after: &[AtomId]) -> Change {
    let without = |these: &[AtomId], those: &[AtomId]| {
        these.iter().copied().filter(|it| those.binary_search(it).is_err()).collect()
    };
    (without(before, after), without(after, before))
}

/// Changes the weights until every row has a sum of 1 at least. Says whether it could.
fn teach(weights: &mut [i64], rows: &[Vec<(usize, i64)>]) -> bool {
    for _ in 0..EPOCHS {
        let mut is_changed = false;
        for row in rows {
            if row.is_empty() {
                return false;
            }
            let sum: i64 = row.iter().map(|&(feature, count)| weights[feature] * count).sum();
            if sum < 1 {
                row.iter().for_each(|&(feature, count)| weights[feature] += count);
                is_changed = true;
            }
        }
        if !is_changed {
            return true;
        }
    }
    false
}

/// What fluents have in common.
struct Features {
    /// By fluent: features, and how often it has them.
    of_fluent: FxHashMap<AtomId, Vec<(usize, i64)>>,
    count: usize,
}

impl Features {
    fn new(forms: &[Form], ranked: &[Weights]) -> Self {
        let mut numbers: FxHashMap<(usize, Vec<(usize, u32)>), usize> = FxHashMap::default();
        let mut of_fluent: FxHashMap<AtomId, Vec<(usize, i64)>> = FxHashMap::default();
        for (form, it) in forms.iter().enumerate() {
            for (&fluent, row) in it.fluents.iter().zip(&it.rows) {
                let constants: Vec<(usize, u32)> = row.iter().copied().enumerate().collect();
                let mut keys = vec![(form, Vec::new())];
                for (place, &one) in constants.iter().enumerate() {
                    keys.push((form, vec![one]));
                    let pairs = constants[place + 1..].iter();
                    keys.extend(pairs.map(|&other| (form, vec![one, other])));
                }
                let own = of_fluent.entry(fluent).or_default();
                for key in keys {
                    let next = numbers.len();
                    own.push((*numbers.entry(key).or_insert(next), 1));
                }
            }
        }
        let first = numbers.len();
        for (number, weights) in ranked.iter().enumerate() {
            for &(fluent, weight) in weights {
                of_fluent.entry(fluent).or_default().push((first + number, weight));
            }
        }
        Features { of_fluent, count: first + ranked.len() }
    }

    fn of_change(&self, (gone, come): &Change) -> Vec<(usize, i64)> {
        let mut counts: BTreeMap<usize, i64> = BTreeMap::new();
        for (fluents, sign) in [(gone, -1), (come, 1)] {
            for (feature, count) in fluents.iter().flat_map(|it| &self.of_fluent[it]) {
                *counts.entry(*feature).or_default() += sign * count;
            }
        }
        counts.into_iter().filter(|&(_, count)| count != 0).collect()
    }

    /// The weights of fluents, those of 0 left out.
    fn weights(&self, known: &[i64]) -> Weights {
        let weight = |own: &Vec<(usize, i64)>| {
            own.iter().map(|&(feature, count)| known[feature] * count).sum::<i64>()
        };
        let mut weights: Weights =
            self.of_fluent.iter().map(|(&fluent, own)| (fluent, weight(own))).collect();
        weights.retain(|&(_, weight)| weight != 0);
        weights.sort_unstable();
        let common = weights.iter().fold(0, |common, &(_, weight)| divisor(common, weight.abs()));
        weights.iter_mut().for_each(|(_, weight)| *weight /= common.max(1));
        weights
    }
}

fn divisor(one: i64, other: i64) -> i64 {
    if other == 0 { one } else { divisor(other, one % other) }
}

/// How much greater a measure can get from the least it can be: `groups` are fluents of which one at most holds, and whether
/// one always does.
pub(crate) fn range(weights: &[(AtomId, i64)], groups: &[(Vec<AtomId>, bool)]) -> Option<u64> {
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
