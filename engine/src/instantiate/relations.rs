//! What the plans of a store pass read: complete tables, and what finds rows in them.

use crate::chain::Chains;
use crate::dense_keys::DenseKeys;
use crate::execute::{Coded, Source};
use crate::index::Index;
use crate::locator::Locator;
use crate::program::{Constant, PredicateId};
use crate::table::{Key, RowId, Table};
use crate::tables::Tables;

/// Complete tables with their indexes.
pub(crate) struct Relations<'run> {
    pub(crate) tables: &'run Tables,
    pub(crate) indexes: &'run [Index],
    /// By predicate, where one was made.
    pub(crate) locators: &'run [Option<Locator>],
}

impl Relations<'_> {
    /// Where a tuple is, if it is there.
    #[inline]
    pub(super) fn find(&self, predicate: PredicateId, tuple: &[Constant]) -> Option<RowId> {
        let table = &self.tables[predicate];
        match self.locators.get(predicate.index()) {
            Some(Some(locator)) => locator.find(table, tuple),
            _ => table.find(tuple),
        }
    }

    /// The dense codes of a table, with the row + 1 of each code, where there are such.
    #[inline]
    pub(super) fn dense(&self, predicate: PredicateId) -> Option<(&DenseKeys, &[u32])> {
        self.locators.get(predicate.index())?.as_ref()?.dense()
    }
}

impl Source for Relations<'_> {
    #[inline]
    fn table(&self, predicate: PredicateId) -> &Table {
        &self.tables[predicate]
    }

    #[inline]
    fn rows(&self, predicate: PredicateId) -> RowId {
        self.tables[predicate].len() as RowId
    }

    #[inline]
    fn find(&self, predicate: PredicateId, tuple: Key<'_>) -> Option<RowId> {
        let table = &self.tables[predicate];
        match self.locators.get(predicate.index()) {
            Some(Some(locator)) => locator.find_key(table, tuple),
            _ => table.find_key(tuple),
        }
    }

    #[inline]
    fn coded(&self, predicate: PredicateId) -> Option<Coded<'_>> {
        self.dense(predicate).map(|(keys, rows)| Coded::Rows(keys, rows))
    }

    #[inline]
    fn index(&self, index: u32) -> &Index {
        &self.indexes[index as usize]
    }

    fn chain(&self, _: u32) -> &Chains {
        unreachable!("complete tables have no chains")
    }
}
