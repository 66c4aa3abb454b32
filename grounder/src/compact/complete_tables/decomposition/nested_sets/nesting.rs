//! Which of some sets contain others.
//!
//! The sets are read from the rows of a table.

use std::cell::OnceCell;
use std::rc::Rc;

use groundfrog_engine::{Constants, Table};

use crate::flat::FormId;
use crate::ticker::Ticker;

/// How many ticks it takes to look at a row.
const A_ROW: u32 = 4;

/// What a column of a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::compact::complete_tables::decomposition) enum Role {
    /// Only rows with this constant count.
    Constant(u32),
    /// This column of the key. Columns with the same are equal.
    Key(usize),
    /// This column of the element.
    Element(usize),
    /// Any constant. Columns with the same are equal.
    Any(usize),
}

/// The sets that a table has.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(in crate::compact::complete_tables::decomposition) struct TableSets {
    /// The predicate that has the table.
    pub(in crate::compact::complete_tables::decomposition) form: FormId,
    /// What the columns are.
    pub(in crate::compact::complete_tables::decomposition) roles: Vec<Role>,
}

/// For each key the set of the elements that it has rows with, made of the sets of other keys that it contains.
#[derive(Debug)]
pub(in crate::compact::complete_tables::decomposition) struct Nesting {
    keys: Table,
    elements: Table,
    /// Pairs of keys: the set of the first contains that of the second.
    contained: Vec<[u32; 2]>,
    /// Keys, each with an element that none of the sets that it contains has.
    own: Vec<[u32; 2]>,
    /// The tables of these pairs, which few nestings need.
    tables: OnceCell<Tables>,
}

/// What a nesting consists of.
#[derive(Debug)]
pub(in crate::compact::complete_tables::decomposition) struct Tables {
    /// Pairs of keys: the set of the first contains that of the second.
    pub(in crate::compact::complete_tables::decomposition) contained: Rc<Table>,
    /// Keys, each with an element that none of the sets that it contains has.
    pub(in crate::compact::complete_tables::decomposition) own: Rc<Table>,
}

impl Nesting {
    /// The sets of a table. Of sets of which each two either have nothing in common or one contains the other, as those of an
    /// order, each element is the own element of one.
    pub(in crate::compact::complete_tables::decomposition) fn of(
        table: &Table,
        roles: &[Role],
        ticker: &mut Ticker<'_>,
    ) -> Option<Self> {
        let columns = Columns::new(roles);
        let (mut keys, mut elements) =
            (Tuples::new(columns.of_key.len()), Tuples::new(columns.of_element.len()));
        let mut sets: Vec<Vec<u32>> = Vec::new();
        for row in table.rows() {
            if !ticker.goes_on(A_ROW) {
                return None;
            }
            if !columns.admit(row) {
                continue;
            }
            let set = keys.add(row, &columns.of_key) as usize;
            if set == sets.len() {
                sets.push(Vec::new());
            }
            sets[set].push(elements.add(row, &columns.of_element));
        }
        if columns.has_others {
            // An element may be in several rows of a key.
            for set in &mut sets {
                set.sort_unstable();
                set.dedup();
            }
        }
        let (keys, elements) = (keys.table, elements.table);
        let (contained, own) = nested(&sets, &keys, elements.len());
        Some(Nesting { keys, elements, contained, own, tables: OnceCell::new() })
    }

    /// How many pairs of keys there are of which the first contains the second.
    pub(in crate::compact::complete_tables::decomposition) fn contained(&self) -> usize {
        self.contained.len()
    }

    /// How many pairs of a key and an own element there are.
    pub(in crate::compact::complete_tables::decomposition) fn own(&self) -> usize {
        self.own.len()
    }

    /// The tables of these pairs: the same whenever they are demanded.
    pub(in crate::compact::complete_tables::decomposition) fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| Tables {
            contained: table(&self.contained, &self.keys, &self.keys),
            own: table(&self.own, &self.keys, &self.elements),
        })
    }
}

/// The rows of some pairs, one after the other.
fn table(pairs: &[[u32; 2]], left: &Table, right: &Table) -> Rc<Table> {
    let mut table = Table::new(left.arity() + right.arity());
    let mut row: Vec<u32> = Vec::with_capacity(table.arity());
    for &[first, second] in pairs {
        row.clear();
        row.extend(left.row(first).iter().chain(right.row(second).iter()));
        table.insert(&row);
    }
    Rc::new(table)
}

const NONE: u32 = u32::MAX;

/// Pairs of sets of which the first contains the second, and sets with the elements that none of these has.
fn nested(sets: &[Vec<u32>], keys: &Table, elements: usize) -> (Vec<[u32; 2]>, Vec<[u32; 2]>) {
    let mut order: Vec<u32> = (0..sets.len() as u32).collect();
    // Evaluators do not share the order of rows: of equal sets the one with the least key stands for all.
    order.sort_by_cached_key(|&it| (sets[it as usize].len(), keys.row(it).to_vec()));
    // The largest set so far that has an element; and how many of its elements a larger one has.
    let mut holder = vec![NONE; elements];
    let mut shared = vec![0; sets.len()];
    let (mut contained, mut own) = (Vec::new(), Vec::new());
    for set in order {
        let members = &sets[set as usize];
        let mut others: Vec<u32> = Vec::new();
        for &it in members {
            let other = holder[it as usize];
            if other != NONE {
                if shared[other as usize] == 0 {
                    others.push(other);
                }
                shared[other as usize] += 1;
            }
        }
        let is_whole = |other: u32| shared[other as usize] == sets[other as usize].len();
        contained.extend(others.iter().filter(|&&it| is_whole(it)).map(|&it| [set, it]));
        for &it in members {
            let other = holder[it as usize];
            if other == NONE || !is_whole(other) {
                own.push([set, it]);
            }
        }
        // Of sets with the same elements the first stands for all.
        let is_same = |&other: &u32| is_whole(other) && sets[other as usize].len() == members.len();
        if !others.iter().any(is_same) {
            members.iter().for_each(|&it| holder[it as usize] = set);
        }
        others.iter().for_each(|&it| shared[it as usize] = 0);
    }
    (contained, own)
}

/// What the columns of a table are.
struct Columns {
    /// For each part, the first column of the key.
    of_key: Vec<usize>,
    /// For each part, the first column of the element.
    of_element: Vec<usize>,
    /// Whether there are columns that may have any constant.
    has_others: bool,
    /// Columns with the constants that they have in rows that count.
    constants: Vec<(usize, u32)>,
    /// Columns that are equal in these.
    equal: Vec<[usize; 2]>,
}

impl Columns {
    fn new(roles: &[Role]) -> Self {
        let first = |role: Role| roles.iter().position(|it| *it == role);
        let of = |role: fn(usize) -> Role| (0..).map_while(|it| first(role(it))).collect();
        let is_other = |it: &Role| matches!(it, Role::Any(_));
        let mut columns = Columns {
            of_key: of(Role::Key),
            of_element: of(Role::Element),
            has_others: roles.iter().any(is_other),
            constants: Vec::new(),
            equal: Vec::new(),
        };
        for (column, role) in roles.iter().enumerate() {
            match *role {
                Role::Constant(it) => columns.constants.push((column, it)),
                role => columns
                    .equal
                    .extend(first(role).filter(|&it| it < column).map(|it| [it, column])),
            }
        }
        columns
    }

    /// Whether a row counts.
    #[inline]
    fn admit(&self, row: Constants<'_>) -> bool {
        self.constants.iter().all(|&(column, it)| row[column] == it)
            && self.equal.iter().all(|&[first, other]| row[first] == row[other])
    }
}

/// The different tuples of those that are added, in order.
struct Tuples {
    table: Table,
    /// Of tuples of one constant, by that: one more than its place.
    places: Vec<u32>,
    tuple: Vec<u32>,
}

impl Tuples {
    fn new(arity: usize) -> Self {
        Tuples { table: Table::new(arity), places: Vec::new(), tuple: Vec::new() }
    }

    /// Adds the tuple in these columns of a row unless it is there. Returns its place.
    #[inline]
    fn add(&mut self, row: Constants<'_>, columns: &[usize]) -> u32 {
        if let &[column] = columns {
            let constant = row[column];
            match self.places.get(constant as usize) {
                Some(&place) if place != 0 => place - 1,
                _ => self.add_constant(constant),
            }
        } else {
            self.tuple.clear();
            self.tuple.extend(columns.iter().map(|&it| row[it]));
            self.table.insert(&self.tuple).0
        }
    }

    /// Adds the tuple of a constant that is not there.
    fn add_constant(&mut self, constant: u32) -> u32 {
        let place = constant as usize;
        if self.places.len() <= place {
            self.places.resize(place + 1, 0);
        }
        let row = self.table.insert(&[constant]).0;
        self.places[place] = row + 1;
        row
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use groundfrog_engine::Budget;

    use super::*;

    /// The nesting of a table of pairs gives each key its set.
    fn is_the_table(rows: impl Iterator<Item = [u32; 2]>) {
        let mut table = Table::new(2);
        rows.for_each(|row| {
            table.insert(&row);
        });
        let budget = Budget::unlimited();
        let mut ticker = Ticker::new(&budget, 0);
        let roles = [Role::Key(0), Role::Element(0)];
        let nesting = Nesting::of(&table, &roles, &mut ticker).expect("the table is small");
        let keys = table.rows().map(|row| row[0]).max().map_or(0, |it| it as usize + 1);
        let mut sets = vec![BTreeSet::new(); keys];
        let Tables { contained, own } = nesting.tables();
        own.rows().for_each(|row| {
            sets[row[0] as usize].insert(row[1]);
        });
        for _ in 0..keys {
            for row in contained.rows() {
                let smaller = sets[row[1] as usize].clone();
                sets[row[0] as usize].extend(smaller);
            }
        }
        for (key, set) in (0..).zip(&sets) {
            let expected: BTreeSet<u32> =
                table.rows().filter(|row| row[0] == key).map(|row| row[1]).collect();
            assert_eq!(*set, expected, "of {key}");
        }
    }

    #[test]
    fn other_sets_are_what_they_are() {
        let mut seed = 1u64;
        let mut next = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as u32
        };
        for _ in 0..200 {
            let (keys, elements) = (1 + next() % 9, 1 + next() % 9);
            let rows: Vec<[u32; 2]> =
                (0..next() % 60).map(|_| [next() % keys, next() % elements]).collect();
            is_the_table(rows.into_iter());
        }
    }
}
