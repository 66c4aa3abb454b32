//! What is known of the answers in a block, column by column.

use smallvec::SmallVec;

use crate::dense::DenseKeys;
use crate::execute::MOST_IN_BLOCK;
use crate::instantiate::sink::UNNUMBERED;
use crate::instantiate::store::GroundLiteral;
use crate::program::Constant;
use crate::table::{Cell, RowId, Table, with_cells};

/// The answers that are worked on.
#[derive(Default)]
pub(in crate::instantiate) struct Block {
    pub(super) len: usize,
    /// By step of the block: the row of each answer.
    pub(super) rows: Vec<Vec<RowId>>,
    /// The slots that are filled.
    pub(super) slots: SmallVec<[usize; 8]>,
    /// What they are filled with, by answer.
    pub(super) literals: Vec<Vec<GroundLiteral>>,
    /// The codes of the atoms that are looked up, by answer.
    pub(super) codes: Vec<u64>,
}

impl Block {
    /// Forgets all answers. There are to be so many, and so many steps.
    pub(super) fn begin(&mut self, len: usize, steps: usize) {
        if self.rows.len() < steps {
            self.codes.resize(MOST_IN_BLOCK as usize, 0);
            self.rows.resize_with(steps, || vec![0; MOST_IN_BLOCK as usize]);
        }
        self.slots.clear();
        self.len = len;
    }

    /// Another slot to be filled. Returns where its literals go.
    pub(super) fn slot(&mut self, slot: usize) -> usize {
        let column = self.slots.len();
        self.slots.push(slot);
        if self.literals.len() == column {
            self.literals.push(vec![UNNUMBERED; MOST_IN_BLOCK as usize]);
        }
        column
    }

    /// Makes an answer the one at an earlier position.
    #[inline]
    pub(super) fn put(&mut self, answer: usize, position: usize, steps: usize) {
        if answer != position {
            for rows in &mut self.rows[..steps] {
                rows[position] = rows[answer];
            }
            for literals in &mut self.literals[..self.slots.len()] {
                literals[position] = literals[answer];
            }
        }
    }

    /// Keeps the answers that are possible, of which so many steps have found a row.
    #[inline]
    pub(super) fn retain(
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
pub(super) struct Part<'run> {
    pub(super) step: usize,
    pub(super) table: &'run Table,
    pub(super) column: usize,
}

impl Part<'_> {
    #[inline]
    pub(super) fn value(&self, block: &Block, answer: usize) -> Constant {
        self.table.value(block.rows[self.step][answer], self.column)
    }

    /// Adds what the variable contributes to the codes of the answers, as a column of some keys.
    #[inline]
    pub(super) fn add_to_codes(
        self,
        keys: &DenseKeys,
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
pub(super) enum Operand<'run> {
    /// The same for all answers.
    Known(Constant),
    /// That of a row.
    Part(Part<'run>),
}

/// Two terms to be compared.
pub(super) struct Comparison<'run> {
    pub(super) part: Part<'run>,
    pub(super) other: Operand<'run>,
}

impl Comparison<'_> {
    #[inline]
    pub(super) fn are_equal(&self, block: &Block, answer: usize) -> bool {
        let other = match &self.other {
            Operand::Known(constant) => *constant,
            Operand::Part(part) => part.value(block, answer),
        };
        self.part.value(block, answer) == other
    }
}

/// Terms that are all equal, or not, as far as that is not known when a block begins.
pub(super) type Comparisons<'run> = SmallVec<[Comparison<'run>; 2]>;
