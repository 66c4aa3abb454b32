//! Numbers for tuples: each constant contributes a part, and the code of a tuple is the sum over its columns.

use crate::program::Constant;

/// What a constant that does not occur in a column adds to a code: it is then no code at all.
pub(crate) const ABSENT: u32 = u32::MAX;

/// What gives tuples numbers: sums of what the constants of their columns contribute.
pub(crate) trait Codes {
    /// What a constant contributes; `None` if it does not occur in the column.
    fn part(&self, column: usize, constant: Constant) -> Option<u64>;
    /// Adds what one column of some tuples contributes to their codes. What is no code is greater than all in the end.
    fn add_parts(&self, column: usize, values: impl Iterator<Item = Constant>, codes: &mut [u64]);
}

/// Adds to codes what the constants of a column contribute. `least` is the constant of the first part.
#[inline]
pub(crate) fn add_parts(
    least: Constant,
    parts: &[u32],
    values: impl Iterator<Item = Constant>,
    codes: &mut [u64],
) {
    for (code, value) in codes.iter_mut().zip(values) {
        let part = parts.get(value.wrapping_sub(least) as usize).unwrap_or(&ABSENT);
        *code += u64::from(*part);
    }
}
