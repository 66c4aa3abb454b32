//! Rows of a step in blocks: each part of the work is one loop over a block, instead of every row going through all
//! parts. What is the same for all rows is done once. As in Boncz, Zukowski and Nes, "MonetDB/X100: Hyper-Pipelining
//! Query Execution" (2005).
//!
//! Where a step within a block finds several rows for an answer, a block of answers becomes several, one after the other, in the
//! order in which nested loops would find them.

mod probe;

use std::ops::Range;

use smallvec::SmallVec;

use super::{Cursor, MOST_IN_BLOCK, Source};
use crate::plan::{Access, Step};
use crate::program::{Argument, Constant};
use crate::table::RowId;
pub(crate) use probe::{AnswerPart, Bound, Comparison, Comparisons, bound};

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
    fn make_room(&mut self, steps: usize) {
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

    /// Finds the rows of the last of some steps for each answer.
    pub(crate) fn find_several(
        &mut self,
        found: &mut Found,
        source: &impl Source,
        steps: &[Step],
        registers: &mut [Constant],
    ) {
        let Some((step, known)) = steps.split_last() else { return };
        found.next = 0;
        found.left.clear();
        let index = match step.access {
            Access::Index(index) => source.index(index).dense(),
            _ => None,
        };
        if let Some((keys, starts)) = index {
            let arguments = step.key.iter().map(|&it| Argument::Variable(it));
            if self.find_codes(keys, arguments, source, known, registers) {
                let group = |&code: &u64| match starts
                    .get(code as usize..(code as usize).saturating_add(2))
                {
                    Some(&[start, end]) => start..end,
                    _ => 0..0,
                };
                found.left.extend(self.codes[..self.len].iter().map(group));
            }
            return;
        }
        let bound = bound(source, step.key.iter().copied(), known);
        for answer in 0..self.len {
            self.put_constants(&bound, answer, registers);
            found.left.push(Cursor::open(step, registers, source).positions());
        }
    }

    /// Takes the answers of an earlier block, each with the next rows that a step behind `known` others has found for it,
    /// as many as there is room for. Returns whether there are any.
    pub(crate) fn multiply(
        &mut self,
        answers: &Block<T>,
        found: &mut Found,
        source: &impl Source,
        step: &Step,
        known: usize,
    ) -> bool {
        self.make_room(answers.rows.len());
        self.slots.clone_from(&answers.slots);
        let own = self.values.len();
        self.values.extend(answers.values[..self.slots.len()].iter().skip(own).cloned());
        // By answer: the one before it is made from.
        let mut origins = [0; MOST_IN_BLOCK as usize];
        let rows = &mut self.rows[known];
        let mut end = 0;
        while let Some(left) = found.left.get_mut(found.next)
            && end < origins.len()
        {
            let count = left.len().min(origins.len() - end);
            let taken = left.start..left.start + count as u32;
            left.start = taken.end;
            let new = end..end + count;
            end = new.end;
            let origin = found.next as u8;
            match origins[new.start..].first_chunk_mut::<FEW>() {
                Some(few) if count <= FEW => *few = (u64::from(origin) * EACH).to_ne_bytes(),
                _ => origins[new.clone()].fill(origin),
            }
            match step.access {
                Access::Index(index) => {
                    let taken = source.index(index).rows(taken);
                    rows[new].iter_mut().zip(taken).for_each(|(row, &own)| *row = own);
                }
                _ => rows[new].iter_mut().zip(taken).for_each(|(row, own)| *row = own),
            }
            found.next += usize::from(left.start == left.end);
        }
        self.len = end;
        let origins = &origins[..end];
        for (rows, before) in self.rows.iter_mut().zip(&answers.rows[..known]) {
            take_from(origins, before, rows);
        }
        for (values, before) in self.values.iter_mut().zip(&answers.values[..self.slots.len()]) {
            take_from(origins, before, values);
        }
        self.len > 0
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

/// For so many rows of one answer, as most have, it takes longer to call a function that fills memory.
const FEW: usize = size_of::<u64>();
/// Times a byte: that byte everywhere.
const EACH: u64 = u64::MAX / 0xff;

/// The rows that a step finds for the answers of a block, and those that were not yet taken.
#[derive(Default)]
pub(crate) struct Found {
    /// By answer: positions of an index, or rows.
    left: Vec<Range<u32>>,
    /// The first answer that may have some left.
    next: usize,
}

/// Copies what each answer has of the one that it is made from.
#[inline]
fn take_from<V: Copy>(origins: &[u8], before: &[V], values: &mut [V]) {
    // The length is known, so that no origin needs to be compared with it.
    let before: &[V; MOST_IN_BLOCK as usize] =
        before.first_chunk().expect("columns of a block are as long");
    values.iter_mut().zip(origins).for_each(|(value, &it)| *value = before[it as usize]);
}
