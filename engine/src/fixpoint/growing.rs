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

    /// Bytes in use. Of many tables they are added up more seldom.
    pub(super) fn bytes(&self, measured: &mut Measured) -> u64 {
        if let Some(left) = measured.checks_left.checked_sub(1) {
            measured.checks_left = left;
            return measured.bytes;
        }
        let indexes = self.indexes.iter().map(Index::bytes).sum::<u64>();
        let chains = self.chains.iter().map(Chains::bytes).sum::<u64>();
        measured.bytes = self.tables.bytes() + indexes + chains;
        measured.checks_left = self.visible.len() / MANY_TABLES;
        measured.bytes
    }
}

/// Adding up the bytes of so many tables takes a part of the time between two checks.
const MANY_TABLES: usize = 1 << 10;

/// The bytes in use when they were last added up.
#[derive(Default)]
pub(super) struct Measured {
    bytes: u64,
    /// How many checks do with that.
    checks_left: usize,
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
