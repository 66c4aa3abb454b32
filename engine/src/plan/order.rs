//! Join order: greedy by estimated fan-out, from real cardinalities.

use smallvec::{SmallVec, smallvec};

use super::Flags;
use crate::program::{Argument, Atom};
use crate::statistics::TableStatistics;
use crate::table::Tables;
use crate::tuning::{GROWING_ROWS, INDEX_COST, LARGE_INDEX, LONG_BODY, WORTH_A_SEARCH};

/// An order of the positive literals of a body.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    /// Positions in the body.
    pub(crate) literals: SmallVec<[usize; 8]>,
    /// Estimated number of rows looked at.
    pub(crate) cost: f64,
    /// Estimated number of bindings of all variables.
    pub(crate) rows: f64,
}

/// What ordering needs to know of one literal.
struct Candidate<'run> {
    position: usize,
    atom: &'run Atom,
    rows: f64,
    /// By column.
    distinct: &'run [f64],
    /// No column has fewer distinct constants.
    least: f64,
    /// Bits of its variables; several share one if there are many.
    variables: u64,
    /// What it costs to make an index, in rows to look at.
    index: f64,
}

/// How hard to look for an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Search {
    /// Greedily.
    Quick,
    /// Greedily from each literal as the first, where that may pay.
    Thorough,
}

/// Orders the positive literals of a body, `given` first if there is one.
pub(crate) fn order(
    body: &[(usize, &Atom)],
    given: Option<usize>,
    variables: usize,
    tables: &Tables,
    statistics: &mut TableStatistics,
    growing: impl Fn(&Atom) -> bool,
    search: Search,
) -> Order {
    for (_, atom) in body {
        statistics.update(tables, atom.predicate);
    }
    let mut candidates: SmallVec<[Candidate<'_>; 8]> = SmallVec::with_capacity(body.len());
    for &(position, atom) in body {
        let measure = statistics.latest(atom.predicate);
        let (mut rows, mut least) = (measure.rows, 1.0);
        let grows = growing(atom);
        let index = if rows < LARGE_INDEX || grows { 0.0 } else { rows * INDEX_COST };
        if grows && rows < GROWING_ROWS {
            rows = GROWING_ROWS;
            // As many constants as each of so many columns has.
            least = GROWING_ROWS.powf(1.0 / measure.distinct.len().max(1) as f64);
        }
        let distinct = &measure.distinct;
        let variables = atom.variables().fold(0, |all, it| all | 1 << (it % u64::BITS));
        candidates.push(Candidate { position, atom, rows, distinct, least, variables, index });
    }
    if let Some(given) = given {
        let first = candidates.iter().position(|it| it.position == given);
        return greedy(&candidates, first, true, variables).0;
    }
    let (mut best, mut indexes) = greedy(&candidates, None, false, variables);
    let is_worth_it = best.cost > WORTH_A_SEARCH && candidates.len() <= LONG_BODY;
    if search == Search::Thorough && is_worth_it {
        for first in 0..candidates.len() {
            let (order, its_indexes) = greedy(&candidates, Some(first), false, variables);
            if order.cost + its_indexes < (best.cost + indexes) * 0.99 {
                (best, indexes) = (order, its_indexes);
            }
        }
    }
    best
}

/// An order, and the cost of the indexes of large tables that it needs.
fn greedy(
    candidates: &[Candidate<'_>],
    first: Option<usize>,
    given: bool,
    variables: usize,
) -> (Order, f64) {
    let mut bound: Flags = smallvec![false; variables];
    // Those chosen, in the order of the choice, then those left, in the order of the body.
    let mut literals: SmallVec<[usize; 8]> = (0..candidates.len()).collect();
    let mut scores: SmallVec<[(f64, usize); 8]> =
        candidates.iter().map(|it| fan_out(it, &bound)).collect();
    let (mut rows, mut cost, mut indexes) = (1.0f64, 0.0f64, 0.0);
    for chosen in 0..literals.len() {
        let left = &mut literals[chosen..];
        let place = match first {
            Some(first) if chosen == 0 => first,
            _ => known(candidates, &scores, left).unwrap_or_else(|| cheapest(&scores, left)),
        };
        left[..=place].rotate_right(1);
        let candidate = &candidates[left[0]];
        if candidate.index > 0.0 && needs_index(candidate, &bound) {
            indexes += candidate.index;
        }
        if !(given && chosen == 0) {
            rows *= scores[left[0]].0;
            cost += rows.max(1.0);
        }
        let mut new = 0u64;
        for variable in candidate.atom.variables() {
            if !std::mem::replace(&mut bound[variable as usize], true) {
                new |= 1 << (variable % u64::BITS);
            }
        }
        if new == 0 {
            continue;
        }
        for &index in left[1..].iter().filter(|&&it| candidates[it].variables & new != 0) {
            scores[index] = fan_out(&candidates[index], &bound);
        }
    }
    literals.iter_mut().for_each(|it| *it = candidates[*it].position);
    (Order { literals, cost, rows }, indexes)
}

/// Whether some columns are known, not all, and not by constants alone: for these a large table is looked through.
fn needs_index(candidate: &Candidate<'_>, bound: &[bool]) -> bool {
    let is_bound = |it: u32| bound[it as usize];
    candidate.atom.variables().any(is_bound) && !candidate.atom.variables().all(is_bound)
}

/// In a long body, the place of the first candidate of which all is known.
fn known(candidates: &[Candidate<'_>], scores: &[(f64, usize)], left: &[usize]) -> Option<usize> {
    let is_known = |it: usize| scores[it].1 == candidates[it].atom.arguments.len();
    let is_long = candidates.len() > LONG_BODY;
    is_long.then(|| left.iter().position(|&it| is_known(it))).flatten()
}

/// The place of the candidate with the smallest fan-out; of equals the one with more known columns, then the
/// first.
fn cheapest(scores: &[(f64, usize)], left: &[usize]) -> usize {
    let mut best = 0;
    let mut best_score = (f64::INFINITY, 0usize);
    for (place, &index) in left.iter().enumerate() {
        let (fan_out, known) = scores[index];
        if fan_out < best_score.0 || (fan_out == best_score.0 && known > best_score.1) {
            best = place;
            best_score = (fan_out, known);
        }
    }
    best
}

/// The expected number of rows that match, and the number of known columns.
fn fan_out(candidate: &Candidate<'_>, bound: &[bool]) -> (f64, usize) {
    let (mut selectivity, mut known) = (1.0, 0);
    for (argument, distinct) in candidate.atom.arguments.iter().zip(candidate.distinct) {
        let is_known = match argument {
            Argument::Constant(_) => true,
            Argument::Variable(variable) => bound[*variable as usize],
        };
        if is_known {
            selectivity /= distinct.max(candidate.least);
            known += 1;
        }
    }
    (candidate.rows * selectivity, known)
}
