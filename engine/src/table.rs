//! Tables: interned tuples, one table a predicate.

mod constants;
mod dense_set;
mod slots;

use std::sync::OnceLock;

use crate::program::{Constant, PredicateId, Program};
use crate::tuning::{RETRY_GROWTH, SMALL_TABLE};
pub use constants::Constants;
pub(crate) use constants::{Cell, Chunk, Key, with_cells};
use constants::{Values, with_tuple};
pub(crate) use dense_set::DenseSet;
pub use slots::RowId;
use slots::{Slots, has_room, place_all, probe, probe_any};

/// A set of tuples of one arity, in the order of their insertion.
///
/// Rows are stored one after the other in a single vector; a tuple is found through an open-addressing
/// hash table of row numbers, so that no tuple has an allocation of its own at any arity.
#[derive(Debug, Clone)]
pub struct Table {
    arity: usize,
    len: u32,
    values: Values,
    lookup: Lookup,
    /// With so many rows it is tried whether the table is dense.
    dense_from: usize,
    /// So many rows are shown to the joins of a fixpoint that look up one of them.
    shown: u32,
}

/// How a tuple is found.
#[derive(Debug, Clone)]
enum Lookup {
    Hashed(Slots),
    /// Which tuples there are; where they are is only found out when it is needed.
    Dense(DenseSet, OnceLock<Slots>),
}

impl Table {
    /// An empty table.
    pub fn new(arity: usize) -> Self {
        Table {
            arity,
            len: 0,
            values: Values::Wide(Vec::new()),
            lookup: Lookup::Hashed(Vec::new()),
            dense_from: SMALL_TABLE,
            shown: 0,
        }
    }

    /// The number of columns.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// The number of tuples.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is no tuple.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The tuple at a position.
    #[inline]
    pub fn row(&self, row: RowId) -> Constants<'_> {
        self.values.row(row as usize, self.arity)
    }

    /// The constant in a column of the tuple at a position.
    #[inline]
    pub(crate) fn value(&self, row: RowId, column: usize) -> Constant {
        debug_assert!(column < self.arity);
        with_cells!(self.values.all(), cells => cells[row as usize * self.arity + column].constant())
    }

    /// The rows with a constant in a column, ascending.
    pub(crate) fn rows_with(&self, column: usize, constant: Constant) -> Vec<RowId> {
        let mut rows = Vec::new();
        with_cells!(self.values.all(), cells => {
            for (row, tuple) in (0..).zip(cells.chunks_exact(self.arity)) {
                if tuple[column].constant() == constant {
                    rows.push(row);
                }
            }
        });
        rows
    }

    /// All tuples, one after the other.
    pub(crate) fn constants(&self) -> Constants<'_> {
        self.values.all()
    }

    /// Looks at one column of so many tuples: one of each of as many parts of the table, which one is as if drawn at
    /// random. Rows that come in the order of their constants would all have the same one at each so many places.
    pub(crate) fn sample(&self, column: usize, count: usize, mut look: impl FnMut(Constant)) {
        if count >= self.len as usize {
            with_cells!(self.values.all(), cells => {
                cells.chunks_exact(self.arity).for_each(|row| look(row[column].constant()));
            });
            return;
        }
        // The parts are so many rows long, in parts of 2^16.
        let part = ((self.len as u64) << 16).checked_div(count as u64).unwrap_or(0);
        with_cells!(self.values.all(), cells => {
            for number in 0..count as u64 {
                let (first, end) = ((number * part) >> 16, ((number + 1) * part) >> 16);
                let drawn = (number as u32).wrapping_mul(0x9e37_79b9).rotate_left(15);
                let drawn = u64::from(drawn.wrapping_mul(0x85eb_ca6b));
                let row = first + ((drawn * (end - first)) >> 32);
                look(cells[row as usize * self.arity + column].constant());
            }
        });
    }

    /// All tuples, in the order of their insertion, so many at a time.
    pub(crate) fn chunks(&self, rows: usize) -> impl Iterator<Item = Chunk<'_>> + '_ {
        let arity = self.arity.max(1);
        self.values.all().chunks(rows * arity).map(move |values| Chunk { arity, values })
    }

    /// All tuples, in the order of their insertion.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Constants<'_>> + '_ {
        (0..self.len).map(|row| self.row(row))
    }

    /// Each row with the first one that has the same constants in some columns.
    pub fn firsts(&self, columns: &[usize]) -> impl Iterator<Item = (RowId, RowId)> + use<'_> {
        let (columns, mut key): (Box<[usize]>, Vec<Constant>) = (columns.into(), Vec::new());
        let (mut keys, mut firsts) = (Table::new(columns.len()), Vec::new());
        (0..).zip(self.rows()).map(move |(number, row)| {
            key.clear();
            key.extend(columns.iter().map(|&column| row[column]));
            let (group, is_new) = keys.insert(&key);
            if is_new {
                firsts.push(number);
            }
            (number, firsts[group as usize])
        })
    }

    /// Where a tuple is, if it is there.
    pub fn find(&self, tuple: &[Constant]) -> Option<RowId> {
        debug_assert_eq!(tuple.len(), self.arity);
        with_cells!(self.values.all(), cells => probe_any(self.slots()?, cells, tuple).ok())
    }

    /// Where a tuple of another table is, if it is there.
    pub fn find_row(&self, tuple: Constants<'_>) -> Option<RowId> {
        tuple.with_slice(|tuple| self.find(tuple))
    }

    /// Where a tuple is, if it is there.
    pub(crate) fn find_key(&self, tuple: Key<'_>) -> Option<RowId> {
        debug_assert_eq!(tuple.columns.len(), self.arity);
        let slots = self.slots()?;
        with_cells!(self.values.all(), cells => {
            with_tuple(tuple, |tuple| probe(slots, cells, tuple).ok())
        })
    }

    /// Whether a tuple is there.
    pub fn contains(&self, tuple: &[Constant]) -> bool {
        match &self.lookup {
            Lookup::Dense(set, _) => set.contains(tuple.iter().copied()),
            Lookup::Hashed(_) => self.find(tuple).is_some(),
        }
    }

    /// Whether a tuple is there.
    pub(crate) fn contains_key(&self, tuple: Key<'_>) -> bool {
        match &self.lookup {
            Lookup::Dense(set, _) => set.contains(tuple.constants()),
            Lookup::Hashed(_) => self.find_key(tuple).is_some(),
        }
    }

    /// The bits that say which tuples are there, where the table is dense: it knows which constants each column has without
    /// a look at the rows.
    pub(crate) fn dense_set(&self) -> Option<&DenseSet> {
        match &self.lookup {
            Lookup::Dense(set, _) => Some(set),
            Lookup::Hashed(_) => None,
        }
    }

    /// Whether a tuple is one of the shown rows.
    pub(crate) fn shows_key(&self, tuple: Key<'_>) -> bool {
        match &self.lookup {
            Lookup::Dense(set, _) => set.shows(tuple.constants()),
            Lookup::Hashed(_) => self.find_key(tuple).is_some_and(|row| row < self.shown),
        }
    }

    /// Shows the rows before this one.
    pub(crate) fn show(&mut self, end: RowId) {
        let from = std::mem::replace(&mut self.shown, end) as usize;
        if let Lookup::Dense(set, _) = &mut self.lookup {
            let shown = self.values.first(end as usize * self.arity);
            set.show(shown.split_at(from * self.arity).1);
        }
    }

    /// Adds a tuple unless it is there. Returns where it is and whether it is new.
    pub fn insert(&mut self, tuple: &[Constant]) -> (RowId, bool) {
        debug_assert_eq!(tuple.len(), self.arity);
        self.make_room();
        let Lookup::Hashed(slots) = &self.lookup else { unreachable!("room is made by hashing") };
        let found = with_cells!(self.values.all(), cells => probe_any(slots, cells, tuple));
        match found {
            Ok(row) => (row, false),
            Err(place) => (self.push(tuple.iter().copied(), place), true),
        }
    }

    /// Adds a tuple unless it is there. Where it is does not matter: one bit can show whether it is new.
    #[inline]
    pub(crate) fn add(&mut self, tuple: Key<'_>) {
        debug_assert_eq!(tuple.columns.len(), self.arity);
        match &mut self.lookup {
            Lookup::Dense(set, slots) => match set.insert(tuple.constants()) {
                Some(false) => return,
                Some(true) if slots.get().is_none() => {
                    self.len = next(self.len);
                    self.values.extend(tuple.constants());
                    return;
                }
                _ => {}
            },
            Lookup::Hashed(slots) if has_room(slots, self.len) => {
                let place = with_cells!(self.values.all(), cells => {
                    with_tuple(tuple, |tuple| probe(slots, cells, tuple))
                });
                if let Err(place) = place {
                    self.push(tuple.constants(), place);
                }
                return;
            }
            Lookup::Hashed(_) => {}
        }
        self.add_changing_lookup(tuple.constants().collect());
    }

    /// Adds a tuple for which the way of looking up has to change.
    #[cold]
    fn add_changing_lookup(&mut self, tuple: Vec<Constant>) {
        let constants = || tuple.iter().copied();
        let rows = self.len();
        let is_new = match &mut self.lookup {
            // Where tuples are is needed.
            Lookup::Dense(_, slots) if slots.get().is_some() => None,
            Lookup::Dense(set, _) => {
                let fits = set.widen(&tuple, self.values.all(), self.shown as usize);
                fits.then(|| set.insert(constants())).flatten()
            }
            Lookup::Hashed(_) if rows >= self.dense_from => {
                match DenseSet::new(self.arity, self.values.all()) {
                    Some(mut set) => {
                        set.show(self.values.first(self.shown as usize * self.arity));
                        self.lookup = Lookup::Dense(set, OnceLock::new());
                        self.values.narrow();
                        return self.add_changing_lookup(tuple);
                    }
                    None => {
                        self.dense_from = rows * RETRY_GROWTH;
                        None
                    }
                }
            }
            Lookup::Hashed(_) => None,
        };
        match is_new {
            Some(true) => {
                self.len = next(self.len);
                self.values.extend(constants());
            }
            Some(false) => {}
            None => {
                self.insert(&tuple);
            }
        }
    }

    #[inline]
    fn push(&mut self, tuple: impl Iterator<Item = Constant> + Clone, place: usize) -> RowId {
        let row = self.len;
        self.len = next(row);
        if let Lookup::Hashed(slots) = &mut self.lookup {
            slots[place] = self.len;
        }
        self.values.extend(tuple);
        row
    }

    /// The rows by hash, if there is any row.
    #[inline]
    fn slots(&self) -> Option<&[u32]> {
        let slots = match &self.lookup {
            Lookup::Hashed(slots) => slots,
            Lookup::Dense(_, slots) => slots.get_or_init(|| self.hash(2 * self.len())),
        };
        Some(slots.as_slice()).filter(|it| !it.is_empty())
    }

    /// Sees to it that the table is hashed and has room for another row.
    #[inline]
    fn make_room(&mut self) {
        match &self.lookup {
            Lookup::Hashed(slots) if has_room(slots, self.len) => {}
            _ => self.grow(),
        }
    }

    #[cold]
    fn grow(&mut self) {
        let rows = self.len();
        let present = match &mut self.lookup {
            Lookup::Hashed(slots) => slots.len(),
            Lookup::Dense(_, slots) => {
                let slots = slots.take().unwrap_or_default();
                self.dense_from = if slots.is_empty() { rows * RETRY_GROWTH } else { usize::MAX };
                let present = slots.len();
                self.lookup = Lookup::Hashed(slots);
                if matches!(&self.lookup, Lookup::Hashed(slots) if has_room(slots, self.len)) {
                    return;
                }
                present
            }
        };
        // Small tables grow in few steps, large ones waste little.
        let factor = if present < 2048 { 4 } else { 2 };
        if rows >= SMALL_TABLE {
            self.values.narrow();
        }
        let size = (present * factor).max(32).max(2 * (self.len() + 1));
        let slots = self.hash(size);
        // The rows grow in the same steps.
        self.values.reserve_exact((slots.len() / 2 - self.len()) * self.arity);
        self.lookup = Lookup::Hashed(slots);
    }

    /// All rows by hash, in at least so many slots.
    fn hash(&self, size: usize) -> Slots {
        with_cells!(self.values.all(), cells => place_all(cells, self.arity, self.len, size))
    }

    /// Forgets all tuples and keeps the memory.
    pub fn clear(&mut self) {
        self.len = 0;
        self.values.clear();
        match &mut self.lookup {
            Lookup::Hashed(slots) => slots.fill(0),
            Lookup::Dense(..) => self.lookup = Lookup::Hashed(Vec::new()),
        }
        self.dense_from = SMALL_TABLE;
        self.shown = 0;
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let lookup = match &self.lookup {
            Lookup::Hashed(slots) => (slots.len() * size_of::<u32>()) as u64,
            Lookup::Dense(set, slots) => {
                set.bytes() + slots.get().map_or(0, |it| it.len() * size_of::<u32>()) as u64
            }
        };
        self.values.bytes() + lookup
    }
}

/// One row more. Rules cannot derive so many: an evaluation ends with [`Limit::Numbers`](crate::Limit::Numbers) when half of
/// the numbers are taken.
#[inline]
fn next(rows: u32) -> u32 {
    rows.checked_add(1).expect("a table has fewer than 2^32 - 1 rows")
}

/// The tables of a program.
#[derive(Debug, Clone)]
pub struct Tables {
    tables: Vec<Table>,
}

impl Tables {
    /// An empty table for each predicate of a program.
    pub fn new(program: &Program) -> Self {
        Tables { tables: program.predicates().iter().map(|it| Table::new(it.arity)).collect() }
    }

    /// Adds a tuple unless it is there. Returns where it is and whether it is new.
    pub fn insert(&mut self, predicate: PredicateId, tuple: &[Constant]) -> (RowId, bool) {
        self.tables[predicate.index()].insert(tuple)
    }

    /// Inserts a tuple of another table.
    pub fn insert_row(&mut self, predicate: PredicateId, tuple: Constants<'_>) -> (RowId, bool) {
        tuple.with_slice(|tuple| self.insert(predicate, tuple))
    }

    /// The table of a predicate, to be added to.
    #[inline]
    pub(crate) fn table_mut(&mut self, predicate: PredicateId) -> &mut Table {
        &mut self.tables[predicate.index()]
    }

    /// Forgets the tuples of one predicate.
    pub fn clear(&mut self, predicate: PredicateId) {
        self.tables[predicate.index()].clear();
    }

    /// Adds an empty table for a predicate that was added to the program.
    pub fn add(&mut self, arity: usize) {
        self.tables.push(Table::new(arity));
    }

    /// Keeps the tables of the first predicates only.
    pub(crate) fn truncate(&mut self, predicates: usize) {
        self.tables.truncate(predicates);
    }

    /// Takes a table out; an empty one is left.
    pub fn take(&mut self, predicate: PredicateId) -> Table {
        let arity = self[predicate].arity();
        std::mem::replace(&mut self.tables[predicate.index()], Table::new(arity))
    }

    /// All tables, by predicate.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (PredicateId, &Table)> {
        self.tables.iter().enumerate().map(|(index, table)| (PredicateId(index as u32), table))
    }

    /// How many tuples there are in all.
    pub fn tuple_count(&self) -> u64 {
        self.tables.iter().map(|table| table.len() as u64).sum()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.tables.iter().map(Table::bytes).sum()
    }
}

impl std::ops::Index<PredicateId> for Tables {
    type Output = Table;

    fn index(&self, predicate: PredicateId) -> &Table {
        &self.tables[predicate.index()]
    }
}

#[cfg(test)]
mod tests;
