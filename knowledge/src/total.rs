//! Totals: sums of weights of fluents that are the same in every state. A counter of the pieces on a board and these pieces have
//! one, or a counter of steps and the marks that were made.

use std::collections::BTreeMap;

use fxhash::FxHashMap;
use groundfrog::game::{AtomId, GroundGame};
use groundfrog_reasoner::{FluentId, State};
use rustsat::types::Lit;

use crate::bodies::Bodies;
use crate::changes::{Changes, Choice, choice, sum_of};
use crate::condition::Condition;
use crate::ending::{Follows, longest};
use crate::families::Form;
use crate::formula::Answer;
use crate::measure::Weights;
use crate::property::Claim;
use crate::unrolling::Unrolling;

/// More features of fluents are not counted.
const MOST_FEATURES: usize = 160;
/// From so many states the weights of features follow.
const MOST_STATES: usize = 1000;
/// Weights are found modulo this prime; larger ones are not taken.
const PRIME: i64 = (1 << 31) - 1;
const LARGEST_WEIGHT: i64 = 1 << 16;
/// No more totals are looked at.
const MOST_TOTALS: usize = 40;

/// Whether just one of a group of fluents holds, of which one at most does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fill {
    Exact,
    /// As far as the sample says.
    SeemsExact,
    AtMostOne,
}

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

/// Totals of what fluents count, as far as all of the states have them, those with few groups first. One at most of each of the `groups`
/// holds; `numbers` are those whose values may be counted.
pub(crate) fn candidates(
    game: &GroundGame,
    forms: &[Form],
    numbers: &[&Vec<AtomId>],
    groups: &[(Vec<AtomId>, Fill)],
    states: &[&State],
) -> Vec<Claim> {
    let first = game.fluents().next().map_or(0, |fluent| fluent.0);
    let apart = states.len().div_ceil(MOST_STATES).max(1);
    // What counts few fluents comes first, so that the others follow from that.
    let bodies = Bodies::new(game);
    let mut columns: Vec<Weights> =
        numbers.iter().filter_map(|group| number(&bodies, group)).collect();
    columns.extend(features(forms).into_iter().rev());
    let mut columns_of: Vec<Vec<(usize, i64)>> = vec![Vec::new(); game.fluents().count()];
    for (number, column) in columns.iter().enumerate() {
        for &(fluent, weight) in column {
            columns_of[(fluent.0 - first) as usize].push((number + 1, weight));
        }
    }
    // 1, and what each column counts.
    let row = |state: &State| {
        let mut row = vec![0; columns.len() + 1];
        row[0] = 1;
        for FluentId(fluent) in state.fluents() {
            columns_of[fluent as usize].iter().for_each(|&(number, weight)| row[number] += weight);
        }
        row.iter_mut().for_each(|it| *it = it.rem_euclid(PRIME));
        row
    };
    let mut found: Vec<Claim> = Vec::new();
    let rows = states.iter().step_by(apart).map(|state| row(state));
    for solution in solutions(rows, columns.len() + 1) {
        if solution.iter().filter(|factor| **factor != 0).count() < 2 {
            // What is never counted has other lemmas.
            continue;
        }
        let mut weights: FxHashMap<AtomId, i64> = FxHashMap::default();
        for (column, factor) in columns.iter().zip(&solution[1..]).filter(|it| *it.1 != 0) {
            for &(fluent, weight) in column {
                *weights.entry(fluent).or_default() += factor * weight;
            }
        }
        let mut weight_of = vec![0; game.fluents().count()];
        weights
            .iter()
            .for_each(|(fluent, &weight)| weight_of[(fluent.0 - first) as usize] = weight);
        let total = |state: &State| -> i64 {
            state.fluents().map(|FluentId(fluent)| weight_of[fluent as usize]).sum()
        };
        let sum = -solution[0];
        if states.iter().all(|state| total(state) == sum) {
            let (sum, groups) = grouped(sum, weights, groups);
            let claim = Claim::of_states(vec![Condition::Total { sum, groups: groups.clone() }]);
            if groups.len() > 1 && !found.contains(&claim) {
                found.push(claim);
            }
        }
    }
    found.sort_by_key(size);
    found.truncate(MOST_TOTALS);
    found
}

/// How many groups a total has.
pub(crate) fn size(total: &Claim) -> usize {
    match &total.parts[..] {
        [Condition::Total { groups, .. }] => groups.len(),
        _ => 0,
    }
}

/// What the values of a group weigh, if its rules tell in which order they follow each other: those for each that read another. That
/// none holds, as after the last one, weighs 0.
fn number(bodies: &Bodies<'_>, group: &[AtomId]) -> Option<Weights> {
    let none = group.len();
    let value_of: FxHashMap<u32, usize> = group.iter().map(|it| it.0).zip(0..).collect();
    let mut follows = Follows::default();
    for (to, &fluent) in group.iter().enumerate() {
        for body in bodies.game.next(fluent).into_iter().flat_map(|next| bodies.of(next)) {
            let read = body.iter().filter(|it| !it.is_negated());
            let read = read.filter_map(|it| value_of.get(&it.atom()));
            for &from in read.filter(|from| **from != to) {
                follows.entry(from).or_default().insert(to);
            }
        }
    }
    if follows.len() < 2 {
        return None;
    }
    (0..none).for_each(|value| _ = follows.entry(value).or_insert_with(|| [none].into()));
    let weights: Vec<i64> = match longest(&follows, none + 1) {
        Some(lengths) => lengths.iter().map(|&length| -(length as i64)).collect(),
        None => on_a_path(&follows, none)?,
    };
    Some(group.iter().copied().zip(weights).collect())
}

/// The places of values of which each follows its neighbours, and they it.
fn on_a_path(follows: &Follows, values: usize) -> Option<Vec<i64>> {
    let are_near = |one: usize, other: usize| {
        [(one, other), (other, one)]
            .iter()
            .any(|(from, to)| follows.get(from).is_some_and(|known| known.contains(to)))
    };
    let near = |one: usize| (0..values).filter(move |&other| other != one && are_near(one, other));
    let mut here = (0..values).find(|&value| near(value).count() == 1)?;
    let mut places = vec![0; values];
    for place in 1..=values as i64 {
        places[here] = place;
        let mut next = near(here).filter(|&it| places[it] == 0);
        match (next.next(), next.next()) {
            (Some(next), None) => here = next,
            (None, None) if place == values as i64 => return Some(places),
            _ => return None,
        }
    }
    None
}

/// Fluents of a form, and those of them with a constant at a place in common, the largest such sets first: each counts 1.
fn features(forms: &[Form]) -> Vec<Weights> {
    let mut features: Vec<Vec<AtomId>> = Vec::new();
    for form in forms {
        features.push(form.fluents.clone());
        for place in 0..form.rows.first().map_or(0, Vec::len) {
            features.extend(form.by_constant(place).into_values());
        }
    }
    features.sort_by_key(|feature| std::cmp::Reverse(feature.len()));
    features.truncate(MOST_FEATURES);
    let weighed = |feature: Vec<AtomId>| feature.into_iter().map(|fluent| (fluent, 1)).collect();
    features.into_iter().map(weighed).collect()
}

/// Whole numbers by which the columns add up to 0 in every row: a solution for each column that follows from those before it, where it
/// has the factor 1. They are found modulo a prime, where no digits are lost: fractions look like large numbers there.
fn solutions(rows: impl Iterator<Item = Vec<i64>>, columns: usize) -> Vec<Vec<i64>> {
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
        let factor = inverse(row[column]);
        row.iter_mut().for_each(|it| *it = *it * factor % PRIME);
        reduced.iter_mut().for_each(|(_, known)| subtract(known, column, &row));
        reduced.push((column, row));
    }
    let is_own = |column: usize| reduced.iter().any(|&(own, _)| own == column);
    let mut solutions = Vec::new();
    for last in (0..columns).filter(|&column| !is_own(column)) {
        let mut solution = vec![0; columns];
        solution[last] = 1;
        for (column, row) in &reduced {
            let value = (PRIME - row[last]) % PRIME;
            solution[*column] = if value > PRIME / 2 { value - PRIME } else { value };
        }
        if solution.iter().all(|factor| factor.abs() <= LARGEST_WEIGHT) {
            solutions.push(solution);
        }
    }
    solutions
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

/// The weights other than 0 by groups, and their sum. Where just one of a group holds, the weight that most of it have is taken from
/// all of them, so that few are left; where just one seems to hold, if all have that weight.
fn grouped(
    mut sum: i64,
    mut weights: FxHashMap<AtomId, i64>,
    groups: &[(Vec<AtomId>, Fill)],
) -> (i64, Vec<Weights>) {
    let mut found = Vec::new();
    for (group, fill) in groups {
        let taken = group.iter().filter_map(|it| Some((*it, weights.remove(it)?)));
        let mut taken: Weights = taken.collect();
        let is_whole = taken.len() == group.len() && taken.iter().all(|it| it.1 == taken[0].1);
        let is_exact = *fill == Fill::Exact || *fill == Fill::SeemsExact && is_whole;
        if is_exact && !taken.is_empty() {
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
