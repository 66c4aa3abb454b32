//! Where a tuple of a complete table is.

use crate::dense_keys::DenseKeys;
use crate::program::Constant;
use crate::table::{Key, RowId, Table};

/// Finds the row of a tuple in a complete table: by dense code where possible, else by its hash.
#[derive(Debug, Clone)]
pub(crate) enum Locator {
    /// Row + 1 by code; 0 where there is no such row.
    Dense(DenseKeys, Box<[u32]>),
    /// The table's own hash table.
    Hash,
}

impl Locator {
    pub(crate) fn new(table: &Table) -> Self {
        let columns: Vec<usize> = (0..table.arity()).collect();
        let Some(keys) = DenseKeys::new(table, &columns) else { return Locator::Hash };
        let mut rows = vec![0; keys.size()].into_boxed_slice();
        keys.for_each_code(table, &columns, |row, code| rows[code as usize] = row + 1);
        Locator::Dense(keys, rows)
    }

    /// Where a tuple is, if it is there.
    #[inline]
    pub(crate) fn find(&self, table: &Table, tuple: &[Constant]) -> Option<RowId> {
        match self {
            Locator::Dense(keys, rows) => rows[keys.code(tuple.iter().copied())?].checked_sub(1),
            Locator::Hash => table.find(tuple),
        }
    }

    /// The same for a tuple where a join has it.
    #[inline]
    pub(crate) fn find_key(&self, table: &Table, tuple: Key<'_>) -> Option<RowId> {
        match self {
            Locator::Dense(keys, rows) => rows[keys.code(tuple.constants())?].checked_sub(1),
            Locator::Hash => table.find_key(tuple),
        }
    }

    /// The dense codes, with the row + 1 of each, if it has such.
    #[inline]
    pub(crate) fn dense(&self) -> Option<(&DenseKeys, &[u32])> {
        match self {
            Locator::Dense(keys, rows) => Some((keys, rows)),
            Locator::Hash => None,
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Locator::Dense(keys, rows) => keys.bytes() + (rows.len() * 4) as u64,
            Locator::Hash => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_hashed_locators_agree() {
        let mut table = Table::new(2);
        for x in [3, 5, 9] {
            for y in [100, 101, 150] {
                if (x, y) != (5, 101) {
                    table.insert(&[x, y]);
                }
            }
        }
        let dense = Locator::new(&table);
        assert!(matches!(dense, Locator::Dense(..)));
        for x in 0..12 {
            for y in 95..160 {
                assert_eq!(dense.find(&table, &[x, y]), table.find(&[x, y]), "({x}, {y})");
            }
        }
    }

    #[test]
    fn sparse_columns_are_hashed() {
        let mut table = Table::new(1);
        table.insert(&[0]);
        table.insert(&[1_000_000]);
        assert!(matches!(Locator::new(&table), Locator::Hash));
    }

    #[test]
    fn a_table_without_columns_has_one_possible_row() {
        let mut table = Table::new(0);
        assert_eq!(Locator::new(&table).find(&table, &[]), None);
        table.insert(&[]);
        assert_eq!(Locator::new(&table).find(&table, &[]), Some(0));
    }
}
