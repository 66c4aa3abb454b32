//! Totals: sums of weights of fluents that are the same in every state. A counter of the pieces on a board and these pieces have
//! one, or a counter of steps and the marks that were made.

use std::collections::BTreeMap;

use fxhash::FxHashMap;
use groundfrog::game::{AtomId, GroundGame};
use groundfrog_reasoner::{FluentId, State};
use rustsat::types::Lit;

use crate::changes::{Changes, Choice, choice, sum_of};
use crate::condition::Condition;
use crate::families::Form;
use crate::formula::Answer;
use crate::measure::Weights;
use crate::property::Claim;
use crate::unrolling::Unrolling;

/// More features of fluents are not counted.
const MOST_FEATURES: usize = 160;
/// From so many states the weights of features follow.
const MOST_STATES: usize = 1500;
/// Weights are found modulo this prime; larger ones are not taken.
const PRIME: i64 = (1 << 31) - 1;
const LARGEST_WEIGHT: i64 = 1 << 16;

/// A literal that holds just where the total is as given.
pub(crate) fn literal(
    unrolling: &mut Unrolling<'_>,
    state: usize,
    sum: i64,
    groups: &[Weights],
) -> Lit {
    let choices: Vec<Choice> =
        groups.iter().map(|group| choice(unrolling, state, 1, group)).collect();
    let others = sum_of(unrolling, &choices, sum).others();
    !unrolling.formula.any(&others)
}

/// Whether some joint move changes the total, where these hold.
pub(crate) fn solve_change<'game>(
    unrolling: &mut Unrolling<'game>,
    assumptions: &[Lit],
    groups: &[Weights],
) -> Answer {
    let fluents: Vec<Vec<AtomId>> =
        groups.iter().map(|group| group.iter().map(|&(fluent, _)| fluent).collect()).collect();
    let Some(changes) = Changes::new(unrolling, 0, assumptions, &fluents) else {
        return Answer::Unknown;
    };
    let differs = |unrolling: &mut Unrolling<'game>, changed: &[usize]| {
        let both = |&group: &usize| {
            [(0, -1), (1, 1)].map(|(state, sign)| choice(unrolling, state, sign, &groups[group]))
        };
        let choices: Vec<Choice> = changed.iter().flat_map(both).collect();
        let equal = sum_of(unrolling, &choices, 0).equal;
        !unrolling.formula.any(&equal)
    };
    changes.solve(unrolling, differs, |_| false)
}

/// Totals of counters and of what they may count, as far as all of the states have them. `counters` are the weights of the
/// values of a group of which one at most holds, as are the `groups`; of some of these just one does.
pub(crate) fn candidates(
    game: &GroundGame,
    forms: &[Form],
    counters: &[Weights],
    groups: &[(Vec<AtomId>, bool)],
    states: &[&State],
) -> Vec<Claim> {
    let first = game.fluents().next().map_or(0, |fluent| fluent.0);
    let apart = states.len().div_ceil(MOST_STATES).max(1);
    let mut found = Vec::new();
    for counter in counters.iter().filter(|counter| counter.len() > 2) {
        let weight_of: FxHashMap<u32, i64> =
            counter.iter().map(|&(fluent, weight)| (fluent.0 - first, weight)).collect();
        let features = features(forms, first, &weight_of);
        let mut features_of: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (number, feature) in features.iter().enumerate() {
            feature.iter().for_each(|&it| features_of.entry(it).or_default().push(number));
        }
        // 1, counts of the features, and the value of the counter.
        let row = |state: &State| {
            let mut row = vec![0; features.len() + 2];
            row[0] = 1;
            for FluentId(fluent) in state.fluents() {
                let own = features_of.get(&fluent).into_iter().flatten();
                own.for_each(|&feature| row[feature + 1] += 1);
                row[features.len() + 1] += weight_of.get(&fluent).copied().unwrap_or(0);
            }
            row.iter_mut().for_each(|it| *it = it.rem_euclid(PRIME));
            row
        };
        let rows = states.iter().step_by(apart).map(|state| row(state));
        let Some(solution) = solve(rows, features.len() + 1) else { continue };
        let mut weights: FxHashMap<AtomId, i64> = counter.iter().copied().collect();
        for (feature, factor) in features.iter().zip(&solution[1..]) {
            for &fluent in feature {
                *weights.entry(AtomId(first + fluent)).or_default() -= factor;
            }
        }
        if weights.values().filter(|&&weight| weight != 0).count() <= counter.len() {
            continue;
        }
        let total = |state: &State| -> i64 {
            let fluents = state.fluents().map(|it| AtomId(first + it.0));
            fluents.map(|fluent| weights.get(&fluent).copied().unwrap_or(0)).sum()
        };
        let sum = solution[0];
        if states.iter().all(|state| total(state) == sum) {
            let (sum, groups) = grouped(sum, weights, counter, groups);
            let claim = Claim { parts: vec![Condition::Total { sum, groups }] };
            if !found.contains(&claim) {
                found.push(claim);
            }
        }
    }
    found
}

/// Sets of fluents with a constant at a place in common, the largest first; fluents of the counter are in none.
fn features(forms: &[Form], first: u32, counter: &FxHashMap<u32, i64>) -> Vec<Vec<u32>> {
    let mut features: BTreeMap<(usize, usize, u32), Vec<u32>> = BTreeMap::new();
    for (number, form) in forms.iter().enumerate() {
        for (fluent, row) in form.fluents.iter().zip(&form.rows) {
            let fluent = fluent.0 - first;
            if counter.contains_key(&fluent) {
                continue;
            }
            for (place, &constant) in row.iter().enumerate() {
                features.entry((number, place, constant)).or_default().push(fluent);
            }
        }
    }
    let mut features: Vec<Vec<u32>> = features.into_values().collect();
    features.sort_by_key(|feature| std::cmp::Reverse(feature.len()));
    features.truncate(MOST_FEATURES);
    features
}

/// Whole numbers by which the columns, but for the last one, add up to the last one in every row; those that are not needed are 0.
/// They are found modulo a prime, where no digits are lost: fractions look like large numbers there.
fn solve(rows: impl Iterator<Item = Vec<i64>>, columns: usize) -> Option<Vec<i64>> {
    // Each with a 1 in its own column, where the others have 0.
    let mut reduced: Vec<(usize, Vec<i64>)> = Vec::new();
    let subtract = |row: &mut [i64], column: usize, known: &[i64]| {
        let factor = row[column];
        if factor != 0 {
            let pairs = row.iter_mut().zip(known).filter(|(_, other)| **other != 0);
            pairs.for_each(|(one, other)| *one = (*one - factor * other).rem_euclid(PRIME));
        }
    };
    for mut row in rows {
        reduced.iter().for_each(|(column, known)| subtract(&mut row, *column, known));
        let Some(column) = row.iter().position(|&it| it != 0) else { continue };
        if column == columns {
            return None;
        }
        let factor = inverse(row[column]);
        row.iter_mut().for_each(|it| *it = *it * factor % PRIME);
        reduced.iter_mut().for_each(|(_, known)| subtract(known, column, &row));
        reduced.push((column, row));
    }
    let mut solution = vec![0; columns];
    for (column, row) in reduced {
        let value = row[columns];
        let value = if value > PRIME / 2 { value - PRIME } else { value };
        if value.abs() > LARGEST_WEIGHT {
            return None;
        }
        solution[column] = value;
    }
    Some(solution)
}

/// The number by which another one has to be multiplied to be 1, modulo the prime.
fn inverse(number: i64) -> i64 {
    let (mut power, mut base, mut exponent) = (1, number, PRIME - 2);
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = power * base % PRIME;
        }
        base = base * base % PRIME;
        exponent /= 2;
    }
    power
}

/// The weights other than 0 by groups, those of the counter first, and their sum. Where just one of a group holds, the weight that
/// most of it have is taken from all of them, so that few are left.
fn grouped(
    mut sum: i64,
    mut weights: FxHashMap<AtomId, i64>,
    counter: &Weights,
    groups: &[(Vec<AtomId>, bool)],
) -> (i64, Vec<Weights>) {
    let own: Vec<AtomId> = counter.iter().map(|&(fluent, _)| fluent).collect();
    let mut found = Vec::new();
    for (group, is_exact) in std::iter::once(&(own, false)).chain(groups) {
        let taken = group.iter().filter_map(|it| Some((*it, weights.remove(it)?)));
        let mut taken: Weights = taken.collect();
        if *is_exact && !taken.is_empty() {
            let known: FxHashMap<AtomId, i64> = taken.into_iter().collect();
            taken = group.iter().map(|it| (*it, known.get(it).copied().unwrap_or(0))).collect();
            let usual = most_common(&taken);
            taken.iter_mut().for_each(|(_, weight)| *weight -= usual);
            sum -= usual;
        }
        taken.retain(|&(_, weight)| weight != 0);
        if !taken.is_empty() {
            found.push(taken);
        }
    }
    let mut single: Weights = weights.into_iter().filter(|&(_, weight)| weight != 0).collect();
    single.sort_unstable();
    found.extend(single.into_iter().map(|it| vec![it]));
    (sum, found)
}

fn most_common(weights: &Weights) -> i64 {
    let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
    weights.iter().for_each(|&(_, weight)| *counts.entry(weight).or_default() += 1);
    counts.into_iter().max_by_key(|&(_, count)| count).map_or(0, |(weight, _)| weight)
}
