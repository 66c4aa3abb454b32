//! Indexes of growing tables: chains of rows with the same key.

use crate::program::Constant;
use crate::table::{Key, RowId, Table};

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
