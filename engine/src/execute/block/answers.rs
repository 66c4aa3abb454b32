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
    /// What is found of them, by answer: the row + 1, or 0. Or in which bits terms differ.
    pub(crate) found: Vec<u32>,
}

impl<T> Default for Block<T> {
    fn default() -> Self {
        Block {
            len: 0,
            rows: Vec::new(),
            slots: SmallVec::new(),
            values: Vec::new(),
            codes: Vec::new(),
            found: Vec::new(),
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
            self.found.resize(MOST_IN_BLOCK as usize, 0);
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

    /// Keeps the answers that are possible, of which so many steps have found a row.
    #[inline]
    pub(crate) fn retain(
        &mut self,
        steps: usize,
        mut is_possible: impl FnMut(&mut Self, usize) -> bool,
    ) {
        let mut kept = [0; MOST_IN_BLOCK as usize];
        let mut len = 0;
        for answer in 0..self.len {
            kept[len] = answer as u8;
            len += usize::from(is_possible(self, answer));
        }
        if len < self.len {
            self.keep(steps, &kept[..len]);
        }
    }

    /// Keeps the answers for which something is found, or those for which nothing is.
    pub(crate) fn retain_found(&mut self, steps: usize, is_found: bool) {
        let found = &self.found[..self.len];
        let (kept, len) =
            if is_found { positions(found, |it| it != 0) } else { positions(found, |it| it == 0) };
        if len < self.len {
            self.keep(steps, &kept[..len]);
        }
    }

    /// Keeps the answers at these positions, which ascend.
    fn keep(&mut self, steps: usize, kept: &[u8]) {
        self.rows[..steps].iter_mut().for_each(|rows| move_up(kept, rows));
        self.values[..self.slots.len()].iter_mut().for_each(|values| move_up(kept, values));
        self.len = kept.len();
    }
}

const _: () = assert!(MOST_IN_BLOCK <= 256, "positions of answers are bytes");

/// The positions of what is to be kept, and how many they are.
#[inline]
fn positions(found: &[u32], is_kept: impl Fn(u32) -> bool) -> ([u8; 256], usize) {
    let mut kept = [0; 256];
    let mut len = 0usize;
    for (answer, &it) in found.iter().enumerate() {
        // It is less anyway, which the compiler does not see.
        kept[len % 256] = answer as u8;
        len += usize::from(is_kept(it));
    }
    (kept, len)
}

/// Moves what is at these positions, which ascend, to the first places.
fn move_up<V: Copy>(kept: &[u8], values: &mut [V]) {
    let values: &mut [V; MOST_IN_BLOCK as usize] =
        values.first_chunk_mut().expect("columns of a block are as long");
    for (to, &from) in kept.iter().enumerate() {
        values[to] = values[from as usize];
    }
}
