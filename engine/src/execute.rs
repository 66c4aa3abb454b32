//! Runs a join plan: nested look-ups, depth first, with an explicit stack.

use crate::budget::CHECK_INTERVAL;
use crate::chain::{Chains, END};
use crate::dense::{DenseKeys, Locator};
use crate::error::Exceeded;
use crate::index::Index;
use crate::plan::{Access, Check, Plan, Step};
use crate::program::{Argument, Constant, PredicateId};
use crate::table::{RowId, Tables};

/// The tables and indexes that a plan reads.
pub(crate) struct Relations<'run> {
    pub(crate) tables: &'run Tables,
    pub(crate) indexes: &'run [Index],
    pub(crate) chains: &'run [Chains],
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

/// Takes what a plan finds.
pub(crate) trait Sink {
    /// A step has found a row. Returns whether it is worth going on with it.
    fn enter(&mut self, step: usize, registers: &[Constant], rows: &[RowId]) -> bool;
    /// All steps have found a row.
    fn emit(&mut self, registers: &[Constant], rows: &[RowId]);
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

/// The stack of a run, kept from one run to the next.
#[derive(Debug, Default)]
pub(crate) struct Executor {
    registers: Vec<Constant>,
    rows: Vec<RowId>,
    cursors: Vec<Cursor>,
    key: Vec<Constant>,
    /// Rows looked at, over all runs.
    pub(crate) matches: u64,
    since_check: u32,
}

#[inline]
fn value(registers: &[Constant], argument: Argument) -> Constant {
    match argument {
        Argument::Constant(constant) => constant,
        Argument::Variable(register) => registers[register as usize],
    }
}

impl Executor {
    /// Runs a plan. `first` restricts the first step to a range of its rows: the given row, or a part
    /// of the scan or group.
    pub(crate) fn run<S: Sink>(
        &mut self,
        plan: &Plan,
        first: Option<std::ops::Range<u32>>,
        relations: &Relations<'_>,
        sink: &mut S,
    ) -> Result<(), Exceeded> {
        self.registers.resize(plan.registers, 0);
        self.rows.resize(plan.literals, 0);
        if !plan.prelude.iter().all(|check| self.holds(check, relations)) {
            return Ok(());
        }
        if plan.steps.is_empty() {
            sink.emit(&self.registers, &self.rows);
            return Ok(());
        }
        self.cursors.clear();
        self.cursors.resize(plan.steps.len(), Cursor::default());
        self.cursors[0] = match first {
            Some(range) => Cursor { at: range.start, end: range.end },
            None => self.open(&plan.steps[0], relations),
        };
        let last = plan.steps.len() - 1;
        let mut depth = 0;
        loop {
            let step = &plan.steps[depth];
            let Some(row) = next(&mut self.cursors[depth], step, relations) else {
                if depth == 0 {
                    return Ok(());
                }
                depth -= 1;
                continue;
            };
            self.matches += 1;
            self.since_check += 1;
            if self.since_check >= CHECK_INTERVAL {
                self.since_check = 0;
                sink.check()?;
            }
            if !self.accept(step, row, relations) {
                continue;
            }
            if step.once {
                self.cursors[depth] = match step.access {
                    Access::Chain(_) => Cursor { at: END, end: 0 },
                    _ => Cursor::default(),
                };
            }
            if !sink.enter(depth, &self.registers, &self.rows) {
                continue;
            }
            if depth == last {
                sink.emit(&self.registers, &self.rows);
                match plan.significant.checked_sub(1) {
                    Some(significant) => depth = significant,
                    None => return Ok(()),
                }
            } else {
                depth += 1;
                self.cursors[depth] = self.open(&plan.steps[depth], relations);
            }
        }
    }

    /// How many rows the first step of a plan looks at, as positions to be split among threads.
    pub(crate) fn first_range(
        &mut self,
        plan: &Plan,
        relations: &Relations<'_>,
    ) -> std::ops::Range<u32> {
        let Some(step) = plan.steps.first() else { return 0..0 };
        let cursor = self.open(step, relations);
        cursor.at..cursor.end
    }

    #[inline]
    fn open(&mut self, step: &Step, relations: &Relations<'_>) -> Cursor {
        self.key.clear();
        for &argument in &step.key {
            self.key.push(value(&self.registers, argument));
        }
        match step.access {
            Access::Index(index) => {
                let group = relations.indexes[index as usize].group(&self.key);
                Cursor { at: group.start, end: group.end }
            }
            Access::Row => match relations.find(step.predicate, &self.key) {
                Some(row) => Cursor { at: row, end: row + 1 },
                None => Cursor::default(),
            },
            Access::Scan => Cursor { at: 0, end: relations.tables[step.predicate].len() as u32 },
            Access::Chain(chain) => {
                Cursor { at: relations.chains[chain as usize].first(&self.key), end: 0 }
            }
            Access::Given => Cursor::default(),
        }
    }

    /// Binds a row's constants and evaluates what can be evaluated then.
    #[inline]
    fn accept(&mut self, step: &Step, row: RowId, relations: &Relations<'_>) -> bool {
        self.rows[step.literal] = row;
        if !step.bind.is_empty() || !step.tests.is_empty() {
            let tuple = relations.tables[step.predicate].row(row);
            for &(column, register) in &step.bind {
                self.registers[register as usize] = tuple[column as usize];
            }
            for &(column, argument) in &step.tests {
                if tuple[column as usize] != value(&self.registers, argument) {
                    return false;
                }
            }
        }
        step.checks.iter().all(|check| self.holds(check, relations))
    }

    fn holds(&mut self, check: &Check, relations: &Relations<'_>) -> bool {
        match check {
            Check::Distinct(pairs) => pairs.iter().any(|&(left, right)| {
                value(&self.registers, left) != value(&self.registers, right)
            }),
            Check::Absent(predicate, arguments) => {
                self.key.clear();
                for &argument in arguments {
                    self.key.push(value(&self.registers, argument));
                }
                relations.find(*predicate, &self.key).is_none()
            }
        }
    }
}

/// The next row of a step.
#[inline]
fn next(cursor: &mut Cursor, step: &Step, relations: &Relations<'_>) -> Option<RowId> {
    if let Access::Chain(chain) = step.access {
        let row = cursor.at;
        if row == END {
            return None;
        }
        cursor.at = relations.chains[chain as usize].after(row);
        return Some(row);
    }
    if cursor.at == cursor.end {
        return None;
    }
    let position = cursor.at;
    cursor.at += 1;
    Some(match step.access {
        Access::Index(index) => relations.indexes[index as usize].row(position),
        _ => position,
    })
}
