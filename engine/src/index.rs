//! Indexes of complete tables: the rows with given constants in given columns.

use crate::dense::DenseKeys;
use crate::program::Constant;
use crate::table::{Key, RowId, Table};

/// How a key becomes the number of its group.
#[derive(Debug, Clone)]
enum Keys {
    Dense(DenseKeys),
    /// Each key is a row; its number is the group.
    Hashed(Table),
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
        let (keys, groups) = match DenseKeys::new(table, columns) {
            Some(dense) => {
                let groups = dense.codes(table, columns);
                (Keys::Dense(dense), groups)
            }
            None => {
                let mut key = vec![0; columns.len()];
                let mut keys = Table::new(columns.len());
                let group = |tuple| {
                    project(tuple, columns, &mut key);
                    keys.insert(&key).0
                };
                let groups = table.rows().map(group).collect();
                (Keys::Hashed(keys), groups)
            }
        };
        let count = match &keys {
            Keys::Dense(dense) => dense.size(),
            Keys::Hashed(keys) => keys.len(),
        };
        // Sizes stand two behind their group, so that they are its start one behind it when they have been
        // added up, and when its rows have been put in, its end.
        let mut offsets = vec![0u32; count + 2];
        for &group in &groups {
            offsets[group as usize + 2] += 1;
        }
        for group in 0..count {
            offsets[group + 2] += offsets[group + 1];
        }
        let mut rows = vec![0; groups.len()];
        for (row, &group) in groups.iter().enumerate() {
            let next = &mut offsets[group as usize + 1];
            rows[*next as usize] = row as RowId;
            *next += 1;
        }
        Index { columns: columns.into(), keys, offsets: offsets.into(), rows: rows.into() }
    }

    /// The rows with this key, ascending, as a range of [`Index::row`] positions.
    #[inline]
    pub(crate) fn group(&self, key: Key<'_>) -> std::ops::Range<u32> {
        let group = match &self.keys {
            Keys::Dense(dense) => dense.code(key.constants()),
            Keys::Hashed(keys) => keys.find_key(key).map(|group| group as usize),
        };
        group.map_or(0..0, |group| self.offsets[group]..self.offsets[group + 1])
    }

    /// The same for a key whose constants stand together.
    #[inline]
    pub(crate) fn group_of(&self, key: &[Constant]) -> std::ops::Range<u32> {
        let group = match &self.keys {
            Keys::Dense(dense) => dense.code(key.iter().copied()),
            Keys::Hashed(keys) => keys.find(key).map(|group| group as usize),
        };
        group.map_or(0..0, |group| self.offsets[group]..self.offsets[group + 1])
    }

    /// The row at a position of a group.
    #[inline]
    pub(crate) fn row(&self, position: u32) -> RowId {
        self.rows[position as usize]
    }

    pub(crate) fn bytes(&self) -> u64 {
        let keys = match &self.keys {
            Keys::Dense(dense) => dense.bytes(),
            Keys::Hashed(keys) => keys.bytes(),
        };
        keys + ((self.offsets.len() + self.rows.len()) * 4) as u64
    }
}

/// Copies some columns of a tuple.
#[inline]
pub(crate) fn project(tuple: &[Constant], columns: &[usize], key: &mut [Constant]) {
    for (slot, &column) in key.iter_mut().zip(columns) {
        *slot = tuple[column];
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
}
