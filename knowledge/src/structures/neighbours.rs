//! Places and which are neighbours, from relations that do not change.

use std::collections::BTreeSet;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::symbols::{Symbol, Symbols};

use super::axes::{Order, Orders};
use super::fluents::Fluents;
use super::relations::{Binary, Table, is_order};
use super::sorts::{Sorts, argument};

/// A place has no more neighbours.
const MOST_NEIGHBOURS: usize = 8;

/// A place: the constants that name it.
pub(super) type Place = Vec<u32>;

/// Pairs of places.
#[derive(Clone, Debug, Default)]
pub(super) struct JoinedPlace {
    pub(super) name: String,
    pub(super) pairs: Vec<(Place, Place)>,
    pub(super) uses: usize,
}

/// What is known of places from relations that do not change.
#[derive(Debug)]
pub(crate) struct Geometry<'run> {
    pub(crate) tables: &'run [Table],
    pub(crate) binaries: &'run [Binary],
    pub(crate) sorts: &'run Sorts,
    pub(crate) orders: &'run Orders<'run>,
    pub(crate) names: &'run Symbols,
}

impl Geometry<'_> {
    pub(crate) fn text(&self, value: u32) -> &str {
        self.names.name(Symbol(value))
    }

    /// Whether some relation makes places neighbours.
    pub(crate) fn has_neighbours(&self, fluents: &Fluents, place: &[usize]) -> bool {
        let places: BTreeSet<Place> = places(fluents, place);
        !self.neighbours(&sorts_of(fluents, place), &places).is_empty()
    }

    /// Whether the fluents say something of pairs of neighbours.
    pub(crate) fn are_edges(&self, fluents: &Fluents, one: &[usize], other: &[usize]) -> bool {
        if sorts_of(fluents, one) != sorts_of(fluents, other) || fluents.form.rows.len() < 3 {
            return false;
        }
        let orders: Option<Vec<&Order>> =
            one.iter().map(|&it| self.longer(fluents, it, other)).collect();
        let at =
            |row: &Vec<u32>, place: &[usize]| place.iter().map(|&it| row[it]).collect::<Place>();
        if let Some(orders) = orders.filter(|_| one.len() > 1) {
            return fluents.form.rows.iter().all(|row| {
                let step = |number: usize| {
                    let position =
                        |value: u32| orders[number].values.iter().position(|&it| it == value);
                    let from = position(row[one[number]])?;
                    Some(from.abs_diff(position(row[other[number]])?))
                };
                let steps: Option<usize> = (0..one.len()).map(step).sum();
                steps == Some(1)
            });
        }
        if one.iter().any(|&it| fluents.orders[it].is_some()) {
            return false;
        }
        let mut all = places(fluents, one);
        all.extend(places(fluents, other));
        let joined = self.neighbours(&sorts_of(fluents, one), &all);
        let pairs: FxHashSet<(&Place, &Place)> =
            joined.iter().flat_map(|it| it.pairs.iter().map(|(from, to)| (from, to))).collect();
        let is_pair = |row: &Vec<u32>| {
            let (one, other) = (at(row, one), at(row, other));
            pairs.contains(&(&one, &other)) || pairs.contains(&(&other, &one))
        };
        fluents.form.rows.iter().all(is_pair)
    }

    /// The order of an argument, or of the one for the same axis at the other end, which has more values.
    fn longer<'fluents>(
        &self,
        fluents: &'fluents Fluents,
        argument: usize,
        other: &[usize],
    ) -> Option<&'fluents Order> {
        let partner = other.iter().find(|&&it| (it - argument).is_multiple_of(other.len()))?;
        let both = [&fluents.orders[argument], &fluents.orders[*partner]];
        both.into_iter().flatten().max_by_key(|it| it.values.len())
    }

    /// Whether places of two forms overlap on each axis.
    pub(crate) fn shares(
        &self,
        one: &Fluents,
        places: &[usize],
        other: &Fluents,
        others: &[usize],
    ) -> bool {
        places.iter().zip(others).all(|(&at, &there)| {
            let (one, other) = (&one.domains[at], &other.domains[there]);
            let both = one.iter().filter(|it| other.contains(it)).count();
            both * 2 >= one.len().min(other.len())
        })
    }

    /// Relations that make places neighbours, best first.
    pub(super) fn neighbours(
        &self,
        sorts: &[Option<usize>],
        places: &BTreeSet<Place>,
    ) -> Vec<JoinedPlace> {
        let mut found: Vec<JoinedPlace> = Vec::new();
        if let [sort] = sorts {
            for binary in self.binaries.iter().filter(|it| sort.is_some() && it.sorts == [*sort; 2])
            {
                let pairs = binary.pairs.iter().map(|&(from, to)| (vec![from], vec![to])).collect();
                found.push(JoinedPlace { name: binary.name.clone(), pairs, uses: binary.uses });
            }
        } else {
            for table in self.tables {
                found.extend(self.between(table, sorts));
            }
        }
        for joined in &mut found {
            joined
                .pairs
                .retain(|(from, to)| from != to && places.contains(from) && places.contains(to));
        }
        let is_local = |joined: &JoinedPlace| {
            let mut degrees: FxHashMap<&Place, usize> = FxHashMap::default();
            joined.pairs.iter().for_each(|(from, _)| *degrees.entry(from).or_default() += 1);
            let numbers: FxHashMap<&Place, u32> = places.iter().zip(0..).collect();
            let numbered: Vec<(u32, u32)> =
                joined.pairs.iter().map(|(from, to)| (numbers[from], numbers[to])).collect();
            joined.pairs.len() > 2
                && joined.pairs.len() * 2 >= places.len()
                && degrees.values().all(|&degree| degree <= MOST_NEIGHBOURS.min(places.len() - 2))
                && !is_order(&numbered)
        };
        found.retain(is_local);
        found.sort_by_key(|it| (std::cmp::Reverse(it.uses), std::cmp::Reverse(it.pairs.len())));
        found
    }

    /// A relation of two places of several constants each, or its parts if one more argument tells the direction.
    fn between(&self, table: &Table, sorts: &[Option<usize>]) -> Vec<JoinedPlace> {
        let width = sorts.len();
        let sort = |column: usize| self.sorts.of(&argument(table.predicate, table.arity, column));
        let fits = |columns: &[usize]| {
            columns.iter().enumerate().all(|(at, &column)| {
                sorts[at % width].is_some() && sort(column) == sorts[at % width]
            })
        };
        let pair = |columns: &[usize], row: &Vec<u32>| {
            let at = |columns: &[usize]| columns.iter().map(|&it| row[it]).collect::<Place>();
            (at(&columns[..width]), at(&columns[width..]))
        };
        let all: Vec<usize> = (0..table.arity).collect();
        let without = |given: usize| all.iter().copied().filter(|&it| it != given).collect();
        let choices: Vec<Vec<usize>> = match table.arity.checked_sub(2 * width) {
            Some(0) => vec![all.clone()],
            // Another column says in which direction.
            Some(1) => all.iter().map(|&given| without(given)).collect(),
            _ => Vec::new(),
        };
        let stars = if table.arity > 2 * width { String::new() } else { " *".repeat(table.arity) };
        let joined = |columns: Vec<usize>| JoinedPlace {
            name: format!("({}{stars})", self.text(table.predicate)),
            pairs: table.rows.iter().map(|row| pair(&columns, row)).collect(),
            uses: table.uses,
        };
        choices.into_iter().filter(|it| fits(it)).map(joined).collect()
    }
}

pub(super) fn sorts_of(fluents: &Fluents, place: &[usize]) -> Vec<Option<usize>> {
    place.iter().map(|&it| fluents.sorts[it]).collect()
}

pub(super) fn places(fluents: &Fluents, place: &[usize]) -> BTreeSet<Place> {
    fluents.form.rows.iter().map(|row| place.iter().map(|&it| row[it]).collect()).collect()
}
