//! Where the answers of a plan go.

use super::source::Source;
use crate::error::Exceeded;
use crate::program::Constant;
use crate::table::RowId;
use crate::tuning::ROWS_OF_A_BLOCK;

/// Takes what a plan finds.
pub(crate) trait Sink {
    /// Where the plan reads.
    type Source: Source;
    /// Rows are taken one by one where there are fewer.
    const LEAST_IN_BLOCK: u32;
    /// The tables as they are now.
    fn source(&self) -> &Self::Source;
    /// A step has found a row. Returns whether it is worth going on with it.
    fn enter(&mut self, step: usize, registers: &[Constant], rows: &[RowId]) -> bool;
    /// All steps have found a row.
    fn emit(&mut self, registers: &[Constant], rows: &[RowId]);
    /// Takes some rows of a step, the first of a block, and what the steps behind it find for them. Returns how many
    /// rows of these were looked at.
    ///
    /// # Errors
    /// A limit that was exceeded: the run ends.
    fn take_block(
        &mut self,
        first: usize,
        found: &[RowId],
        registers: &mut [Constant],
    ) -> Result<usize, Exceeded>;
    /// Called every [`CHECK_INTERVAL`](crate::budget::CHECK_INTERVAL) rows.
    ///
    /// # Errors
    /// A limit that was exceeded: the run ends.
    fn check(&mut self) -> Result<(), Exceeded>;
}

/// A block should have so many rows at least. Small tables make blocks where errors are looked for.
pub(crate) const LEAST_IN_BLOCK: u32 = if cfg!(debug_assertions) { 2 } else { ROWS_OF_A_BLOCK };
