//! Indexes of complete tables: the rows with given constants in given columns. Those of growing tables are [`Chains`] of rows with the same key.

use std::ops::Range;

use fxhash::FxHashMap;

use crate::dense_keys::DenseKeys;
use crate::program::{Constant, PredicateId};
use crate::table::{Constants, Key, RowId, Table};
use crate::tuning::MOST_OF_KEY;

/// How a key becomes the number of its group.
#[derive(Debug, Clone)]
enum Keys {
    Dense(DenseKeys),
    /// Each key is a row; its number is the group.
    Hashed(Table),
    /// There is a group for this key alone: no other is looked up.
    Only(Box<[Constant]>),
}

/// The rows of a complete table grouped by some of its columns, in compressed sparse rows.
#[derive(Debug, Clone)]
pub(crate) struct Index {
    pub(crate) columns: Box<[usize]>,
    keys: Keys,
    offsets: Box<[u32]>,
    rows: Box<[RowId]>,
}

impl Index {
    /// Groups the rows by these columns. Within a group rows keep their order.
    pub(crate) fn new(table: &Table, columns: &[usize]) -> Self {
        if let Some(dense) = DenseKeys::new(table, columns) {
            // Codes are computed twice: that takes no longer than keeping them, and no memory.
            let mut groups = Groups::new(dense.size());
            dense.for_each_code(table, columns, |_, group| groups.count(group));
            groups.make_room(table.len());
            dense.for_each_code(table, columns, |row, group| groups.put(row, group));
            return groups.index(columns, Keys::Dense(dense));
        }
        let mut key = vec![0; columns.len()];
        let mut keys = Table::new(columns.len());
        let number = |tuple: Constants<'_>| {
            tuple.project(columns, &mut key);
            keys.insert(&key).0
        };
        let numbers: Vec<u32> = table.rows().map(number).collect();
        let mut groups = Groups::new(keys.len());
        numbers.iter().for_each(|&group| groups.count(group));
        groups.make_room(numbers.len());
        (0..).zip(&numbers).for_each(|(row, &group)| groups.put(row, group));
        groups.index(columns, Keys::Hashed(keys))
    }

    /// The rows with one key, of at least one column.
    fn of_key(table: &Table, columns: &[usize], key: &[Constant]) -> Self {
        // Most rows do not even fit in the first column.
        let mut rows = table.rows_with(columns[0], key[0]);
        let others = || columns.iter().zip(key).skip(1);
        rows.retain(|&row| others().all(|(&column, &value)| table.value(row, column) == value));
        Self::of_rows(rows, columns, key)
    }

    /// These rows, which all have one key.
    fn of_rows(rows: Vec<RowId>, columns: &[usize], key: &[Constant]) -> Self {
        let offsets = [0, rows.len() as u32].into();
        let keys = Keys::Only(key.into());
        Index { columns: columns.into(), keys, offsets, rows: rows.into() }
    }

    /// The rows with this key, ascending, as a range of [`Index::row`] positions.
    #[inline]
    pub(crate) fn group(&self, key: Key<'_>) -> Range<u32> {
        let group = match &self.keys {
            Keys::Dense(dense) => dense.code(key.constants()),
            Keys::Hashed(keys) => keys.find_key(key).map(|group| group as usize),
            Keys::Only(only) => key.constants().eq(only.iter().copied()).then_some(0),
        };
        group.map_or(0..0, |group| self.offsets[group]..self.offsets[group + 1])
    }

    /// The rows of a key whose constants stand together.
    #[inline]
    pub(crate) fn group_of(&self, key: &[Constant]) -> Range<u32> {
        let group = match &self.keys {
            Keys::Dense(dense) => dense.code(key.iter().copied()),
            Keys::Hashed(keys) => keys.find(key).map(|group| group as usize),
            Keys::Only(only) => (**only == *key).then_some(0),
        };
        group.map_or(0..0, |group| self.offsets[group]..self.offsets[group + 1])
    }

    /// The row at a position of a group.
    #[inline]
    pub(crate) fn row(&self, position: u32) -> RowId {
        self.rows[position as usize]
    }

    /// The rows at some positions.
    #[inline]
    pub(crate) fn rows(&self, positions: Range<u32>) -> &[RowId] {
        &self.rows[positions.start as usize..positions.end as usize]
    }

    /// The codes of the keys, if they have such, and the first position of the group of each; at last, where the last
    /// one ends.
    #[inline]
    pub(crate) fn dense(&self) -> Option<(&DenseKeys, &[u32])> {
        match &self.keys {
            Keys::Dense(keys) => Some((keys, &self.offsets)),
            _ => None,
        }
    }

    /// Whether no two rows have the same key.
    pub(crate) fn is_unique(&self) -> bool {
        self.offsets.windows(2).all(|group| group[1] - group[0] <= 1)
    }

    /// How many rows a group has, in the mean of those that have any.
    pub(crate) fn typical_group(&self) -> usize {
        let groups = self.offsets.windows(2).filter(|it| it[0] < it[1]).count();
        self.rows.len().div_ceil(groups.max(1))
    }

    pub(crate) fn bytes(&self) -> u64 {
        let keys = match &self.keys {
            Keys::Dense(dense) => dense.bytes(),
            Keys::Hashed(keys) => keys.bytes(),
            Keys::Only(key) => (key.len() * 4) as u64,
        };
        keys + ((self.offsets.len() + self.rows.len()) * 4) as u64
    }
}

/// The groups of an index in the making: all rows are counted before any is put into its group.
struct Groups {
    /// Sizes stand two behind their group, so that they are its start one behind it when they have been added up,
    /// and when its rows have been put in, its end.
    offsets: Vec<u32>,
    rows: Vec<RowId>,
}

impl Groups {
    fn new(count: usize) -> Self {
        Groups { offsets: vec![0; count + 2], rows: Vec::new() }
    }

    #[inline]
    fn count(&mut self, group: u32) {
        self.offsets[group as usize + 2] += 1;
    }

    fn make_room(&mut self, rows: usize) {
        for group in 2..self.offsets.len() {
            self.offsets[group] += self.offsets[group - 1];
        }
        self.rows = vec![0; rows];
    }

    #[inline]
    fn put(&mut self, row: RowId, group: u32) {
        let next = &mut self.offsets[group as usize + 1];
        self.rows[*next as usize] = row;
        *next += 1;
    }

    fn index(self, columns: &[usize], keys: Keys) -> Index {
        let Groups { offsets, rows } = self;
        Index { columns: columns.into(), keys, offsets: offsets.into(), rows: rows.into() }
    }
}

/// Which rows are looked up: those of a predicate with known constants in some columns.
#[derive(Clone, Copy)]
pub(crate) struct RowQuery<'a> {
    pub(crate) predicate: PredicateId,
    /// At least one, not all.
    pub(crate) columns: &'a [usize],
    /// What the constants are, if they are always the same.
    pub(crate) key: Option<&'a [Constant]>,
}

/// The indexes made so far of complete tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Indexes {
    pub(crate) all: Vec<Index>,
    of: FxHashMap<PredicateId, Vec<u32>>,
}

impl Indexes {
    /// The number of an index that has just these rows, for the empty key.
    pub(crate) fn add_rows(&mut self, rows: Vec<RowId>) -> u32 {
        self.all.push(Index::of_rows(rows, &[], &[]));
        self.all.len() as u32 - 1
    }

    /// The number of an index of a table. Where the same constants are always looked up, a large table is not indexed
    /// as a whole.
    pub(crate) fn number(&mut self, table: &Table, query: RowQuery<'_>) -> u32 {
        let RowQuery { predicate, columns, key } = query;
        let of_predicate = self.of.entry(predicate).or_default();
        let mut of_key = 0;
        for &number in of_predicate.iter() {
            let index = &self.all[number as usize];
            if *index.columns != *columns {
                continue;
            }
            match &index.keys {
                Keys::Only(only) if Some(&**only) != key => of_key += 1,
                keys => {
                    let is_whole = !matches!(keys, Keys::Only(_));
                    debug_assert!(!is_whole || index.rows.len() == table.len(), "it is complete");
                    return number;
                }
            }
        }
        let key = key.filter(|_| of_key < MOST_OF_KEY);
        let number = self.all.len() as u32;
        of_predicate.push(number);
        self.all.push(match key {
            Some(key) => Index::of_key(table, columns, key),
            None => Index::new(table, columns),
        });
        number
    }
}

/// Ends a chain.
pub(crate) const END: RowId = RowId::MAX;

/// The processed rows of a growing table by some of its columns, the latest row of a key first.
#[derive(Debug, Clone)]
pub(crate) struct Chains {
    pub(crate) columns: Box<[usize]>,
    keys: Table,
    /// By key: its latest row.
    heads: Vec<RowId>,
    /// By row: the row before it with the same key.
    next: Vec<RowId>,
    /// By row: how many have the same key and are not after it.
    counts: Vec<u32>,
    key: Box<[Constant]>,
}

// `next.len()` is the number of rows inserted so far: rows come in ascending order.

impl Chains {
    pub(crate) fn new(columns: &[usize]) -> Self {
        Chains {
            columns: columns.into(),
            keys: Table::new(columns.len()),
            heads: Vec::new(),
            next: Vec::new(),
            counts: Vec::new(),
            key: vec![0; columns.len()].into(),
        }
    }

    /// Adds the rows up to and including this one that are not there yet.
    pub(crate) fn insert_up_to(&mut self, table: &Table, last: RowId) {
        for row in self.next.len() as RowId..=last {
            table.row(row).project(&self.columns, &mut self.key);
            let (key, new) = self.keys.insert(&self.key);
            if new {
                self.heads.push(END);
            }
            let before = std::mem::replace(&mut self.heads[key as usize], row);
            self.counts.push(1 + self.count(before));
            self.next.push(before);
        }
    }

    /// Forgets all rows and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.heads.clear();
        self.next.clear();
        self.counts.clear();
    }

    /// Whether there is no row.
    pub(crate) fn is_empty(&self) -> bool {
        self.next.is_empty()
    }

    /// The latest row with this key, or [`END`].
    #[inline]
    pub(crate) fn first(&self, key: Key<'_>) -> RowId {
        self.keys.find_key(key).map_or(END, |key| self.heads[key as usize])
    }

    /// How many rows there are from this one on.
    #[inline]
    pub(crate) fn count(&self, row: RowId) -> u32 {
        self.counts.get(row as usize).copied().unwrap_or(0)
    }

    /// The row before this one with the same key, or [`END`].
    #[inline]
    pub(crate) fn after(&self, row: RowId) -> RowId {
        self.next[row as usize]
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.keys.bytes() + ((self.heads.len() + 2 * self.next.len()) * 4) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(index: &Index, key: &[Constant]) -> Vec<RowId> {
        let columns: Vec<u32> = (0..key.len() as u32).collect();
        let group = index.group(Key { registers: key, columns: &columns });
        group.map(|position| index.row(position)).collect()
    }

    #[test]
    fn groups_hold_the_rows_with_their_key() {
        for spread in [1, 10_000_000] {
            let mut table = Table::new(3);
            for (x, y, z) in [(1, 2, 3), (1, 3, 3), (2, 2, 3), (1, 2, 4)] {
                table.insert(&[x * spread, y, z]);
            }
            let index = Index::new(&table, &[0, 1]);
            assert_eq!(matches!(index.keys, Keys::Dense(_)), spread == 1);
            assert_eq!(rows(&index, &[spread, 2]), [0, 3]);
            assert_eq!(rows(&index, &[2 * spread, 2]), [2]);
            assert_eq!(rows(&index, &[2 * spread, 3]), [] as [RowId; 0]);
            assert_eq!(rows(&index, &[7, 2]), [] as [RowId; 0]);
        }
    }

    #[test]
    fn large_tables_are_indexed_as_a_whole_when_many_keys_are_asked_for() {
        let mut table = Table::new(2);
        for value in 0..8192 {
            table.insert(&[value % 64, value]);
        }
        let (mut indexes, of) = (Indexes::default(), PredicateId(0));
        let mut number = |key: Option<u32>| {
            let key = key.map(|it| [it]);
            let key_of_all = key.as_ref().map(|it| &it[..]);
            let query = RowQuery { predicate: of, columns: &[0], key: key_of_all };
            let number = indexes.number(&table, query);
            let group = key.map(|key| rows(&indexes.all[number as usize], &key));
            (number, group)
        };
        let expected = |key: u32| (key..8192).step_by(64).collect::<Vec<_>>();
        for key in 0..12 {
            let full = MOST_OF_KEY as u32;
            assert_eq!(number(Some(key)), (key.min(full), Some(expected(key))));
        }
        assert_eq!(number(Some(3)), (3, Some(expected(3))));
        assert_eq!(number(None), (MOST_OF_KEY as u32, None));
    }
}
