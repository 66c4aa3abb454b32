//! What a join of the fixpoint reads: complete tables, and those to which it adds rows.

use crate::chain::Chains;
use crate::execute::{Coded, Source};
use crate::index::Index;
use crate::program::PredicateId;
use crate::table::{Key, RowId, Table};
use crate::tables::Tables;

/// Tables to which rows are added that are not seen before the next round.
pub(super) struct Growing<'run> {
    pub(super) tables: &'run mut Tables,
    pub(super) visible: &'run [RowId],
    pub(super) indexes: &'run [Index],
    pub(super) chains: &'run mut [Chains],
}

impl Growing<'_> {
    /// Lets a chain hold the rows of its predicate up to and including this one.
    #[inline]
    pub(super) fn insert(&mut self, chain: u32, predicate: PredicateId, last: RowId) {
        self.chains[chain as usize].insert_up_to(&self.tables[predicate], last);
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        let indexes = self.indexes.iter().map(Index::bytes).sum::<u64>();
        let chains = self.chains.iter().map(Chains::bytes).sum::<u64>();
        self.tables.bytes() + indexes + chains
    }
}

impl Source for Growing<'_> {
    #[inline]
    fn table(&self, predicate: PredicateId) -> &Table {
        &self.tables[predicate]
    }

    #[inline]
    fn rows(&self, predicate: PredicateId) -> RowId {
        self.visible[predicate.index()]
    }

    #[inline]
    fn find(&self, predicate: PredicateId, tuple: Key<'_>) -> Option<RowId> {
        let (table, visible) = (&self.tables[predicate], self.rows(predicate));
        let is_there = if visible as usize == table.len() {
            table.contains_key(tuple)
        } else {
            table.shows_key(tuple)
        };
        // Which row it is does not matter.
        is_there.then_some(0)
    }

    #[inline]
    fn coded(&self, predicate: PredicateId) -> Option<Coded<'_>> {
        let (table, visible) = (&self.tables[predicate], self.rows(predicate));
        let set = table.dense_set()?;
        let is_whole = visible as usize == table.len();
        Some(if is_whole { Coded::All(set) } else { Coded::Shown(set) })
    }

    #[inline]
    fn index(&self, index: u32) -> &Index {
        &self.indexes[index as usize]
    }

    #[inline]
    fn chain(&self, chain: u32) -> &Chains {
        &self.chains[chain as usize]
    }
}
