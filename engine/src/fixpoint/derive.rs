//! Where the tuples go that a join of the fixpoint derives.

use super::block::{self, AnswerBlock};
use super::effort::Effort;
use super::growing::Growing;
use super::head::Head;
use super::split;
use crate::budget::Budget;
use crate::error::{Exceeded, Limit};
use crate::execute::{LEAST_IN_BLOCK, Sink};
use crate::program::{Atom, Constant};
use crate::statistics::TableStatistics;
use crate::strata::Component;
use crate::table::{Key, RowId};

/// Interns the heads that plans find.
pub(super) struct Derive<'run> {
    /// Of the plan that runs.
    pub(super) head: Head<'run>,
    pub(super) component: &'run Component,
    pub(super) statistics: &'run mut TableStatistics,
    pub(super) effort: &'run mut Effort,
    pub(super) growing: Growing<'run>,
    pub(super) budget: &'run Budget,
    pub(super) block: &'run mut AnswerBlock,
}

impl<'run> Sink for Derive<'run> {
    type Source = Growing<'run>;
    const LEAST_IN_BLOCK: u32 = LEAST_IN_BLOCK;

    #[inline]
    fn source(&self) -> &Growing<'run> {
        &self.growing
    }

    /// Once the head is bound, a head that is known already is not worth a proof.
    #[inline]
    fn enter(&mut self, step: usize, registers: &[Constant], _rows: &[RowId]) -> bool {
        if self.head.early != Some(step) {
            return true;
        }
        let tuple = Key { registers, columns: &self.head.plan.head };
        !self.growing.tables[self.head.predicate].contains_key(tuple)
    }

    #[inline]
    fn emit(&mut self, registers: &[Constant], _rows: &[RowId]) {
        let tuple = Key { registers, columns: &self.head.plan.head };
        self.growing.tables.table_mut(self.head.predicate).add(tuple);
    }

    fn take_block(
        &mut self,
        first: usize,
        found: &[RowId],
        registers: &mut [Constant],
    ) -> Result<usize, Exceeded> {
        Ok(block::derive(&self.head, &mut self.growing, self.block, (first, found), registers))
    }

    fn check(&mut self) -> Result<(), Exceeded> {
        let bytes = self.growing.bytes();
        let rows = self.growing.tables[self.head.predicate].len() as u64;
        self.budget.derives(Some((self.head.name, rows)));
        self.budget.check_table(self.head.predicate, rows)?;
        self.budget.check(bytes, 0)?;
        if !self.effort.is_too_much(self.head.position, rows) {
            return Ok(());
        }
        let component = self.component;
        let grows = |it: &Atom| component.recursive && component.contains(it.predicate);
        match split::split(self.head.rule, self.growing.tables, self.statistics, &grows) {
            Some(split) => {
                self.effort.split(self.head.position, split);
                // No limit of the caller's: it ends this run alone.
                Err(Exceeded::new(Limit::Cancelled, 0, 0))
            }
            None => {
                self.effort.accept(self.head.position);
                Ok(())
            }
        }
    }
}
