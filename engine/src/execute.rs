//! Runs a join plan: nested look-ups, depth first, with an explicit stack.

pub(crate) mod block;

use std::ops::Range;

use crate::budget::CHECK_INTERVAL;
use crate::chain::{Chains, END};
use crate::dense::{DenseKeys, Locator};
use crate::error::Exceeded;
use crate::index::Index;
use crate::plan::{Access, Check, Plan, Register, Step};
use crate::program::{Argument, Constant, PredicateId};
use crate::table::{Cell, Key, RowId, Table, Tables, with_cells};

/// What a plan reads.
pub(crate) trait Source {
    /// The rows of a predicate.
    fn table(&self, predicate: PredicateId) -> &Table;
    /// How many of them there are, for the plan.
    fn rows(&self, predicate: PredicateId) -> RowId;
    /// Where a tuple is, if it is there.
    fn find(&self, predicate: PredicateId, tuple: Key<'_>) -> Option<RowId>;
    /// An index of a complete table.
    fn index(&self, index: u32) -> &Index;
    /// An index of a growing table.
    fn chain(&self, chain: u32) -> &Chains;
}

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
    pub(crate) fn find(&self, predicate: PredicateId, tuple: &[Constant]) -> Option<RowId> {
        let table = &self.tables[predicate];
        match self.locators.get(predicate.index()) {
            Some(Some(locator)) => locator.find(table, tuple),
            _ => table.find(tuple),
        }
    }

    /// The dense codes of a table, with the row + 1 of each code, where there are such.
    #[inline]
    pub(crate) fn dense(&self, predicate: PredicateId) -> Option<(&DenseKeys, &[u32])> {
        match self.locators.get(predicate.index()) {
            Some(Some(Locator::Dense(keys, rows))) => Some((keys, rows)),
            _ => None,
        }
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
            Some(Some(Locator::Dense(keys, rows))) => {
                rows[keys.code(tuple.constants())?].checked_sub(1)
            }
            _ => table.find_key(tuple),
        }
    }

    #[inline]
    fn index(&self, index: u32) -> &Index {
        &self.indexes[index as usize]
    }

    fn chain(&self, _: u32) -> &Chains {
        unreachable!("complete tables have no chains")
    }
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
    /// Takes some rows of the first step of a block, and what the steps behind it find for them. Returns how many
    /// rows of these were looked at.
    fn take_block(
        &mut self,
        found: &[RowId],
        registers: &mut [Constant],
        rows: &mut [RowId],
    ) -> usize;
    /// Called every [`CHECK_INTERVAL`] rows.
    ///
    /// # Errors
    /// A limit that was exceeded: the run ends.
    fn check(&mut self) -> Result<(), Exceeded>;
}

/// The rows of a step that are still to be looked at: positions, or the head of a chain.
#[derive(Debug, Clone, Copy, Default)]
struct Cursor {
    at: u32,
    end: u32,
}

impl Cursor {
    #[inline]
    fn range(rows: Range<u32>) -> Self {
        Cursor { at: rows.start, end: rows.end }
    }

    /// How many rows are still to be looked at.
    #[inline]
    fn rows(self, step: &Step, source: &impl Source) -> u32 {
        match step.access {
            Access::Chain(chain) => source.chain(chain).count(self.at),
            _ => self.end - self.at,
        }
    }
}

/// A block should have so many rows at least. Small tables make blocks where errors are looked for.
pub(crate) const fn least_in_block(rows: u32) -> u32 {
    if cfg!(debug_assertions) { 2 } else { rows }
}

/// No block has more rows, so that what is known of them stays in the fastest cache.
pub(crate) const MOST_IN_BLOCK: u32 = if cfg!(debug_assertions) { 3 } else { 256 };

/// Ends positions and chains alike.
const EXHAUSTED: Cursor = Cursor { at: END, end: END };

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
            self.cursors.resize(plan.steps.len(), EXHAUSTED);
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
            None => open(step, registers, sink.source()),
        };
        let last = plan.steps.len() - 1;
        let block_from = plan.block_from.unwrap_or(usize::MAX);
        if block_from == 0 && cursors[0].rows(step, sink.source()) >= S::LEAST_IN_BLOCK {
            let found = &mut self.found;
            take_blocks(step, &mut cursors[0], registers, rows, found, &mut self.matches, sink)?;
        }
        let mut depth = 0;
        loop {
            let step = &plan.steps[depth];
            let Some(row) = next(&mut cursors[depth], step, sink.source()) else {
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
                cursors[depth] = EXHAUSTED;
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
                cursors[depth] = open(&plan.steps[depth], registers, sink.source());
                let (step, cursor) = (&plan.steps[depth], &mut cursors[depth]);
                if depth == block_from && cursor.rows(step, sink.source()) >= S::LEAST_IN_BLOCK {
                    let found = &mut self.found;
                    take_blocks(step, cursor, registers, rows, found, &mut self.matches, sink)?;
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
        let cursor = open(step, &self.registers, source);
        cursor.at..cursor.end
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
#[inline(never)]
fn take_blocks(
    step: &Step,
    cursor: &mut Cursor,
    registers: &mut [Constant],
    rows: &mut [RowId],
    found: &mut Vec<RowId>,
    matches: &mut u64,
    sink: &mut impl Sink,
) -> Result<(), Exceeded> {
    while gather(step, cursor, found, sink.source()) {
        let before = *matches / u64::from(CHECK_INTERVAL);
        *matches += found.len() as u64;
        *matches += sink.take_block(found, registers, rows) as u64;
        if *matches / u64::from(CHECK_INTERVAL) != before {
            sink.check()?;
        }
    }
    Ok(())
}

/// Gathers the next rows of a step, as many as a block may have. Returns whether there are any.
#[inline]
fn gather(step: &Step, cursor: &mut Cursor, found: &mut Vec<RowId>, source: &impl Source) -> bool {
    found.clear();
    if let Access::Chain(chain) = step.access {
        let chain = source.chain(chain);
        while cursor.at != END && found.len() < MOST_IN_BLOCK as usize {
            found.push(cursor.at);
            cursor.at = chain.after(cursor.at);
        }
    } else {
        let end = cursor.end.min(cursor.at.saturating_add(MOST_IN_BLOCK));
        match step.access {
            Access::Index(index) => found.extend(source.index(index).rows(cursor.at..end)),
            _ => found.extend(cursor.at..end),
        }
        cursor.at = end;
    }
    !found.is_empty()
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

/// The rows of a step that fit what is known.
#[inline]
fn open(step: &Step, registers: &[Constant], source: &impl Source) -> Cursor {
    let key = Key { registers, columns: &step.key };
    match step.access {
        Access::Index(index) => Cursor::range(source.index(index).group(key)),
        Access::Row => match source.find(step.predicate, key) {
            Some(row) => Cursor::range(row..row + 1),
            None => EXHAUSTED,
        },
        Access::Scan => Cursor::range(0..source.rows(step.predicate)),
        Access::Chain(chain) => Cursor { at: source.chain(chain).first(key), end: END },
        Access::Given => EXHAUSTED,
    }
}

/// The next row of a step.
#[inline]
fn next(cursor: &mut Cursor, step: &Step, source: &impl Source) -> Option<RowId> {
    let position = cursor.at;
    if position == cursor.end {
        return None;
    }
    match step.access {
        Access::Index(index) => {
            cursor.at += 1;
            Some(source.index(index).row(position))
        }
        Access::Chain(chain) => {
            cursor.at = source.chain(chain).after(position);
            Some(position)
        }
        _ => {
            cursor.at += 1;
            Some(position)
        }
    }
}

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

/// The constant of an argument.
#[inline]
pub(crate) fn value(registers: &[Constant], argument: Argument) -> Constant {
    match argument {
        Argument::Constant(constant) => constant,
        Argument::Variable(variable) => registers[variable as usize],
    }
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
