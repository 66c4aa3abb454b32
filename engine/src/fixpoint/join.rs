//! New facts of a predicate joined with all others.

use std::ops::Range;

use super::delta::Delta;
use super::deltas::{ByConstants, Deltas};
use super::derive::Derive;
use super::split::Split;
use crate::error::Exceeded;
use crate::execute::Executor;
use crate::program::{PredicateId, Program};
use crate::table::RowId;

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
        let portion = if deltas.meet_own() { 1 } else { rows.len() };
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
        for &chain in self.chains {
            self.sink.growing.insert(chain, self.predicate, last);
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
        if let Some(split) = self.sink.effort.take_split() {
            self.round.costly = self.round.costly.take().or(Some(split));
            return Ok(());
        }
        result.map_err(|exceeded| (delta.rule, exceeded))
    }
}
