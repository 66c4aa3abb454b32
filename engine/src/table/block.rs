//! Tables some rows at a time.

use crate::program::Constant;

/// Some tuples that follow each other in a table.
pub(crate) struct Block<'run> {
    pub(super) arity: usize,
    pub(super) values: &'run [Constant],
}

impl<'run> Block<'run> {
    /// How many tuples there are.
    pub(crate) fn len(&self) -> usize {
        self.values.len() / self.arity
    }

    /// One column of them.
    #[inline]
    pub(crate) fn column(&self, column: usize) -> impl Iterator<Item = Constant> + use<'run> {
        self.values.chunks_exact(self.arity).map(move |row| row[column])
    }
}
