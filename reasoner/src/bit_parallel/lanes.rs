//! Blocks of lanes, and from rows of lanes to words of a lane, and back.

use fearless_simd::{Simd, SimdBase, u64x8};
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Index, IndexMut, Not,
};

/// Words of a block.
pub(crate) const WORDS: usize = 8;

/// A block in registers: one of 512 bits, two of 256, or four of 128, as the processor at hand has them.
pub(super) type Wide<S> = u64x8<S>;

/// How many matches are played at once.
pub const LANES: usize = WORDS * 64;

/// A truth value for each lane. It lies in one line of the cache: wide loads that cross two take twice as long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Block([u64; WORDS]);

impl Block {
    /// No lane.
    pub(crate) const NONE: Block = Block([0; WORDS]);
    /// All lanes.
    pub(crate) const ALL: Block = Block([u64::MAX; WORDS]);

    /// The same for all lanes.
    #[inline(always)]
    pub(crate) fn splat(holds: bool) -> Self {
        if holds { Block::ALL } else { Block::NONE }
    }

    /// The block in registers.
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S) -> Wide<S> {
        Wide::load_array_ref(simd, &self.0)
    }

    /// Replaces the block by one in registers.
    #[inline(always)]
    pub(super) fn store<S: Simd>(&mut self, wide: Wide<S>) {
        wide.store_array(&mut self.0);
    }

    /// The block of these words, by number.
    #[inline(always)]
    pub(crate) fn of_words(word: impl FnMut(usize) -> u64) -> Self {
        Block(std::array::from_fn(word))
    }

    /// The first lanes.
    pub(crate) fn first(count: usize) -> Self {
        Block::of_words(|word| match count.saturating_sub(word * 64) {
            0 => 0,
            rest if rest < 64 => (1 << rest) - 1,
            _ => u64::MAX,
        })
    }

    /// Whether there is a lane.
    #[inline(always)]
    pub(crate) fn any(&self) -> bool {
        let mut all = 0;
        for word in self.0 {
            all |= word;
        }
        all != 0
    }

    /// Whether a lane is there.
    #[inline(always)]
    pub(crate) fn contains(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// Adds a lane.
    #[inline(always)]
    pub(crate) fn insert(&mut self, lane: usize) {
        self.0[lane / 64] |= 1 << (lane % 64);
    }

    /// Takes a lane away.
    pub(crate) fn remove(&mut self, lane: usize) {
        self.0[lane / 64] &= !(1 << (lane % 64));
    }

    /// How many lanes there are.
    #[inline(always)]
    pub(crate) fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The lanes, ascending.
    pub(crate) fn lanes(&self) -> impl Iterator<Item = usize> + '_ {
        crate::state::bits(&self.0).map(|lane| lane as usize)
    }
}

impl Index<usize> for Block {
    type Output = u64;

    #[inline(always)]
    fn index(&self, word: usize) -> &u64 {
        &self.0[word]
    }
}

impl IndexMut<usize> for Block {
    #[inline(always)]
    fn index_mut(&mut self, word: usize) -> &mut u64 {
        &mut self.0[word]
    }
}

/// An operator of words as one of blocks.
macro_rules! operator {
    ($operator:ident $of:ident, $assign:ident $of_assign:ident) => {
        impl $assign for Block {
            #[inline(always)]
            fn $of_assign(&mut self, other: Block) {
                for word in 0..WORDS {
                    self.0[word].$of_assign(other.0[word]);
                }
            }
        }

        impl $operator for Block {
            type Output = Block;

            #[inline(always)]
            fn $of(mut self, other: Block) -> Block {
                self.$of_assign(other);
                self
            }
        }
    };
}

operator!(BitAnd bitand, BitAndAssign bitand_assign);
operator!(BitOr bitor, BitOrAssign bitor_assign);
operator!(BitXor bitxor, BitXorAssign bitxor_assign);

impl Not for Block {
    type Output = Block;

    #[inline(always)]
    fn not(mut self) -> Block {
        for word in 0..WORDS {
            self.0[word] = !self.0[word];
        }
        self
    }
}

/// Transposes each of the 64 by 64 bit matrices of a chunk: bit `l` of word `w` of row `r` becomes bit `r`
/// of word `w` of row `l`.
pub(super) fn transpose(rows: &mut [Block; 64]) {
    let mut width = 32;
    let mut mask = u64::MAX >> 32;
    while width != 0 {
        let mut row = 0;
        while row < 64 {
            for low in row..row + width {
                let (one, other) = rows.split_at_mut(low + width);
                let (one, other) = (&mut one[low], &mut other[0]);
                for word in 0..WORDS {
                    let swap = ((one[word] >> width) ^ other[word]) & mask;
                    one[word] ^= swap << width;
                    other[word] ^= swap;
                }
            }
            row += 2 * width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn rows_become_columns() {
        let mut random = Random::new(3);
        let mut rows = [Block::NONE; 64];
        rows.iter_mut().for_each(|row| *row = Block::of_words(|_| random.next_word()));
        let before = rows;
        transpose(&mut rows);
        for (row, block) in before.iter().enumerate() {
            for (lane, transposed) in rows.iter().enumerate() {
                for (word, other) in block.0.iter().zip(&transposed.0) {
                    assert_eq!(word >> lane & 1, other >> row & 1);
                }
            }
        }
    }

    #[test]
    fn the_first_lanes_are_those_below_a_number() {
        for count in [0, 1, 63, 64, 65, 300, LANES] {
            assert_eq!(
                Block::first(count).lanes().collect::<Vec<_>>(),
                (0..count).collect::<Vec<_>>()
            );
        }
    }
}
