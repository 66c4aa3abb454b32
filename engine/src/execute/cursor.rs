//! The rows of a step that fit what is known, one after the other or some at a time.

use std::ops::Range;

use super::source::Source;
use crate::chain::END;
use crate::plan::{Access, Step};
use crate::program::Constant;
use crate::table::{Key, RowId};

/// No block has more rows, so that what is known of them stays in the fastest cache.
pub(crate) const MOST_IN_BLOCK: u32 = if cfg!(debug_assertions) { 3 } else { 256 };

/// The rows of a step that are still to be looked at: positions, or the head of a chain.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cursor {
    at: u32,
    end: u32,
}

impl Cursor {
    /// Ends positions and chains alike.
    pub(super) const EXHAUSTED: Self = Cursor { at: END, end: END };

    /// These rows, or positions.
    #[inline]
    pub(super) fn range(rows: Range<u32>) -> Self {
        Cursor { at: rows.start, end: rows.end }
    }

    /// What is still to be looked at, where it is no chain.
    pub(super) fn positions(self) -> Range<u32> {
        self.at..self.end
    }

    /// How many rows are still to be looked at.
    #[inline]
    pub(super) fn rows(self, step: &Step, source: &impl Source) -> u32 {
        match step.access {
            Access::Chain(chain) => source.chain(chain).count(self.at),
            _ => self.end - self.at,
        }
    }

    /// The rows of a step that fit what is known.
    #[inline]
    pub(super) fn open(step: &Step, registers: &[Constant], source: &impl Source) -> Self {
        let key = Key { registers, columns: &step.key };
        match step.access {
            Access::Index(index) => Cursor::range(source.index(index).group(key)),
            Access::Row => match source.find(step.predicate, key) {
                Some(row) => Cursor::range(row..row + 1),
                None => Self::EXHAUSTED,
            },
            Access::Scan => Cursor::range(0..source.rows(step.predicate)),
            Access::Chain(chain) => Cursor { at: source.chain(chain).first(key), end: END },
            Access::Given => Self::EXHAUSTED,
        }
    }

    /// The next row of a step.
    #[inline]
    pub(super) fn next(&mut self, step: &Step, source: &impl Source) -> Option<RowId> {
        let position = self.at;
        if position == self.end {
            return None;
        }
        match step.access {
            Access::Index(index) => {
                self.at += 1;
                Some(source.index(index).row(position))
            }
            Access::Chain(chain) => {
                self.at = source.chain(chain).after(position);
                Some(position)
            }
            _ => {
                self.at += 1;
                Some(position)
            }
        }
    }

    /// Gathers the next rows of a step, as many as a block may have. Returns whether there are any.
    #[inline]
    pub(super) fn gather(
        &mut self,
        step: &Step,
        found: &mut Vec<RowId>,
        source: &impl Source,
    ) -> bool {
        found.clear();
        if let Access::Chain(chain) = step.access {
            let chain = source.chain(chain);
            while self.at != END && found.len() < MOST_IN_BLOCK as usize {
                found.push(self.at);
                self.at = chain.after(self.at);
            }
        } else {
            let end = self.end.min(self.at.saturating_add(MOST_IN_BLOCK));
            match step.access {
                Access::Index(index) => found.extend(source.index(index).rows(self.at..end)),
                _ => found.extend(self.at..end),
            }
            self.at = end;
        }
        !found.is_empty()
    }
}
