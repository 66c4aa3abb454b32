//! Join order: greedy by estimated fan-out, from real cardinalities.

use crate::program::{Argument, Atom};
use crate::statistics::TableStatistics;
use crate::table::Tables;

/// Above this estimated cost every literal is tried as the first.
const WORTH_A_SEARCH: f64 = 2_000.0;
/// A growing table is taken to have at least this many rows: it is not empty for long.
const GROWING_ROWS: f64 = 24.0;

/// An order of the positive literals of a body.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    /// Positions in the body.
    pub(crate) literals: Vec<usize>,
    /// Estimated number of rows looked at.
    pub(crate) cost: f64,
    /// Estimated number of bindings of all variables.
    pub(crate) rows: f64,
}

/// What ordering needs to know of one literal.
struct Candidate<'rule> {
    position: usize,
    atom: &'rule Atom,
    rows: f64,
    distinct: Vec<f64>,
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
) -> Order {
    search(body, given, variables, tables, statistics, growing, Search::Thorough)
}

/// The same, as thorough as asked for.
pub(crate) fn search(
    body: &[(usize, &Atom)],
    given: Option<usize>,
    variables: usize,
    tables: &Tables,
    statistics: &mut TableStatistics,
    growing: impl Fn(&Atom) -> bool,
    search: Search,
) -> Order {
    let candidates = candidates(body, tables, statistics, growing);
    if let Some(given) = given {
        let first = candidates.iter().position(|it| it.position == given);
        return greedy(&candidates, first, true, variables);
    }
    let mut best = greedy(&candidates, None, false, variables);
    let is_worth_it = best.cost > WORTH_A_SEARCH && candidates.len() <= 16;
    if search == Search::Thorough && is_worth_it {
        for first in 0..candidates.len() {
            let order = greedy(&candidates, Some(first), false, variables);
            if order.cost < best.cost * 0.99 {
                best = order;
            }
        }
    }
    best
}

fn candidates<'rule>(
    body: &[(usize, &'rule Atom)],
    tables: &Tables,
    statistics: &mut TableStatistics,
    growing: impl Fn(&Atom) -> bool,
) -> Vec<Candidate<'rule>> {
    body.iter()
        .map(|&(position, atom)| {
            let measure = statistics.measure(tables, atom.predicate);
            let mut rows = measure.rows;
            let mut distinct = measure.distinct.clone();
            if growing(atom) && rows < GROWING_ROWS {
                rows = GROWING_ROWS;
                let each = rows.powf(1.0 / distinct.len().max(1) as f64);
                distinct.iter_mut().for_each(|it| *it = it.max(each));
            }
            Candidate { position, atom, rows, distinct }
        })
        .collect()
}

fn greedy(
    candidates: &[Candidate<'_>],
    first: Option<usize>,
    given: bool,
    variables: usize,
) -> Order {
    let mut bound = vec![false; variables];
    let mut left: Vec<usize> = (0..candidates.len()).collect();
    let mut literals = Vec::with_capacity(candidates.len());
    let (mut rows, mut cost) = (1.0f64, 0.0f64);
    while !left.is_empty() {
        let choice = match first {
            Some(first) if literals.is_empty() => first,
            _ => cheapest(candidates, &left, &bound),
        };
        let place = left.iter().position(|&it| it == choice).expect("chosen among those left");
        left.remove(place);
        let candidate = &candidates[choice];
        if !(given && literals.is_empty()) {
            rows *= fan_out(candidate, &bound).0;
            cost += rows.max(1.0);
        }
        for variable in candidate.atom.variables() {
            bound[variable as usize] = true;
        }
        literals.push(candidate.position);
    }
    Order { literals, cost, rows }
}

/// The candidate with the smallest fan-out; of equals the one with more known columns, then the first.
fn cheapest(candidates: &[Candidate<'_>], left: &[usize], bound: &[bool]) -> usize {
    let mut best = left[0];
    let mut best_score = (f64::INFINITY, 0usize);
    for &index in left {
        let (fan_out, known) = fan_out(&candidates[index], bound);
        if fan_out < best_score.0 || (fan_out == best_score.0 && known > best_score.1) {
            best = index;
            best_score = (fan_out, known);
        }
    }
    best
}

/// The expected number of rows that match, and the number of known columns.
fn fan_out(candidate: &Candidate<'_>, bound: &[bool]) -> (f64, usize) {
    let (mut selectivity, mut known) = (1.0, 0);
    for (argument, distinct) in candidate.atom.arguments.iter().zip(&candidate.distinct) {
        let is_known = match argument {
            Argument::Constant(_) => true,
            Argument::Variable(variable) => bound[*variable as usize],
        };
        if is_known {
            selectivity /= distinct.max(1.0);
            known += 1;
        }
    }
    (candidate.rows * selectivity, known)
}
