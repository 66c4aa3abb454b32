//! Tables some rows at a time.

use super::constants::{Cell, Constants, with_cells};
use crate::program::Constant;

/// Some tuples that follow each other in a table.
pub(crate) struct Chunk<'run> {
    pub(super) arity: usize,
    pub(super) values: Constants<'run>,
}

impl Chunk<'_> {
    /// Does something with each constant of a column, and its place in the chunk.
    #[inline]
    pub(crate) fn for_each(&self, column: usize, mut act: impl FnMut(usize, Constant)) {
        with_cells!(self.values, cells => {
            let rows = cells.chunks_exact(self.arity).enumerate();
            rows.for_each(|(position, row)| act(position, row[column].constant()));
        });
    }
}
