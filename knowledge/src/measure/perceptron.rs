//! Weights that a perceptron learns from what joint moves change. Fluents share what the weights of their arguments, and of
//! pairs of these, are, so that what was seen on some cells is assumed of others.

use std::collections::BTreeMap;

use fxhash::FxHashMap;
use groundfrog::game::AtomId;

use super::{Change, Weights};
use crate::families::Form;

/// How often all joint moves are learned.
const EPOCHS: usize = 300;

/// Changes the weights until every row has a sum of 1 at least. Says whether it could.
pub(super) fn teach(weights: &mut [i64], rows: &[Vec<(usize, i64)>]) -> bool {
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
pub(super) struct Features {
    /// By fluent: features, and how often it has them.
    of_fluent: FxHashMap<AtomId, Vec<(usize, i64)>>,
    pub(super) count: usize,
}

impl Features {
    pub(super) fn new(forms: &[Form]) -> Self {
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
        Features { of_fluent, count: numbers.len() }
    }

    pub(super) fn of_change(&self, (gone, come): &Change) -> Vec<(usize, i64)> {
        let mut counts: BTreeMap<usize, i64> = BTreeMap::new();
        for (fluents, sign) in [(gone, -1), (come, 1)] {
            for (feature, count) in fluents.iter().flat_map(|it| &self.of_fluent[it]) {
                *counts.entry(*feature).or_default() += sign * count;
            }
        }
        counts.into_iter().filter(|&(_, count)| count != 0).collect()
    }

    /// The weights of fluents, those of 0 left out.
    pub(super) fn weights(&self, known: &[i64]) -> Weights {
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
