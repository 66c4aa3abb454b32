//! Rows of a step in blocks: each part of the work is one loop over a block, instead of every row going through all
//! parts. What is the same for all rows is done once. As in Boncz, Zukowski and Nes, "MonetDB/X100: Hyper-Pipelining
//! Query Execution" (2005).

use smallvec::SmallVec;

use super::accept::holds;
use super::cursor::{Cursor, MOST_IN_BLOCK};
use super::source::Source;
use crate::codes::Codes;
use crate::plan::{Access, Check, Register, Step};
use crate::program::{Argument, Constant};
use crate::table::{Cell, RowId, Table, with_cells};

/// The answers that are worked on, each with some values of its own.
pub(crate) struct Block<T> {
    pub(crate) len: usize,
    /// By step of the block: the row of each answer.
    pub(crate) rows: Vec<Vec<RowId>>,
    /// The slots that are filled.
    pub(crate) slots: SmallVec<[usize; 8]>,
    /// What they are filled with, by answer.
    pub(crate) values: Vec<Vec<T>>,
    /// The codes of the tuples that are looked up, by answer.
    pub(crate) codes: Vec<u64>,
}

impl<T> Default for Block<T> {
    fn default() -> Self {
        Block {
            len: 0,
            rows: Vec::new(),
            slots: SmallVec::new(),
            values: Vec::new(),
            codes: Vec::new(),
        }
    }
}

impl<T: Copy> Block<T> {
    /// Forgets all answers and takes some rows of the first of so many steps.
    pub(crate) fn begin(&mut self, found: &[RowId], steps: usize) {
        if self.rows.len() < steps {
            self.codes.resize(MOST_IN_BLOCK as usize, 0);
            self.rows.resize_with(steps, || vec![0; MOST_IN_BLOCK as usize]);
        }
        self.slots.clear();
        self.len = found.len();
        self.rows[0][..found.len()].copy_from_slice(found);
    }

    /// Another slot to be filled. Returns where its values go; until they do they are `empty`.
    pub(crate) fn slot(&mut self, slot: usize, empty: T) -> usize {
        let column = self.slots.len();
        self.slots.push(slot);
        if self.values.len() == column {
            self.values.push(vec![empty; MOST_IN_BLOCK as usize]);
        }
        column
    }

    /// Makes an answer the one at an earlier position.
    #[inline]
    fn put(&mut self, answer: usize, position: usize, steps: usize) {
        if answer != position {
            for rows in &mut self.rows[..steps] {
                rows[position] = rows[answer];
            }
            for values in &mut self.values[..self.slots.len()] {
                values[position] = values[answer];
            }
        }
    }

    /// Keeps the answers that are possible, of which so many steps have found a row.
    #[inline]
    pub(crate) fn retain(
        &mut self,
        steps: usize,
        mut is_possible: impl FnMut(&mut Self, usize) -> bool,
    ) {
        let mut kept = 0;
        for answer in 0..self.len {
            if is_possible(self, answer) {
                self.put(answer, kept, steps);
                kept += 1;
            }
        }
        self.len = kept;
    }
}

/// A variable that the steps of a block bind: a column of the row of one of them.
#[derive(Clone, Copy)]
pub(crate) struct Part<'run> {
    pub(crate) step: usize,
    pub(crate) table: &'run Table,
    pub(crate) column: usize,
}

impl Part<'_> {
    #[inline]
    pub(crate) fn value<T>(&self, block: &Block<T>, answer: usize) -> Constant {
        self.table.value(block.rows[self.step][answer], self.column)
    }

    /// Adds what the variable contributes to the codes of the answers, as a column of some keys.
    #[inline]
    pub(crate) fn add_to_codes(
        self,
        keys: &impl Codes,
        key_column: usize,
        rows: &[Vec<RowId>],
        codes: &mut [u64],
    ) {
        let Part { step, table, column } = self;
        let arity = table.arity();
        with_cells!(table.constants(), cells => {
            let values = rows[step].iter().map(|&row| cells[row as usize * arity + column].constant());
            keys.add_parts(key_column, values, codes);
        });
    }
}

/// A constant, as far as it is known when a block begins.
#[derive(Clone, Copy)]
pub(crate) enum Operand<'run> {
    /// The same for all answers.
    Known(Constant),
    /// That of a row.
    Part(Part<'run>),
}

/// Two terms to be compared.
pub(crate) struct Comparison<'run> {
    pub(crate) part: Part<'run>,
    pub(crate) other: Operand<'run>,
}

impl Comparison<'_> {
    #[inline]
    pub(crate) fn are_equal<T>(&self, block: &Block<T>, answer: usize) -> bool {
        let other = match &self.other {
            Operand::Known(constant) => *constant,
            Operand::Part(part) => part.value(block, answer),
        };
        self.part.value(block, answer) == other
    }
}

/// Terms that are all equal, or not, as far as that is not known when a block begins.
pub(crate) type Comparisons<'run> = SmallVec<[Comparison<'run>; 2]>;

/// Where these steps bind a variable, if they do.
fn part<'run>(source: &'run impl Source, variable: Register, steps: &[Step]) -> Option<Part<'run>> {
    steps.iter().enumerate().find_map(|(position, step)| {
        let &(column, _) = step.bind.iter().find(|it| it.1 == variable)?;
        Some(Part { step: position, table: source.table(step.predicate), column: column as usize })
    })
}

/// The registers that have another constant for each answer.
pub(crate) type Bound<'run> = SmallVec<[(Register, Part<'run>); 8]>;

/// Those of some registers that these steps bind.
pub(crate) fn bound<'run>(
    source: &'run impl Source,
    registers: impl Iterator<Item = Register>,
    steps: &[Step],
) -> Bound<'run> {
    registers.filter_map(|it| Some((it, part(source, it, steps)?))).collect()
}

/// What is known of an argument, of which these steps may bind the variable.
fn operand<'run>(
    source: &'run impl Source,
    argument: Argument,
    steps: &[Step],
    registers: &[Constant],
) -> Operand<'run> {
    let part = argument.variable().and_then(|variable| part(source, variable, steps));
    part.map_or_else(|| Operand::Known(argument.value(registers)), Operand::Part)
}

/// What has to be compared to see whether all pairs are equal. `None` if they are not.
pub(crate) fn comparisons<'run>(
    source: &'run impl Source,
    pairs: impl Iterator<Item = (Argument, Argument)>,
    steps: &[Step],
    registers: &[Constant],
) -> Option<Comparisons<'run>> {
    let mut comparisons = Comparisons::new();
    for (left, right) in pairs {
        let [left, right] = [left, right].map(|it| operand(source, it, steps, registers));
        match (left, right) {
            (Operand::Known(left), Operand::Known(right)) if left != right => return None,
            (Operand::Known(_), Operand::Known(_)) => {}
            (Operand::Part(part), other) | (other, Operand::Part(part)) => {
                comparisons.push(Comparison { part, other });
            }
        }
    }
    Some(comparisons)
}

impl<T: Copy> Block<T> {
    /// Computes the codes of a tuple for all answers, or what is no code. Returns whether there can be any.
    pub(crate) fn find_codes(
        &mut self,
        keys: &impl Codes,
        arguments: impl Iterator<Item = Argument>,
        source: &impl Source,
        steps: &[Step],
        registers: &[Constant],
    ) -> bool {
        let mut begin = 0;
        let mut parts: SmallVec<[(usize, Part<'_>); 4]> = SmallVec::new();
        for (column, argument) in arguments.enumerate() {
            match operand(source, argument, steps, registers) {
                Operand::Part(part) => parts.push((column, part)),
                Operand::Known(constant) => match keys.part(column, constant) {
                    Some(part) => begin += part,
                    None => return false,
                },
            }
        }
        let codes = &mut self.codes[..self.len];
        codes.fill(begin);
        for (column, part) in parts {
            part.add_to_codes(keys, column, &self.rows, codes);
        }
        true
    }

    /// Gathers the constants that all answers have for some registers, each in a slot of its own.
    pub(crate) fn gather(&mut self, bound: &Bound<'_>)
    where
        T: From<Constant>,
    {
        for &(register, Part { step, table, column }) in bound {
            let slot = self.slot(register as usize, T::from(0));
            let (values, rows) = (&mut self.values[slot][..self.len], &self.rows[step]);
            with_cells!(table.constants(), cells => {
                for (value, &row) in values.iter_mut().zip(rows) {
                    *value = T::from(cells[row as usize * table.arity() + column].constant());
                }
            });
        }
    }

    /// Puts the constants of an answer into some registers.
    #[inline]
    pub(crate) fn put_constants(
        &self,
        bound: &Bound<'_>,
        answer: usize,
        registers: &mut [Constant],
    ) {
        for (register, part) in bound {
            registers[*register as usize] = part.value(self, answer);
        }
    }

    /// Puts the constants of an answer that these steps bind into their registers.
    #[inline]
    pub(crate) fn bind(
        &self,
        source: &impl Source,
        steps: &[Step],
        answer: usize,
        registers: &mut [Constant],
    ) {
        for (step, rows) in steps.iter().zip(&self.rows).filter(|it| !it.0.bind.is_empty()) {
            let tuple = source.table(step.predicate).row(rows[answer]);
            with_cells!(tuple, cells => for &(column, register) in &step.bind {
                registers[register as usize] = cells[column as usize].constant();
            });
        }
    }

    /// Finds a row of the last of some steps for each answer, each of which has at most one that matters.
    pub(crate) fn probe(
        &mut self,
        source: &impl Source,
        steps: &[Step],
        registers: &mut [Constant],
    ) {
        let last = steps.len() - 1;
        let (step, known) = (&steps[last], &steps[..last]);
        let index = match step.access {
            Access::Index(index) => Some(source.index(index)),
            _ => None,
        };
        if let Some((index, (keys, starts))) = index.and_then(|it| Some((it, it.dense()?))) {
            let arguments = step.key.iter().map(|&it| Argument::Variable(it));
            if !self.find_codes(keys, arguments, source, known, registers) {
                self.len = 0;
            }
            return self.retain(steps.len(), |block, answer| {
                let code = block.codes[answer] as usize;
                match starts.get(code..code.saturating_add(2)) {
                    Some(&[start, end]) if start < end => {
                        block.rows[last][answer] = index.row(start);
                        true
                    }
                    _ => false,
                }
            });
        }
        let bound = bound(source, step.key.iter().copied(), known);
        self.retain(steps.len(), |block, answer| {
            block.put_constants(&bound, answer, registers);
            let row = Cursor::open(step, registers, source).next(step, source);
            block.rows[last][answer] = row.unwrap_or_default();
            row.is_some()
        });
    }

    /// Leaves out the answers that do not fulfil the conditions of the last of some steps.
    pub(crate) fn select(
        &mut self,
        source: &impl Source,
        steps: &[Step],
        registers: &mut [Constant],
    ) {
        let Some((step, before)) = steps.split_last() else { return };
        let of = |register| Argument::Variable(register);
        for &(column, register) in &step.tests {
            let table = source.table(step.predicate);
            let part = Part { step: before.len(), table, column: column as usize };
            let other = operand(source, of(register), steps, registers);
            let test = Comparison { part, other };
            self.retain(steps.len(), |block, answer| test.are_equal(block, answer));
        }
        for check in &step.checks {
            match check {
                Check::Distinct(pairs) => {
                    let pairs = pairs.iter().map(|&(left, right)| (of(left), of(right)));
                    if let Some(same) = comparisons(source, pairs, steps, registers) {
                        self.retain(steps.len(), |block, answer| {
                            same.iter().any(|it| !it.are_equal(block, answer))
                        });
                    }
                }
                Check::Absent(_, columns) => {
                    let bound = bound(source, columns.iter().copied(), steps);
                    self.retain(steps.len(), |block, answer| {
                        block.put_constants(&bound, answer, registers);
                        holds(check, registers, source)
                    });
                }
            }
        }
    }
}
