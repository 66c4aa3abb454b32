//! What the joins read, and where the tuples go that they derive.

use crate::budget::{Budget, CHECK_INTERVAL};
use crate::chain::Chains;
use crate::error::{Exceeded, Limit};
use crate::execute::{Coded, Sink, Source};
use crate::index::Index;
use crate::plan::Plan;
use crate::program::{Constant, PredicateId};
use crate::table::{Key, RowId, Table};
use crate::tables::Tables;
use crate::tuning::{MOST_ROWS, ROWS_PER_ROW};

/// Tables that vary and tables that do not.
pub(super) struct Varying<'run> {
    pub(super) tables: &'run mut Tables,
    pub(super) indexes: &'run [Index],
    pub(super) chains: &'run [Chains],
}

impl Source for Varying<'_> {
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
        // Which row it is does not matter.
        self.tables[predicate].contains_key(tuple).then_some(0)
    }

    fn coded(&self, _: PredicateId) -> Option<Coded<'_>> {
        None
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

/// Adds the heads that a plan finds to their table.
pub(super) struct RepeatedDerive<'run> {
    pub(super) source: Varying<'run>,
    pub(super) head: PredicateId,
    pub(super) plan: &'run Plan,
    /// The step after which heads are looked up before the proof goes on, if it is not the last.
    pub(super) early: Option<usize>,
    pub(super) budget: &'run Budget,
    pub(super) checks: u64,
    /// Whether the run was ended since it looked at too many rows.
    pub(super) is_too_much: bool,
}

impl<'run> Sink for RepeatedDerive<'run> {
    type Source = Varying<'run>;
    const LEAST_IN_BLOCK: u32 = u32::MAX;

    #[inline]
    fn source(&self) -> &Varying<'run> {
        &self.source
    }

    #[inline]
    fn enter(&mut self, step: usize, registers: &[Constant], _: &[RowId]) -> bool {
        let head = Key { registers, columns: &self.plan.head };
        self.early != Some(step) || !self.source.tables[self.head].contains_key(head)
    }

    #[inline]
    fn emit(&mut self, registers: &[Constant], _: &[RowId]) {
        let head = Key { registers, columns: &self.plan.head };
        self.source.tables.table_mut(self.head).add(head);
    }

    fn take_block(&mut self, _: usize, _: &[RowId], _: &mut [Constant]) -> Result<usize, Exceeded> {
        unreachable!("these plans have no blocks")
    }

    fn check(&mut self) -> Result<(), Exceeded> {
        let rows = self.source.tables[self.head].len() as u64;
        self.budget.check_table(self.head, rows)?;
        self.budget.check(self.source.tables.bytes(), 0)?;
        self.checks += 1;
        if self.checks * u64::from(CHECK_INTERVAL) > MOST_ROWS.max(rows * ROWS_PER_ROW) {
            self.is_too_much = true;
            // No limit of the caller's: it ends this run alone.
            return Err(Exceeded::new(Limit::Cancelled, 0, 0));
        }
        Ok(())
    }
}
