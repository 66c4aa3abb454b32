//! Random moves in all lanes at once.
//!
//! The moves of a role are rows: the lanes in which a move is legal. How many a lane has, and which of them it makes, are
//! numbers whose bits lie in a block each, so that few instructions count, multiply and compare them for all lanes.

use fearless_simd::{Simd, SimdBase, SimdMask};

use super::lanes::{Block, Wide};
use crate::Random;

/// Bits of the random numbers that choose: no move is more likely than another by more than 2^-32.
const RANDOM_BITS: usize = 32;

/// A number for each lane. Its bits, the lowest first, are blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    bits: Vec<Block>,
}

impl Numbers {
    /// Makes all numbers 0.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.bits.clear();
    }

    /// Adds one in these lanes.
    #[inline(always)]
    pub(super) fn increment<S: Simd>(&mut self, lanes: Wide<S>) {
        let simd = lanes.simd;
        let mut carry = lanes;
        for bit in &mut self.bits {
            let before = bit.load(simd);
            bit.store(before ^ carry);
            carry &= before;
        }
        if !carry.simd_eq(Wide::splat(simd, 0)).all_true() {
            let mut bit = Block::NONE;
            bit.store(carry);
            self.bits.push(bit);
        }
    }

    /// Takes one off in these lanes. Returns those where nothing was left; their numbers are then larger than any that were
    /// counted.
    #[inline(always)]
    pub(super) fn decrement<S: Simd>(&mut self, lanes: Wide<S>) -> Wide<S> {
        let simd = lanes.simd;
        let mut borrow = lanes;
        for bit in &mut self.bits {
            let before = bit.load(simd);
            bit.store(before ^ borrow);
            borrow &= !before;
        }
        borrow
    }

    /// The lanes whose number is not 0.
    #[inline(always)]
    pub(super) fn positive<S: Simd>(&self, simd: S) -> Wide<S> {
        let mut all = Wide::splat(simd, 0);
        for bit in &self.bits {
            all |= bit.load(simd);
        }
        all
    }

    /// Numbers below others, each alike likely, and 0 where that is 0.
    #[inline(always)]
    pub(super) fn draw_below<S: Simd>(&mut self, simd: S, bounds: &Numbers, random: &mut Random) {
        self.bits.clear();
        self.bits.resize(bounds.bits.len(), Block::NONE);
        // Where no lane has a choice there is nothing to draw.
        let Some(high) = bounds.bits.len().checked_sub(1).filter(|&it| it > 0) else { return };
        // The product of a random fraction and the bound, bit by bit of the fraction: add the bound or not, and halve.
        for _ in 0..RANDOM_BITS {
            let is_added = Block::of_words(|_| random.next_word()).load(simd);
            let mut carry = Wide::splat(simd, 0);
            let mut below = 0;
            for (place, bound) in bounds.bits.iter().enumerate() {
                let (own, other) = (self.bits[place].load(simd), bound.load(simd) & is_added);
                let differs = own ^ other;
                self.bits[below].store(differs ^ carry);
                carry = (own & other) | (carry & differs);
                below = place;
            }
            self.bits[high].store(carry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LANES;
    use fearless_simd::{Level, dispatch};

    impl Numbers {
        fn of_lane(&self, lane: usize) -> usize {
            self.bits
                .iter()
                .rev()
                .fold(0, |number, bit| number * 2 + usize::from(bit.contains(lane)))
        }
    }

    #[test]
    fn numbers_are_counted_drawn_and_taken_off() {
        let mut random = Random::new(9);
        let (mut counts, mut drawn) = (Numbers::default(), Numbers::default());
        // Lane `l` has the first `l % 9` rows.
        let rows: Vec<Block> = (0..9)
            .map(|row| {
                let mut block = Block::NONE;
                (0..LANES).filter(|lane| row < lane % 9).for_each(|lane| block.insert(lane));
                block
            })
            .collect();
        let level = Level::new();
        for row in &rows {
            dispatch!(level, simd => counts.increment(row.load(simd)));
        }
        assert!((0..LANES).all(|lane| counts.of_lane(lane) == lane % 9));
        let mut positive = Block::NONE;
        dispatch!(level, simd => positive.store(counts.positive(simd)));
        assert_eq!(positive.count(), (LANES - LANES.div_ceil(9)) as u64);
        let mut chosen = [[0u32; 9]; 9];
        for _ in 0..1000 {
            dispatch!(level, simd => drawn.draw_below(simd, &counts, &mut random));
            let ranks: Vec<usize> = (0..LANES).map(|lane| drawn.of_lane(lane)).collect();
            let mut made = vec![None; LANES];
            for (number, &row) in rows.iter().enumerate() {
                let mut chosen_by = Block::NONE;
                dispatch!(level, simd => chosen_by.store(drawn.decrement(row.load(simd))));
                for lane in chosen_by.lanes() {
                    assert_eq!(made[lane].replace(number), None, "one row for each lane");
                    chosen[lane % 9][number] += 1;
                }
            }
            for (lane, (made, rank)) in made.iter().zip(ranks).enumerate() {
                assert_eq!(*made, (lane % 9 > 0).then_some(rank));
            }
        }
        for (count, chosen) in chosen.iter().enumerate().skip(1) {
            let even = 1000.0 * (LANES as f64 / 9.0) / count as f64;
            assert!(
                chosen[..count].iter().all(|&it| (f64::from(it) - even).abs() < even / 10.0),
                "{chosen:?}"
            );
            assert!(chosen[count..].iter().all(|&it| it == 0));
        }
    }
}
