//! Runs a join plan: nested look-ups, depth first, with an explicit stack.
//!
//! A plan reads a [`Source`], and its answers go to a [`Sink`]. A [`Cursor`] has the rows of a step that fit what is known, one after
//! the other or some at a time.

pub(crate) mod block;

use std::ops::Range;

use crate::budget::CHECK_INTERVAL;
use crate::dense_keys::DenseKeys;
use crate::error::Exceeded;
use crate::index::{Chains, END, Index};
use crate::plan::{Access, Check, Plan, Register, Step};
use crate::program::{Constant, PredicateId};
use crate::table::{Cell, DenseSet, Key, RowId, Table, with_cells};
use crate::tuning::ROWS_OF_A_BLOCK;

/// The stack of a run, kept from one run to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Executor {
    registers: Vec<Constant>,
    rows: Vec<RowId>,
    cursors: Vec<Cursor>,
    /// The rows of a block.
    found: Vec<RowId>,
    /// Rows looked at, over all runs.
    pub(crate) matches: u64,
}

impl Executor {
    /// Runs a plan. `first` restricts the first step to a range of its rows: the given ones, or a part
    /// of the scan or group.
    pub(crate) fn run<S: Sink>(
        &mut self,
        plan: &Plan,
        first: Option<Range<u32>>,
        sink: &mut S,
    ) -> Result<(), Exceeded> {
        self.load(plan);
        let mut registers = std::mem::take(&mut self.registers);
        let result = self.search(plan, &mut registers, first, sink);
        self.registers = registers;
        result
    }

    /// Runs a plan whose constants are in their registers.
    pub(crate) fn search<S: Sink>(
        &mut self,
        plan: &Plan,
        registers: &mut [Constant],
        first: Option<Range<u32>>,
        sink: &mut S,
    ) -> Result<(), Exceeded> {
        if self.rows.len() < plan.literals {
            self.rows.resize(plan.literals, 0);
        }
        if self.cursors.len() < plan.steps.len() {
            self.cursors.resize(plan.steps.len(), Cursor::EXHAUSTED);
        }
        let rows = self.rows.as_mut_slice();
        let cursors = &mut self.cursors[..plan.steps.len()];
        if !plan.prelude.iter().all(|check| holds(check, registers, sink.source())) {
            return Ok(());
        }
        let Some(step) = plan.steps.first() else {
            sink.emit(registers, rows);
            return Ok(());
        };
        cursors[0] = match first {
            Some(range) => Cursor::range(range),
            None => Cursor::open(step, registers, sink.source()),
        };
        let last = plan.steps.len() - 1;
        let block_from = plan.block_from.unwrap_or(usize::MAX);
        let wide_from = plan.wide.as_ref().map_or(usize::MAX, |it| it.from);
        let least = |depth| match &plan.wide {
            Some(wide) if depth == wide.from => wide.least,
            _ => S::LEAST_IN_BLOCK,
        };
        let begin_blocks = |depth: usize, cursor: &Cursor, step: &Step, source: &_| {
            (depth == block_from || depth == wide_from) && cursor.rows(step, source) >= least(depth)
        };
        if begin_blocks(0, &cursors[0], step, sink.source()) {
            let found = &mut self.found;
            let first = (0, step, &mut cursors[0]);
            take_blocks(first, registers, found, &mut self.matches, sink)?;
        }
        let mut depth = 0;
        loop {
            let step = &plan.steps[depth];
            let Some(row) = cursors[depth].next(step, sink.source()) else {
                match step.back {
                    Some(back) => depth = back as usize,
                    None => return Ok(()),
                }
                continue;
            };
            count(&mut self.matches, sink)?;
            rows[step.literal] = row;
            if !accept(step, row, registers, sink.source()) {
                continue;
            }
            if step.once {
                cursors[depth] = Cursor::EXHAUSTED;
            }
            if !sink.enter(depth, registers, rows) {
                continue;
            }
            if depth == last {
                sink.emit(registers, rows);
                match plan.resume {
                    Some(resume) => depth = resume as usize,
                    None => return Ok(()),
                }
            } else {
                depth += 1;
                cursors[depth] = Cursor::open(&plan.steps[depth], registers, sink.source());
                let (step, cursor) = (&plan.steps[depth], &mut cursors[depth]);
                if begin_blocks(depth, cursor, step, sink.source()) {
                    let found = &mut self.found;
                    let first = (depth, step, cursor);
                    take_blocks(first, registers, found, &mut self.matches, sink)?;
                }
            }
        }
    }

    /// Counts a row that the caller has looked at in vain.
    ///
    /// # Errors
    /// As those of a run.
    #[inline]
    pub(crate) fn skip(&mut self, sink: &mut impl Sink) -> Result<(), Exceeded> {
        count(&mut self.matches, sink)
    }

    /// How many rows the first step of a plan looks at, as positions to be split among threads.
    pub(crate) fn first_range(&mut self, plan: &Plan, source: &impl Source) -> Range<u32> {
        let Some(step) = plan.steps.first() else { return 0..0 };
        self.load(plan);
        Cursor::open(step, &self.registers, source).positions()
    }

    /// Puts the constants of a plan into their registers.
    #[inline]
    fn load(&mut self, plan: &Plan) {
        let registers = plan.variables + plan.constants.len();
        if self.registers.len() < registers {
            self.registers.resize(registers, 0);
        }
        self.registers[plan.variables..registers].copy_from_slice(&plan.constants);
    }
}

/// Hands on the rows of a step in blocks.
fn take_blocks(
    (first, step, cursor): (usize, &Step, &mut Cursor),
    registers: &mut [Constant],
    found: &mut Vec<RowId>,
    matches: &mut u64,
    sink: &mut impl Sink,
) -> Result<(), Exceeded> {
    while cursor.gather(step, found, sink.source()) {
        let before = *matches / u64::from(CHECK_INTERVAL);
        *matches += found.len() as u64;
        *matches += sink.take_block(first, found, registers)? as u64;
        if *matches / u64::from(CHECK_INTERVAL) != before {
            sink.check()?;
        }
    }
    Ok(())
}

/// Counts a row that is looked at.
#[inline]
fn count(matches: &mut u64, sink: &mut impl Sink) -> Result<(), Exceeded> {
    *matches += 1;
    if matches.is_multiple_of(u64::from(CHECK_INTERVAL)) {
        sink.check()?;
    }
    Ok(())
}

/// No block has more rows, so that what is known of them stays in the fastest cache.
const MOST_IN_BLOCK: u32 = if cfg!(debug_assertions) { 3 } else { 256 };

/// The rows of a step that are still to be looked at: positions, or the head of a chain.
#[derive(Debug, Clone, Copy, Default)]
struct Cursor {
    at: u32,
    end: u32,
}

impl Cursor {
    /// Ends positions and chains alike.
    const EXHAUSTED: Self = Cursor { at: END, end: END };

    /// These rows, or positions.
    #[inline]
    fn range(rows: Range<u32>) -> Self {
        Cursor { at: rows.start, end: rows.end }
    }

    /// What is still to be looked at, where it is no chain.
    fn positions(self) -> Range<u32> {
        self.at..self.end
    }

    /// How many rows are still to be looked at.
    #[inline]
    fn rows(self, step: &Step, source: &impl Source) -> u32 {
        match step.access {
            Access::Chain(chain) => source.chain(chain).count(self.at),
            _ => self.end - self.at,
        }
    }

    /// The rows of a step that fit what is known.
    #[inline]
    fn open(step: &Step, registers: &[Constant], source: &impl Source) -> Self {
        let key = Key { registers, columns: &step.key };
        match step.access {
            Access::Index(index) => Cursor::range(source.index(index).group(key)),
            Access::Row => match source.find(step.predicate, key) {
                Some(row) => Cursor::range(row..row + 1),
                None => Self::EXHAUSTED,
            },
            Access::Scan => Cursor::range(0..source.rows(step.predicate)),
            Access::Chain(chain) => Cursor { at: source.chain(chain).first(key), end: END },
            Access::Given => Self::EXHAUSTED,
        }
    }

    /// The next row of a step.
    #[inline]
    fn next(&mut self, step: &Step, source: &impl Source) -> Option<RowId> {
        let position = self.at;
        if position == self.end {
            return None;
        }
        match step.access {
            Access::Index(index) => {
                self.at += 1;
                Some(source.index(index).row(position))
            }
            Access::Chain(chain) => {
                self.at = source.chain(chain).after(position);
                Some(position)
            }
            _ => {
                self.at += 1;
                Some(position)
            }
        }
    }

    /// Gathers the next rows of a step, as many as a block may have. Returns whether there are any.
    #[inline]
    fn gather(&mut self, step: &Step, found: &mut Vec<RowId>, source: &impl Source) -> bool {
        found.clear();
        if let Access::Chain(chain) = step.access {
            let chain = source.chain(chain);
            while self.at != END && found.len() < MOST_IN_BLOCK as usize {
                found.push(self.at);
                self.at = chain.after(self.at);
            }
        } else {
            let end = self.end.min(self.at.saturating_add(MOST_IN_BLOCK));
            match step.access {
                Access::Index(index) => found.extend(source.index(index).rows(self.at..end)),
                _ => found.extend(self.at..end),
            }
            self.at = end;
        }
        !found.is_empty()
    }
}

/// What a plan reads.
pub(crate) trait Source {
    /// The rows of a predicate.
    fn table(&self, predicate: PredicateId) -> &Table;
    /// How many of them there are, for the plan.
    fn rows(&self, predicate: PredicateId) -> RowId;
    /// Where a tuple is, if it is there.
    fn find(&self, predicate: PredicateId, tuple: Key<'_>) -> Option<RowId>;
    /// The same for many tuples, by their codes, where they have such.
    fn coded(&self, predicate: PredicateId) -> Option<Coded<'_>>;
    /// An index of a complete table.
    fn index(&self, index: u32) -> &Index;
    /// An index of a growing table.
    fn chain(&self, chain: u32) -> &Chains;
}

/// Where the tuple with a code is.
pub(crate) enum Coded<'run> {
    /// By code: row + 1, or 0.
    Rows(&'run DenseKeys, &'run [u32]),
    /// A bit says whether it is there, and nothing where.
    All(&'run DenseSet),
    /// The same for those that are shown.
    Shown(&'run DenseSet),
}

/// Takes what a plan finds.
pub(crate) trait Sink {
    /// Where the plan reads.
    type Source: Source;
    /// Rows are taken one by one where there are fewer.
    const LEAST_IN_BLOCK: u32;
    /// The tables as they are now.
    fn source(&self) -> &Self::Source;
    /// A step has found a row. Returns whether it is worth going on with it.
    fn enter(&mut self, step: usize, registers: &[Constant], rows: &[RowId]) -> bool;
    /// All steps have found a row.
    fn emit(&mut self, registers: &[Constant], rows: &[RowId]);
    /// Takes some rows of a step, the first of a block, and what the steps behind it find for them. Returns how many
    /// rows of these were looked at.
    ///
    /// # Errors
    /// A limit that was exceeded: the run ends.
    fn take_block(
        &mut self,
        first: usize,
        found: &[RowId],
        registers: &mut [Constant],
    ) -> Result<usize, Exceeded>;
    /// Called every [`CHECK_INTERVAL`](crate::budget::CHECK_INTERVAL) rows.
    ///
    /// # Errors
    /// A limit that was exceeded: the run ends.
    fn check(&mut self) -> Result<(), Exceeded>;
}

/// A block should have so many rows at least. Small tables make blocks where errors are looked for.
pub(crate) const LEAST_IN_BLOCK: u32 = if cfg!(debug_assertions) { 2 } else { ROWS_OF_A_BLOCK };

/// Binds a row's constants and evaluates what can be evaluated then.
#[inline]
fn accept(step: &Step, row: RowId, registers: &mut [Constant], source: &impl Source) -> bool {
    if !step.bind.is_empty() || !step.tests.is_empty() {
        let tuple = source.table(step.predicate).row(row);
        if !with_cells!(tuple, cells => bind(step, cells, registers)) {
            return false;
        }
    }
    step.checks.iter().all(|check| holds(check, registers, source))
}

/// Binds a row's constants. Returns whether those that have to be equal to something are.
#[inline]
fn bind(step: &Step, tuple: &[impl Cell], registers: &mut [Constant]) -> bool {
    for &(column, register) in &step.bind {
        registers[register as usize] = tuple[column as usize].constant();
    }
    let is_equal = |&(column, register): &(u32, Register)| {
        tuple[column as usize].constant() == registers[register as usize]
    };
    step.tests.iter().all(is_equal)
}

/// Whether a condition holds.
#[inline]
fn holds(check: &Check, registers: &[Constant], source: &impl Source) -> bool {
    match check {
        Check::Distinct(pairs) => {
            let value = |register: Register| registers[register as usize];
            pairs.iter().any(|&(left, right)| value(left) != value(right))
        }
        Check::Absent(predicate, columns) => {
            source.find(*predicate, Key { registers, columns }).is_none()
        }
    }
}
