//! The widest instructions that the processor at hand has: blocks are one register of 512 bits, two of 256, or four of 128.

use fearless_simd::{Level, Simd, dispatch};

/// What the processor can do, as found out when the program runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Processor(Level);

impl Processor {
    /// The one at hand.
    pub(super) fn new() -> Self {
        Processor(Level::new())
    }

    /// Does some work that was compiled for each width. What is to be wide has to be inlined into `work`, so loops are written
    /// as such: the closures of iterators may stay functions of their own, of the narrowest width.
    #[inline(always)]
    pub(super) fn run<T>(self, work: impl FnOnce() -> T) -> T {
        dispatch!(self.0, simd => simd.vectorize(work))
    }
}
