//! Steps within a block that find several rows for an answer: a block of answers becomes several, one after the other, in the
//! order in which nested loops would find them.

use std::ops::Range;

use super::answers::Block;
use super::operand::bound;
use crate::execute::cursor::{Cursor, MOST_IN_BLOCK};
use crate::execute::source::Source;
use crate::plan::{Access, Step};
use crate::program::{Argument, Constant};

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

impl<T: Copy> Block<T> {
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

/// Copies what each answer has of the one that it is made from.
#[inline]
fn take_from<V: Copy>(origins: &[u8], before: &[V], values: &mut [V]) {
    // The length is known, so that no origin needs to be compared with it.
    let before: &[V; MOST_IN_BLOCK as usize] =
        before.first_chunk().expect("columns of a block are as long");
    values.iter_mut().zip(origins).for_each(|(value, &it)| *value = before[it as usize]);
}
