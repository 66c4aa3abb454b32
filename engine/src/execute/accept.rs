//! What a row has to fulfil.

use super::source::Source;
use crate::plan::{Check, Register, Step};
use crate::program::Constant;
use crate::table::{Cell, Key, RowId, with_cells};

/// Binds a row's constants and evaluates what can be evaluated then.
#[inline]
pub(super) fn accept(
    step: &Step,
    row: RowId,
    registers: &mut [Constant],
    source: &impl Source,
) -> bool {
    if !step.bind.is_empty() || !step.tests.is_empty() {
        let tuple = source.table(step.predicate).row(row);
        if !with_cells!(tuple, cells => bind(step, cells, registers)) {
            return false;
        }
    }
    step.checks.iter().all(|check| holds(check, registers, source))
}

/// Binds a row's constants. Returns whether those that have to be equal to something are.
#[inline]
fn bind(step: &Step, tuple: &[impl Cell], registers: &mut [Constant]) -> bool {
    for &(column, register) in &step.bind {
        registers[register as usize] = tuple[column as usize].constant();
    }
    let is_equal = |&(column, register): &(u32, Register)| {
        tuple[column as usize].constant() == registers[register as usize]
    };
    step.tests.iter().all(is_equal)
}

/// Whether a condition holds.
#[inline]
pub(super) fn holds(check: &Check, registers: &[Constant], source: &impl Source) -> bool {
    match check {
        Check::Distinct(pairs) => {
            let value = |register: Register| registers[register as usize];
            pairs.iter().any(|&(left, right)| value(left) != value(right))
        }
        Check::Absent(predicate, columns) => {
            source.find(*predicate, Key { registers, columns }).is_none()
        }
    }
}
