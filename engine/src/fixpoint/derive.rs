//! A join of the fixpoint: new facts of a predicate are joined with all others ([`Join`]), and what plans derive is interned
//! ([`Derive`]).
//!
//! It reads complete tables, and those to which it adds rows ([`Growing`]). The last steps of a rule are run for many rows at once:
//! most of what they find is known already, which a bit says for each.

use std::ops::Range;

use super::deltas::{ByConstants, Delta, Deltas};
use super::split::Split;
use super::{Effort, split};
use crate::budget::{Budget, Stop as _};
use crate::error::{Exceeded, Limit};
use crate::execute::block::{Block, bound};
use crate::execute::{Coded, Executor, LEAST_IN_BLOCK, Sink, Source};
use crate::index::{Chains, Index};
use crate::plan::{Access, Plan, Step};
use crate::program::{Argument, Atom, Constant, PredicateId, Program, Rule};
use crate::statistics::TableStatistics;
use crate::strata::Component;
use crate::table::{Key, RowId, Table, Tables};

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
        Ok(derive(&self.head, &mut self.growing, self.block, (first, found), registers))
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
                self.effort.split = Some((self.head.position, split));
                self.effort.is_pending = true;
                // No limit of the caller's: it ends this run alone.
                Err(Exceeded::new(Limit::Cancelled, 0, 0))
            }
            None => {
                self.effort.is_accepted[self.head.position] = true;
                Ok(())
            }
        }
    }
}

/// Where the tuples of a plan go.
#[derive(Clone, Copy)]
pub(super) struct Head<'run> {
    /// Of the rule, in the program.
    pub(super) position: usize,
    pub(super) rule: &'run Rule,
    pub(super) predicate: PredicateId,
    /// Of the predicate.
    pub(super) name: &'run str,
    pub(super) plan: &'run Plan,
    /// The step after which heads are looked up before the proof goes on, if it is not the last.
    pub(super) early: Option<usize>,
}

impl<'run> Head<'run> {
    pub(super) fn new(position: usize, program: &'run Program, plan: &'run Plan) -> Self {
        let rule = &program.rules()[position];
        Head {
            position,
            rule,
            predicate: rule.head.predicate,
            name: &program[rule.head.predicate].name,
            plan,
            early: Some(plan.head_bound).filter(|&step| step + 1 < plan.steps.len()),
        }
    }
}

/// Answers with the constants of their heads.
pub(super) type AnswerBlock = Block<Constant>;

/// The step from which on rows can be taken in blocks: the last one that has several rows which matter. Those behind it
/// have at most one, or only check whether there is any.
pub(super) fn first_step(plan: &Plan, indexes: &[Index]) -> Option<usize> {
    let only_checks = |step: &Step| step.once && step.tests.is_empty() && step.checks.is_empty();
    let has_one = |step: &Step| match step.access {
        Access::Row => true,
        Access::Index(index) => indexes[index as usize].is_unique() || only_checks(step),
        Access::Chain(_) => only_checks(step),
        Access::Given | Access::Scan => false,
    };
    let behind = plan.steps.iter().rev().take_while(|it| has_one(it)).count();
    let first = (plan.steps.len() - behind).checked_sub(1)?;
    (first < plan.significant && !plan.steps[first].once).then_some(first)
}

/// Takes some rows of the first of the last steps, and adds the heads that are found for them. Returns how many rows of
/// the others were looked at.
fn derive(
    head: &Head<'_>,
    growing: &mut Growing<'_>,
    block: &mut AnswerBlock,
    (first, found): (usize, &[RowId]),
    registers: &mut [Constant],
) -> usize {
    let plan = head.plan;
    let steps = &plan.steps[first..];
    let mut looked_at = 0;
    block.begin(found, steps.len());
    for position in 0..steps.len() {
        let own = &steps[..=position];
        if position > 0 {
            block.probe(growing, own, registers);
            looked_at += block.len;
        }
        block.select(growing, own, registers);
        // Once the head is bound, a head that is known already is not worth a proof.
        if first + position == plan.head_bound
            && let Some(set) = growing.tables[head.predicate].dense_set()
        {
            let arguments = plan.head.iter().map(|&it| Argument::Variable(it));
            let known = (&*growing, own, &*registers);
            block.find_coded(set, arguments, known, |code| set.has_code(code).into());
            block.retain_found(own.len(), false);
        }
        if block.len == 0 {
            break;
        }
    }
    if block.len > 0 {
        block.gather(&bound(growing, plan.head.iter().copied(), steps));
    }
    let table = growing.tables.table_mut(head.predicate);
    for answer in 0..block.len {
        for (&register, constants) in block.slots.iter().zip(&block.values) {
            registers[register] = constants[answer];
        }
        table.add(Key { registers, columns: &plan.head });
    }
    looked_at
}

/// Tables to which rows are added that are not seen before the next round.
pub(super) struct Growing<'run> {
    pub(super) tables: &'run mut Tables,
    pub(super) visible: &'run [RowId],
    pub(super) indexes: &'run [Index],
    pub(super) chains: &'run mut [Chains],
}

impl Growing<'_> {
    /// Bytes in use.
    fn bytes(&self) -> u64 {
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

/// What a round has come to.
#[derive(Default)]
pub(super) struct Round {
    /// A rule that is to be split after the round, which it has not finished.
    pub(super) costly: Option<(usize, Split)>,
    /// The predicates whose rules have been run.
    heads: Vec<PredicateId>,
    /// By predicate: whether it is one of them.
    is_head: Vec<bool>,
}

impl Round {
    /// Makes room for so many predicates.
    pub(super) fn begin(&mut self, predicates: usize) {
        self.is_head.resize(predicates, false);
    }

    /// The predicates whose rules have been run, ascending. The next round begins with none.
    pub(super) fn take_heads(&mut self) -> Vec<PredicateId> {
        self.heads.iter().for_each(|it| self.is_head[it.index()] = false);
        self.heads.sort_unstable();
        std::mem::take(&mut self.heads)
    }

    #[inline]
    fn add_head(&mut self, head: PredicateId) {
        if !std::mem::replace(&mut self.is_head[head.index()], true) {
            self.heads.push(head);
        }
    }
}

/// The rule that exceeded a limit.
type Failure = (usize, Exceeded);

/// A join of new facts of a predicate with those before.
pub(super) struct Join<'run, 'round> {
    pub(super) predicate: PredicateId,
    /// The chains of the predicate.
    pub(super) chains: &'run [u32],
    pub(super) program: &'run Program,
    pub(super) executor: &'run mut Executor,
    pub(super) sink: Derive<'run>,
    pub(super) round: &'round mut Round,
}

impl<'run> Join<'run, '_> {
    /// Joins new facts by all plans.
    ///
    /// # Errors
    /// A limit that was exceeded.
    pub(super) fn run(&mut self, rows: Range<RowId>, deltas: &'run Deltas) -> Result<(), Failure> {
        if let Some(by_constants) = &deltas.by_constants {
            return self.run_by_constants(rows, deltas, by_constants);
        }
        let portion = if deltas.meets_own { 1 } else { rows.len() };
        let one_by_one = rows.clone().step_by(portion).map(|row| row..row + portion as RowId);
        let portions = one_by_one.map(|rows| (rows, true)).chain([(rows, false)]);
        for (rows, meet_own) in portions {
            self.show(rows.end - 1);
            for delta in deltas.all.iter().filter(|it| it.meets_own() == meet_own) {
                self.run_delta(delta, rows.clone())?;
            }
        }
        Ok(())
    }

    /// The same, each fact by those plans only that do not want other constants in some columns.
    fn run_by_constants(
        &mut self,
        rows: Range<RowId>,
        deltas: &'run Deltas,
        by_constants: &'run ByConstants,
    ) -> Result<(), Failure> {
        let others = || by_constants.others.iter().map(|&it| &deltas.all[it as usize]);
        for row in rows.clone() {
            self.show(row);
            let fact = self.sink.growing.tables[self.predicate].row(row);
            for &delta in by_constants.with(fact) {
                self.run_delta(&deltas.all[delta as usize], row..row + 1)?;
            }
            for delta in others().filter(|it| it.meets_own()) {
                self.run_delta(delta, row..row + 1)?;
            }
        }
        for delta in others().filter(|it| !it.meets_own()) {
            self.run_delta(delta, rows.clone())?;
        }
        Ok(())
    }

    /// Lets the chains of the predicate hold the rows up to and including this one.
    #[inline]
    fn show(&mut self, last: RowId) {
        let Growing { tables, chains, .. } = &mut self.sink.growing;
        for &chain in self.chains {
            chains[chain as usize].insert_up_to(&tables[self.predicate], last);
        }
    }

    #[inline]
    fn run_delta(&mut self, delta: &'run Delta, rows: Range<RowId>) -> Result<(), Failure> {
        if self.round.costly.as_ref().is_some_and(|it| it.0 == delta.rule) {
            return Ok(());
        }
        let (program, sink) = (self.program, &mut self.sink);
        let result = delta.run(self.predicate, rows, program, self.executor, sink);
        self.round.add_head(self.sink.head.predicate);
        if let Some(split) = self.sink.effort.split.take() {
            self.round.costly = self.round.costly.take().or(Some(split));
            return Ok(());
        }
        result.map_err(|exceeded| (delta.rule, exceeded))
    }
}
