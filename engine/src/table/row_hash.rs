//! The hash table of a table: in which row a tuple is.

use hashbrown::HashTable;

use super::constants::Cell;
use crate::program::Constant;

/// The position of a tuple in its table.
pub type RowId = u32;

/// Rows by the hashes of their tuples.
pub(super) type RowsByHash = HashTable<RowId>;

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

/// The hash of a tuple: multilinear, so that no multiplication waits for another. The good bits become the low ones.
#[inline]
fn hash(tuple: &[impl Cell]) -> u64 {
    let mut state = 0u64;
    for (column, &value) in tuple.iter().enumerate() {
        let multiplier = MULTIPLIERS[column % MULTIPLIERS.len()];
        let value = u64::from(value.constant());
        state = state.wrapping_add(value.wrapping_mul(multiplier));
        if column % MULTIPLIERS.len() == MULTIPLIERS.len() - 1 {
            state = state.rotate_left(23);
        }
    }
    state.rotate_left(32)
}

/// The row of a tuple, or its hash if there is none. Short tuples are made arrays: the compiler then unrolls hashing and
/// comparison.
#[inline]
pub(super) fn find_any(
    rows: &RowsByHash,
    values: &[impl Cell],
    tuple: &[Constant],
) -> Result<RowId, u64> {
    match *tuple {
        [a] => find(rows, values, &[a]),
        [a, b] => find(rows, values, &[a, b]),
        [a, b, c] => find(rows, values, &[a, b, c]),
        [a, b, c, d] => find(rows, values, &[a, b, c, d]),
        [a, b, c, d, e] => find(rows, values, &[a, b, c, d, e]),
        [a, b, c, d, e, f] => find(rows, values, &[a, b, c, d, e, f]),
        [a, b, c, d, e, f, g] => find(rows, values, &[a, b, c, d, e, f, g]),
        [a, b, c, d, e, f, g, h] => find(rows, values, &[a, b, c, d, e, f, g, h]),
        _ => find(rows, values, tuple),
    }
}

/// The row of a tuple, or its hash if there is none.
#[inline(always)]
pub(super) fn find(
    rows: &RowsByHash,
    values: &[impl Cell],
    tuple: &[Constant],
) -> Result<RowId, u64> {
    let hash = hash(tuple);
    let is_same = |&row: &RowId| {
        let own = tuple_of(values, tuple.len(), row);
        // Tuples are short: comparing them here is faster than calling the library's comparison.
        own.iter().zip(tuple).all(|(&own, &constant)| own.constant() == constant)
    };
    rows.find(hash, is_same).copied().ok_or(hash)
}

/// Makes room for so many more rows.
pub(super) fn reserve(rows: &mut RowsByHash, values: &[impl Cell], arity: usize, more: usize) {
    rows.reserve(more, |&row| hash(tuple_of(values, arity, row)));
}

/// So many rows by hash.
pub(super) fn all_by_hash(values: &[impl Cell], arity: usize, rows: u32) -> RowsByHash {
    let mut by_hash = HashTable::with_capacity(rows as usize);
    (0..rows).for_each(|row| add(&mut by_hash, hash(tuple_of(values, arity, row)), row));
    by_hash
}

/// Adds a row that is not there; there is room for it.
#[inline]
pub(super) fn add(rows: &mut RowsByHash, hash: u64, row: RowId) {
    rows.insert_unique(hash, row, |_| unreachable!("room is made before"));
}

/// Whether another row can be added as it is.
#[inline]
pub(super) fn has_room(rows: &RowsByHash) -> bool {
    rows.len() < rows.capacity()
}

#[inline]
fn tuple_of<C>(values: &[C], arity: usize, row: RowId) -> &[C] {
    let start = row as usize * arity;
    &values[start..start + arity]
}
