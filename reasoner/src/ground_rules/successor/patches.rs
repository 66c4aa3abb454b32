//! Effects of moves as masks over words.

use super::Patch;
use groundfrog_engine::rows::Rows;

/// A fluent that a transient or a group adds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effect {
    pub(super) fluent: u32,
    /// Only if it holds already.
    pub(super) keeps: bool,
}

/// The effects of each row as patches.
pub(super) fn patches(rows: usize, effects: &[(u32, Effect)]) -> Rows<Patch> {
    by_word(
        rows,
        effects,
        |effect| effect.fluent,
        |word, effects| {
            let mut patch = Patch { word, ..Patch::default() };
            for effect in effects {
                let mask = if effect.keeps { &mut patch.keep } else { &mut patch.set };
                *mask |= 1 << (effect.fluent % 64);
            }
            patch
        },
    )
}

/// Pairs of a transient and a bit as words.
pub(super) fn strikes(transients: usize, pairs: &[(u32, u32)]) -> Rows<(u32, u64)> {
    by_word(
        transients,
        pairs,
        |&bit| bit,
        |word, bits| (word, bits.iter().fold(0, |mask, bit| mask | 1 << (bit % 64))),
    )
}

/// Rows of what becomes of the items of each word.
fn by_word<T: Copy + Default, P>(
    rows: usize,
    pairs: &[(u32, T)],
    bit: impl Fn(&T) -> u32,
    join: impl Fn(u32, &[T]) -> P,
) -> Rows<P> {
    let mut joined = Rows::default();
    let mut items: Vec<T> = Vec::new();
    for row in Rows::from_pairs(rows, pairs.iter().copied()).iter() {
        items.clear();
        items.extend_from_slice(row);
        items.sort_unstable_by_key(&bit);
        let words = items.chunk_by(|one, other| bit(one) / 64 == bit(other) / 64);
        joined.push(words.map(|items| join(bit(&items[0]) / 64, items)));
    }
    joined
}
