//! Constants that answers of a block have: what is known of them, and where the others are.

use smallvec::SmallVec;

use super::answers::Block;
use crate::codes::Codes;
use crate::execute::source::Source;
use crate::plan::{Register, Step};
use crate::program::{Argument, Constant};
use crate::table::{Cell, RowId, Table, with_cells};

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
    pub(crate) fn add_to_codes(
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
pub(super) enum Operand<'run> {
    /// The same for all answers.
    Known(Constant),
    /// That of a row.
    Part(AnswerPart<'run>),
}

/// Two terms to be compared.
pub(crate) struct Comparison<'run> {
    pub(super) part: AnswerPart<'run>,
    pub(super) other: Operand<'run>,
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
pub(super) fn operand<'run>(
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
