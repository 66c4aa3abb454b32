//! Runs a join plan: nested look-ups, depth first, with an explicit stack.

mod accept;
pub(crate) mod block;
mod cursor;
mod sink;
mod source;

use std::ops::Range;

use crate::budget::CHECK_INTERVAL;
use crate::error::Exceeded;
use crate::plan::{Plan, Step};
use crate::program::Constant;
use crate::table::RowId;
use accept::{accept, holds};
use cursor::Cursor;

pub(crate) use sink::{LEAST_IN_BLOCK, Sink};
pub(crate) use source::{Coded, Source};

/// The stack of a run, kept from one run to the next.
#[derive(Debug, Default)]
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
