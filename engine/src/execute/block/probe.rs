//! What the steps behind the first of a block find for its answers, and which of these are left: constants that are known or
//! lie in the rows of answers, the codes of tuples, look-ups and comparisons.

use smallvec::SmallVec;

use super::Block;
use crate::dense_keys::Codes;
use crate::execute::{Coded, Cursor, Source};
use crate::plan::{Access, Check, Register, Step};
use crate::program::{Argument, Constant, PredicateId};
use crate::table::{Cell, Key, RowId, Table, with_cells};

/// A variable that the steps of a block bind: a column of the row of one of them.
#[derive(Clone, Copy)]
pub(crate) struct AnswerPart<'run> {
    pub(crate) step: usize,
    pub(crate) table: &'run Table,
    pub(crate) column: usize,
}

impl AnswerPart<'_> {
    #[inline]
    pub(crate) fn value<T>(&self, block: &Block<T>, answer: usize) -> Constant {
        self.table.value(block.rows[self.step][answer], self.column)
    }

    /// The constant in a row of the table, which has these cells.
    #[inline]
    pub(super) fn of(&self, cells: &[impl Cell], row: RowId) -> Constant {
        cells[row as usize * self.table.arity() + self.column].constant()
    }

    /// Adds what the variable contributes to the codes of the answers, as a column of some keys.
    #[inline]
    fn add_to_codes(
        self,
        keys: &impl Codes,
        key_column: usize,
        rows: &[Vec<RowId>],
        codes: &mut [u64],
    ) {
        let AnswerPart { step, table, column } = self;
        let arity = table.arity();
        with_cells!(table.constants(), cells => {
            let values = rows[step].iter().map(|&row| cells[row as usize * arity + column].constant());
            keys.add_parts(key_column, values, codes);
        });
    }
}

/// A constant, as far as it is known when a block begins.
#[derive(Clone, Copy)]
enum Operand<'run> {
    /// The same for all answers.
    Known(Constant),
    /// That of a row.
    Part(AnswerPart<'run>),
}

/// Two terms to be compared.
pub(crate) struct Comparison<'run> {
    pub(super) part: AnswerPart<'run>,
    other: Operand<'run>,
}

impl<'run> Comparison<'run> {
    /// With a constant that is the same for all answers.
    pub(crate) fn with(part: AnswerPart<'run>, known: Constant) -> Self {
        Comparison { part, other: Operand::Known(known) }
    }
}

/// Terms that are all equal, or not, as far as that is not known when a block begins.
pub(crate) type Comparisons<'run> = SmallVec<[Comparison<'run>; 2]>;

/// Where these steps bind a variable, if they do.
fn part<'run>(
    source: &'run impl Source,
    variable: Register,
    steps: &[Step],
) -> Option<AnswerPart<'run>> {
    steps.iter().enumerate().find_map(|(position, step)| {
        let &(column, _) = step.bind.iter().find(|it| it.1 == variable)?;
        Some(AnswerPart {
            step: position,
            table: source.table(step.predicate),
            column: column as usize,
        })
    })
}

/// The registers that have another constant for each answer.
pub(crate) type Bound<'run> = SmallVec<[(Register, AnswerPart<'run>); 8]>;

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
fn comparisons<'run>(
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
        let mut parts: SmallVec<[(usize, AnswerPart<'_>); 4]> = SmallVec::new();
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
        for &(register, AnswerPart { step, table, column }) in bound {
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
            let group = |code: usize| match starts.get(code..code.saturating_add(2)) {
                Some(&[start, end]) if start < end => Some(start),
                _ => None,
            };
            let own = self.rows[last].iter_mut().zip(&mut self.found);
            for ((row, found), &code) in own.zip(&self.codes[..self.len]) {
                let first = group(code as usize).map(|start| index.row(start));
                *row = first.unwrap_or_default();
                *found = first.is_some().into();
            }
            return self.retain_found(steps.len(), true);
        }
        if step.access == Access::Row {
            self.find_rows((step.predicate, &step.key), source, known, registers);
            for (row, found) in self.rows[last].iter_mut().zip(&self.found[..self.len]) {
                *row = found.wrapping_sub(1);
            }
            return self.retain_found(steps.len(), true);
        }
        let bound = bound(source, step.key.iter().copied(), known);
        self.retain(steps.len(), |block, answer| {
            block.put_constants(&bound, answer, registers);
            let row = Cursor::open(step, registers, source).next(step, source);
            block.rows[last][answer] = row.unwrap_or_default();
            row.is_some()
        });
    }

    /// Looks up the tuple of a predicate that is in some registers for all answers.
    fn find_rows(
        &mut self,
        (predicate, columns): (PredicateId, &[Register]),
        source: &impl Source,
        steps: &[Step],
        registers: &mut [Constant],
    ) {
        let arguments = columns.iter().map(|&it| Argument::Variable(it));
        let known = (source, steps, &*registers);
        match source.coded(predicate) {
            Some(Coded::Rows(keys, rows)) => {
                let row = |code| rows.get(code as usize).copied().unwrap_or(0);
                self.find_coded(keys, arguments, known, row);
            }
            Some(Coded::All(set)) => {
                self.find_coded(set, arguments, known, |code| set.has_code(code).into());
            }
            Some(Coded::Shown(set)) => {
                self.find_coded(set, arguments, known, |code| set.shows_code(code).into());
            }
            None => {
                let bound = bound(source, columns.iter().copied(), steps);
                for answer in 0..self.len {
                    self.put_constants(&bound, answer, registers);
                    let row = source.find(predicate, Key { registers, columns });
                    self.found[answer] = row.map_or(0, |row| row + 1);
                }
            }
        }
    }

    /// Looks up a tuple that has codes for all answers. `row` is what is found by a code.
    pub(crate) fn find_coded<S: Source>(
        &mut self,
        keys: &impl Codes,
        arguments: impl Iterator<Item = Argument>,
        (source, steps, registers): (&S, &[Step], &[Constant]),
        row: impl Fn(u64) -> u32,
    ) {
        if !self.find_codes(keys, arguments, source, steps, registers) {
            return self.found[..self.len].fill(0);
        }
        for (found, &code) in self.found[..self.len].iter_mut().zip(&self.codes) {
            *found = row(code);
        }
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
            let part = AnswerPart { step: before.len(), table, column: column as usize };
            let other = operand(source, of(register), steps, registers);
            self.compare(&[Comparison { part, other }]);
            self.retain_found(steps.len(), false);
        }
        for check in &step.checks {
            match check {
                Check::Distinct(pairs) => {
                    let pairs = pairs.iter().map(|&(left, right)| (of(left), of(right)));
                    if let Some(same) = comparisons(source, pairs, steps, registers) {
                        self.compare(&same);
                        self.retain_found(steps.len(), true);
                    }
                }
                Check::Absent(predicate, columns) => {
                    self.find_rows((*predicate, columns), source, steps, registers);
                    self.retain_found(steps.len(), false);
                }
            }
        }
    }

    /// Finds the bits in which these terms differ in any of the answers: none where all are equal.
    pub(crate) fn compare(&mut self, terms: &[Comparison<'_>]) {
        let Block { len, rows, found, .. } = self;
        let found = &mut found[..*len];
        found.fill(0);
        for Comparison { part, other } in terms {
            with_cells!(part.table.constants(), cells => {
                let value = |row: RowId| part.of(cells, row);
                let answers = found.iter_mut().zip(&rows[part.step]);
                match other {
                    Operand::Known(known) => {
                        answers.for_each(|(found, &row)| *found |= value(row) ^ known);
                    }
                    Operand::Part(other) => with_cells!(other.table.constants(), its_cells => {
                        for ((found, &row), &its_row) in answers.zip(&rows[other.step]) {
                            *found |= value(row) ^ other.of(its_cells, its_row);
                        }
                    }),
                }
            });
        }
    }
}
