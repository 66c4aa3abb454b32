//! The answers of a block.

use smallvec::SmallVec;

use crate::execute::cursor::MOST_IN_BLOCK;
use crate::table::RowId;

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
        self.make_room(steps);
        self.slots.clear();
        self.len = found.len();
        self.rows[0][..found.len()].copy_from_slice(found);
    }

    /// Makes room for the rows of so many steps.
    #[inline]
    pub(super) fn make_room(&mut self, steps: usize) {
        if self.rows.len() < steps {
            self.codes.resize(MOST_IN_BLOCK as usize, 0);
            self.rows.resize_with(steps, || vec![0; MOST_IN_BLOCK as usize]);
        }
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
