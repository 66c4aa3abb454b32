//! Dense codes for the keys of a complete table, where the product of the column domains is small.
//!
//! Each constant contributes a part, and the code of a tuple is the sum over its columns ([`Codes`]). A [`Locator`] finds the row of a
//! tuple by its code, or by its hash where there are no codes.

use std::cmp::Reverse;

use smallvec::SmallVec;

use crate::program::Constant;
use crate::table::{Cell, Key, RowId, Table, with_cells};
use crate::tuning::{CODES_PER_ROW, LARGE_KEYS};

/// What a constant that does not occur in a column adds to a code: it is then no code at all.
pub(crate) const ABSENT: u32 = u32::MAX;

/// What gives tuples numbers: sums of what the constants of their columns contribute.
pub(crate) trait Codes {
    /// What a constant contributes; `None` if it does not occur in the column.
    fn part(&self, column: usize, constant: Constant) -> Option<u64>;
    /// Adds what one column of some tuples contributes to their codes. What is no code is greater than all in the end.
    fn add_parts(&self, column: usize, values: impl Iterator<Item = Constant>, codes: &mut [u64]);
}

/// Adds to codes what the constants of a column contribute. `least` is the constant of the first part.
#[inline]
pub(crate) fn add_parts(
    least: Constant,
    parts: &[u32],
    values: impl Iterator<Item = Constant>,
    codes: &mut [u64],
) {
    for (code, value) in codes.iter_mut().zip(values) {
        let part = parts.get(value.wrapping_sub(least) as usize).unwrap_or(&ABSENT);
        *code += u64::from(*part);
    }
}

/// Columns are worked through in chunks of so many rows: the rows of a large table come from far away.
const CHUNK: usize = 1024;

/// One column of a key: the constants that occur, numbered in order of their values.
#[derive(Debug, Clone)]
struct KeyColumn {
    least: Constant,
    greatest: Constant,
    /// By constant, counted from the least: its number, times the number of codes of the columns numbered before.
    parts: Box<[u32]>,
}

impl Default for KeyColumn {
    fn default() -> Self {
        KeyColumn { least: Constant::MAX, greatest: 0, parts: Box::default() }
    }
}

impl KeyColumn {
    #[inline]
    fn extend(&mut self, value: Constant) {
        self.least = value.min(self.least);
        self.greatest = value.max(self.greatest);
    }

    /// How many constants occur.
    fn count(&self) -> usize {
        self.parts.iter().filter(|it| **it != ABSENT).count()
    }

    #[inline]
    fn mark(&mut self, value: Constant) {
        self.parts[(value - self.least) as usize] = 0;
    }
}

/// A bijection from the possible keys of some columns of a table to `0..size`.
#[derive(Debug, Clone)]
pub(crate) struct DenseKeys {
    columns: Box<[KeyColumn]>,
    size: usize,
}

impl DenseKeys {
    /// Numbers the keys of these columns, or gives up where the numbering would be much larger than
    /// the table: then hashing is cheaper.
    pub(crate) fn new(table: &Table, columns: &[usize]) -> Option<Self> {
        let allowed = (table.len() * CODES_PER_ROW + 512).min(ABSENT as usize);
        let mut dense = occurring(table, columns, allowed)?;
        let mut size = 1usize;
        let mut order: SmallVec<[usize; 8]> = (0..dense.len()).collect();
        if table.len() >= LARGE_KEYS {
            // Keys that are looked up one after the other are to have codes that are near each other. A column with
            // few constants, as of players, is more often that of an outer loop, or it has a constant; and the last
            // of some with as many is more often that of an inner loop.
            order.reverse();
            order.sort_by_key(|&it| Reverse(dense[it].count()));
        }
        for index in order {
            let mut next = 0;
            for part in dense[index].parts.iter_mut().filter(|part| **part != ABSENT) {
                *part = next as u32;
                next += size;
                if next > allowed {
                    return None;
                }
            }
            size = next;
        }
        Some(DenseKeys { columns: dense.into_boxed_slice(), size })
    }

    /// Calls `each` with the rows of the table that the keys were numbered from, ascending, and their codes.
    /// `columns` are those of the keys.
    pub(crate) fn for_each_code(
        &self,
        table: &Table,
        columns: &[usize],
        mut each: impl FnMut(RowId, u32),
    ) {
        with_cells!(table.constants(), cells => {
            for row in 0..table.len() {
                let tuple = &cells[row * table.arity()..];
                let parts = columns.iter().zip(&self.columns).map(|(&column, own)| {
                    own.parts[(tuple[column].constant() - own.least) as usize]
                });
                each(row as RowId, parts.sum());
            }
        });
    }

    /// How many codes there are.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The code of a key; `None` if a constant does not occur in its column.
    #[inline]
    pub(crate) fn code(&self, key: impl Iterator<Item = Constant>) -> Option<usize> {
        let mut code = 0;
        for (column, value) in self.columns.iter().zip(key) {
            code += u64::from(*column.parts.get(value.wrapping_sub(column.least) as usize)?);
        }
        (code < self.size as u64).then_some(code as usize)
    }

    /// What a constant contributes to the code of a key: the code is the sum over the columns, numbered as when
    /// the keys were made. `None` if the constant does not occur in the column.
    #[inline]
    pub(crate) fn part(&self, column: usize, value: Constant) -> Option<usize> {
        let column = &self.columns[column];
        let part = *column.parts.get(value.wrapping_sub(column.least) as usize)?;
        (part != ABSENT).then_some(part as usize)
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        self.columns.iter().map(|column| (column.parts.len() * 4) as u64).sum()
    }
}

impl Codes for DenseKeys {
    #[inline]
    fn part(&self, column: usize, constant: Constant) -> Option<u64> {
        self.part(column, constant).map(|part| part as u64)
    }

    #[inline]
    fn add_parts(&self, column: usize, values: impl Iterator<Item = Constant>, codes: &mut [u64]) {
        let KeyColumn { least, parts, .. } = &self.columns[column];
        add_parts(*least, parts, values, codes);
    }
}

/// The constants that occur in some columns of a table, unless they are spread over a range beyond `allowed`:
/// their parts are no [`ABSENT`].
fn occurring(table: &Table, columns: &[usize], allowed: usize) -> Option<Vec<KeyColumn>> {
    let mut dense: Vec<KeyColumn> = Vec::with_capacity(columns.len());
    dense.resize_with(columns.len(), KeyColumn::default);
    for_each(table, columns, &mut dense, KeyColumn::extend);
    for column in &mut dense {
        let range = (column.greatest as usize + 1).saturating_sub(column.least as usize);
        if range > allowed {
            return None;
        }
        column.parts = vec![ABSENT; range].into_boxed_slice();
    }
    for_each(table, columns, &mut dense, KeyColumn::mark);
    Some(dense)
}

/// Does something with the constants of each column.
fn for_each(
    table: &Table,
    columns: &[usize],
    dense: &mut [KeyColumn],
    act: impl Fn(&mut KeyColumn, Constant),
) {
    if let Some(domains) = table.dense_set() {
        for (own, &column) in dense.iter_mut().zip(columns) {
            domains.constants(column).for_each(|value| act(own, value));
        }
        return;
    }
    for rows in table.chunks(CHUNK) {
        for (own, &column) in dense.iter_mut().zip(columns) {
            rows.for_each(column, |_, value| act(own, value));
        }
    }
}

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
