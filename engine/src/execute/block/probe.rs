//! What the steps behind the first of a block find for its answers, and which of these are left.

use smallvec::SmallVec;

use super::answers::Block;
use super::operand::{Bound, Comparison, Operand, Part, bound, comparisons, operand};
use crate::codes::Codes;
use crate::execute::accept::holds;
use crate::execute::cursor::Cursor;
use crate::execute::source::Source;
use crate::plan::{Access, Check, Step};
use crate::program::{Argument, Constant};
use crate::table::{Cell, RowId, with_cells};

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
            self.retain_equal(steps.len(), &[Comparison { part, other }], true);
        }
        for check in &step.checks {
            match check {
                Check::Distinct(pairs) => {
                    let pairs = pairs.iter().map(|&(left, right)| (of(left), of(right)));
                    if let Some(same) = comparisons(source, pairs, steps, registers) {
                        self.retain_equal(steps.len(), &same, false);
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

    /// Keeps the answers for which all these terms are equal, or those for which some differ.
    fn retain_equal(&mut self, steps: usize, terms: &[Comparison<'_>], are_equal: bool) {
        let Block { len, rows, codes, .. } = self;
        // Any bit in which terms differ.
        let codes = &mut codes[..*len];
        codes.fill(0);
        for Comparison { part, other } in terms {
            with_cells!(part.table.constants(), cells => {
                let value = |row: RowId| part.of(cells, row);
                let answers = codes.iter_mut().zip(&rows[part.step]);
                match other {
                    Operand::Known(known) => {
                        answers.for_each(|(code, &row)| *code |= u64::from(value(row) ^ known));
                    }
                    Operand::Part(other) => with_cells!(other.table.constants(), its_cells => {
                        for ((code, &row), &its_row) in answers.zip(&rows[other.step]) {
                            *code |= u64::from(value(row) ^ other.of(its_cells, its_row));
                        }
                    }),
                }
            });
        }
        self.retain(steps, |block, answer| (block.codes[answer] == 0) == are_equal);
    }
}
