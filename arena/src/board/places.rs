//! Which arguments of a form make a place.

use fxhash::{FxHashMap, FxHashSet};

use super::LONGEST_SIDE;
use super::form::Form;
use super::order::Orders;

/// No more boards than this for one form.
const MOST_LAYERS: usize = 16;

/// The leaves of a form that are its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) column: usize,
    /// None for a strip.
    pub(super) row: Option<usize>,
    /// Tells one of several boards.
    pub(super) layer: Option<usize>,
}

impl Kind {
    /// The leaves that are no content.
    pub(super) fn leaves(self) -> impl Iterator<Item = usize> {
        [Some(self.column), self.row, self.layer].into_iter().flatten()
    }

    /// How many places there are.
    pub(super) fn places(self, form: &Form) -> usize {
        self.leaves().map(|it| form.domains[it].len()).product()
    }

    /// Whether a place has anything besides the name.
    pub(super) fn has_content(self, form: &Form) -> bool {
        form.domains.len() > self.leaves().count()
    }
}

/// How a form is drawn; `None` if it is no board.
pub(super) fn kind(form: &Form, orders: &Orders) -> Option<Kind> {
    match form.domains.len() {
        0 | 1 => None,
        2 => strip(form).or_else(|| markers(form, orders)),
        _ => grid(form, orders),
    }
}

/// Each of several keys has exactly one value in all states.
fn strip(form: &Form) -> Option<Kind> {
    let keys = form.domains[0].len();
    let kind = Kind { column: 0, row: None, layer: None };
    let is_total = (2..=LONGEST_SIDE).contains(&keys)
        && form.held.iter().all(|it| it.len() == keys)
        && is_functional(form, &[0]);
    is_total.then_some(kind)
}

/// Places that are marked or not.
fn markers(form: &Form, orders: &Orders) -> Option<Kind> {
    let fits = |it: usize| (2..=LONGEST_SIDE).contains(&form.domains[it].len());
    let is_ordered = |it: usize| orders.has_order(&form.domains[it]);
    let is_grid = (0..2).all(|it| fits(it) && is_ordered(it)) && is_filled(form, &[0, 1]);
    is_grid.then_some(Kind { column: 0, row: Some(1), layer: None })
}

/// The best pair of leaves.
fn grid(form: &Form, orders: &Orders) -> Option<Kind> {
    let mut best: Option<(usize, Kind)> = None;
    let ordered: Vec<bool> = form.domains.iter().map(|it| orders.has_order(it)).collect();
    for column in 0..form.domains.len() {
        for row in column + 1..form.domains.len() {
            let sides = [&form.domains[column], &form.domains[row]];
            let fits = sides.iter().all(|it| (2..=LONGEST_SIDE).contains(&it.len()));
            if !fits || !(ordered[column] || ordered[row]) || !is_filled(form, &[column, row]) {
                continue;
            }
            let both = ordered[column] && ordered[row];
            let layer = match is_functional(form, &[column, row]) {
                true => None,
                // Several things at one place, unless one more argument tells them apart.
                false => match layer(form, column, row) {
                    Some(layer) => Some(layer),
                    None if both => None,
                    None => continue,
                },
            };
            let is_clear = layer.is_some() || is_functional(form, &[column, row]);
            let same =
                sides[0].len() == sides[1].len() && sides[0].iter().all(|it| sides[1].contains(it));
            let score = 4 * usize::from(is_clear) - usize::from(layer.is_some())
                + 3 * usize::from(both)
                + 2 * usize::from(same)
                + usize::from(row == column + 1);
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, Kind { column, row: Some(row), layer }));
            }
        }
    }
    best.map(|(_, kind)| kind)
}

/// One more leaf with which the place determines the rest.
fn layer(form: &Form, column: usize, row: usize) -> Option<usize> {
    (0..form.domains.len()).find(|&it| {
        it != column
            && it != row
            && form.domains.len() > 3
            && (2..=MOST_LAYERS).contains(&form.domains[it].len())
            && is_functional(form, &[column, row, it])
            && is_filled(form, &[column, row, it])
    })
}

/// Whether no sampled state has two terms with the same constants at some leaves.
fn is_functional(form: &Form, leaves: &[usize]) -> bool {
    form.held.iter().all(|held| {
        let mut seen: FxHashMap<Vec<&str>, usize> = FxHashMap::default();
        held.iter().all(|&term| {
            let key = leaves.iter().map(|&it| form.terms[term][it].as_str()).collect();
            seen.insert(key, term).is_none()
        })
    })
}

/// Whether a good part of the places that some leaves make can be in use.
fn is_filled(form: &Form, leaves: &[usize]) -> bool {
    let place = |it: &Vec<String>| leaves.iter().map(|&leaf| it[leaf].clone()).collect();
    let places: FxHashSet<Vec<String>> = form.terms.iter().map(place).collect();
    let all: usize = leaves.iter().map(|&it| form.domains[it].len()).product();
    places.len() * 5 >= all * 2
}
