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
/// values of a group of which one at most holds, as are the `groups`.
pub(crate) fn candidates(
    game: &GroundGame,
    forms: &[Form],
    counters: &[Weights],
    groups: &[Vec<AtomId>],
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
        // Counts of the features, 1, and the value of the counter.
        let row = |state: &State| {
            let mut row = vec![0.0; features.len() + 2];
            row[features.len()] = 1.0;
            for FluentId(fluent) in state.fluents() {
                let own = features_of.get(&fluent).into_iter().flatten();
                own.for_each(|&feature| row[feature] += 1.0);
                row[features.len() + 1] += weight_of.get(&fluent).map_or(0.0, |&it| it as f64);
            }
            row
        };
        let rows = states.iter().step_by(apart).map(|state| row(state));
        let Some(solution) = solve(rows, features.len() + 1) else { continue };
        let mut weights: FxHashMap<AtomId, i64> = counter.iter().copied().collect();
        for (feature, factor) in features.iter().zip(&solution) {
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
        let sum = solution[features.len()];
        if states.iter().all(|state| total(state) == sum) {
            let groups = grouped(weights, counter, groups);
            found.push(Claim { parts: vec![Condition::Total { sum, groups }] });
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
fn solve(rows: impl Iterator<Item = Vec<f64>>, columns: usize) -> Option<Vec<i64>> {
    const NOTHING: f64 = 1e-7;
    // Each with a 1 in its own column, where the others have 0.
    let mut reduced: Vec<(usize, Vec<f64>)> = Vec::new();
    for mut row in rows {
        for (column, known) in &reduced {
            let factor = row[*column];
            if factor.abs() > NOTHING {
                row.iter_mut().zip(known).for_each(|(one, other)| *one -= factor * other);
            }
        }
        let Some(column) = row.iter().position(|it| it.abs() > NOTHING) else { continue };
        if column == columns {
            return None;
        }
        let pivot = row[column];
        row.iter_mut().for_each(|it| *it /= pivot);
        for (_, known) in &mut reduced {
            let factor = known[column];
            if factor.abs() > NOTHING {
                known.iter_mut().zip(&row).for_each(|(one, other)| *one -= factor * other);
            }
        }
        reduced.push((column, row));
    }
    let mut solution = vec![0; columns];
    for (column, row) in reduced {
        let value = row[columns].round();
        if (row[columns] - value).abs() > 1e-4 || value.abs() > 1e6 {
            return None;
        }
        solution[column] = value as i64;
    }
    Some(solution)
}

/// The weights other than 0 by groups, those of the counter first.
fn grouped(
    mut weights: FxHashMap<AtomId, i64>,
    counter: &Weights,
    groups: &[Vec<AtomId>],
) -> Vec<Weights> {
    weights.retain(|_, weight| *weight != 0);
    let own: Vec<AtomId> = counter.iter().map(|&(fluent, _)| fluent).collect();
    let mut found = Vec::new();
    for group in std::iter::once(&own).chain(groups) {
        let taken = group.iter().filter_map(|it| Some((*it, weights.remove(it)?)));
        let taken: Weights = taken.collect();
        if !taken.is_empty() {
            found.push(taken);
        }
    }
    let mut single: Weights = weights.into_iter().collect();
    single.sort_unstable();
    found.extend(single.into_iter().map(|it| vec![it]));
    found
}
