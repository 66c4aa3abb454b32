//! The hash table of a table: in which row a tuple is.

use super::constants::Cell;
use crate::program::Constant;

/// The position of a tuple in its table.
pub type RowId = u32;

/// By hash: row number + 1; 0 is empty. A power of two, at most half full.
pub(super) type Slots = Vec<u32>;

/// One odd multiplier a column; those of wider tuples come round again.
const MULTIPLIERS: [u64; 8] = [
    0xf2a7_4de4_52e6_b439,
    0x6513_270e_269e_0d37,
    0x0c5c_7fd0_a6a3_a451,
    0xd23f_0824_128b_2f33,
    0x1818_e811_892f_902b,
    0x9531_985d_5d9d_c9f9,
    0xe8e2_5d94_0ed9_0475,
    0x36f6_75cc_81e7_4ef5,
];

/// The hash of a tuple: multilinear, so that no multiplication waits for another.
#[inline]
pub(super) fn hash(tuple: &[impl Cell]) -> u32 {
    let mut state = 0u64;
    for (column, &value) in tuple.iter().enumerate() {
        let multiplier = MULTIPLIERS[column % MULTIPLIERS.len()];
        let value = u64::from(value.constant());
        state = state.wrapping_add(value.wrapping_mul(multiplier));
        if column % MULTIPLIERS.len() == MULTIPLIERS.len() - 1 {
            state = state.rotate_left(23);
        }
    }
    (state >> 32) as u32
}

/// Where a hash belongs among so many slots: its high bits are the good ones.
#[inline]
pub(super) fn place(hash: u32, slots: usize) -> usize {
    ((u64::from(hash) * slots as u64) >> 32) as usize
}

/// The row of a tuple, or the slot where it belongs. Short tuples are made arrays: the compiler then unrolls hashing
/// and comparison.
#[inline]
pub(super) fn probe_any(
    slots: &[u32],
    values: &[impl Cell],
    tuple: &[Constant],
) -> Result<RowId, usize> {
    match *tuple {
        [a] => probe(slots, values, &[a]),
        [a, b] => probe(slots, values, &[a, b]),
        [a, b, c] => probe(slots, values, &[a, b, c]),
        [a, b, c, d] => probe(slots, values, &[a, b, c, d]),
        [a, b, c, d, e] => probe(slots, values, &[a, b, c, d, e]),
        [a, b, c, d, e, f] => probe(slots, values, &[a, b, c, d, e, f]),
        [a, b, c, d, e, f, g] => probe(slots, values, &[a, b, c, d, e, f, g]),
        [a, b, c, d, e, f, g, h] => probe(slots, values, &[a, b, c, d, e, f, g, h]),
        _ => probe(slots, values, tuple),
    }
}

/// The row of a tuple, or the slot where it belongs.
#[inline(always)]
pub(super) fn probe(
    slots: &[u32],
    values: &[impl Cell],
    tuple: &[Constant],
) -> Result<RowId, usize> {
    let mask = slots.len() - 1;
    let mut position = place(hash(tuple), slots.len());
    loop {
        let slot = slots[position];
        if slot == 0 {
            return Err(position);
        }
        let start = (slot - 1) as usize * tuple.len();
        let row = &values[start..start + tuple.len()];
        // Tuples are short: comparing them here is faster than calling the library's comparison.
        if row.iter().zip(tuple).all(|(&it, &at)| it.constant() == at) {
            return Ok(slot - 1);
        }
        position = (position + 1) & mask;
    }
}

/// So many rows by hash, in at least so many slots.
pub(super) fn place_all(values: &[impl Cell], arity: usize, rows: u32, size: usize) -> Slots {
    let size = size.next_power_of_two();
    let mask = size - 1;
    let mut slots = vec![0u32; size];
    for row in 0..rows {
        let start = row as usize * arity;
        let mut position = place(hash(&values[start..start + arity]), size);
        while slots[position] != 0 {
            position = (position + 1) & mask;
        }
        slots[position] = row + 1;
    }
    slots
}

/// Whether another row can be put into these slots.
#[inline]
pub(super) fn has_room(slots: &[u32], rows: u32) -> bool {
    (rows as usize + 1) * 2 <= slots.len()
}
