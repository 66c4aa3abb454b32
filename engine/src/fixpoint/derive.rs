//! What a join of the fixpoint reads, and where the tuples go that it derives.

use super::block::Answers;
use super::effort::Effort;
use super::split;
use crate::budget::Budget;
use crate::chain::Chains;
use crate::error::{Exceeded, Limit};
use crate::execute::{Sink, Source, least_in_block};
use crate::index::Index;
use crate::plan::Plan;
use crate::program::{Atom, Constant, PredicateId, Program, Rule};
use crate::statistics::TableStatistics;
use crate::strata::Component;
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
    fn bytes(&self, measured: &mut Measured) -> u64 {
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
        // Nobody asks which row it is.
        is_there.then_some(0)
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

/// Where the tuples of a plan go.
#[derive(Clone, Copy)]
pub(super) struct Head<'run> {
    /// Of the rule, in the program.
    position: usize,
    rule: &'run Rule,
    pub(super) predicate: PredicateId,
    pub(super) plan: &'run Plan,
    /// The step after which heads are looked up before the proof goes on, if it is not the last.
    early: Option<usize>,
}

impl<'run> Head<'run> {
    pub(super) fn new(position: usize, program: &'run Program, plan: &'run Plan) -> Self {
        let rule = &program.rules()[position];
        Head {
            position,
            rule,
            predicate: rule.head.predicate,
            plan,
            early: Some(plan.head_bound).filter(|&step| step + 1 < plan.steps.len()),
        }
    }
}

/// Interns the heads that plans find.
pub(super) struct Derive<'run> {
    /// Of the plan that runs.
    pub(super) head: Head<'run>,
    pub(super) component: &'run Component,
    pub(super) statistics: &'run mut TableStatistics,
    pub(super) effort: &'run mut Effort,
    pub(super) growing: Growing<'run>,
    pub(super) budget: &'run Budget,
    pub(super) measured: &'run mut Measured,
    pub(super) block: &'run mut Answers,
}

impl<'run> Sink for Derive<'run> {
    type Source = Growing<'run>;
    const LEAST_IN_BLOCK: u32 = least_in_block(32);

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
        found: &[RowId],
        registers: &mut [Constant],
        _rows: &mut [RowId],
    ) -> usize {
        self.run_block(found, registers)
    }

    fn check(&mut self) -> Result<(), Exceeded> {
        let bytes = self.growing.bytes(self.measured);
        let rows = self.growing.tables[self.head.predicate].len() as u64;
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
