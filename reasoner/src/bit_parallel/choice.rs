//! Random moves in all lanes at once.
//!
//! The moves of a role are rows: the lanes in which a move is legal. How many a lane has, and which of them it makes, are
//! numbers whose bits lie in a block each, so that few instructions count, multiply and compare them for all lanes.

use super::lanes::Block;
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
    pub(super) fn increment(&mut self, lanes: Block) {
        let mut carry = lanes;
        for bit in &mut self.bits {
            let sum = *bit ^ carry;
            carry &= *bit;
            *bit = sum;
        }
        if carry.any() {
            self.bits.push(carry);
        }
    }

    /// Takes one off in these lanes. Returns those where nothing was left; their numbers are then larger than any that were
    /// counted.
    #[inline(always)]
    pub(super) fn decrement(&mut self, lanes: Block) -> Block {
        let mut borrow = lanes;
        for bit in &mut self.bits {
            let difference = *bit ^ borrow;
            borrow &= !*bit;
            *bit = difference;
        }
        borrow
    }

    /// The lanes whose number is not 0.
    #[inline(always)]
    pub(super) fn positive(&self) -> Block {
        let mut all = Block::NONE;
        for &bit in &self.bits {
            all |= bit;
        }
        all
    }

    /// Numbers below others, each alike likely, and 0 where that is 0.
    #[inline(always)]
    pub(super) fn draw_below(&mut self, bounds: &Numbers, random: &mut Random) {
        self.bits.clear();
        self.bits.resize(bounds.bits.len(), Block::NONE);
        // Where no lane has a choice there is nothing to draw.
        let Some(high) = bounds.bits.len().checked_sub(1).filter(|&it| it > 0) else { return };
        // The product of a random fraction and the bound, bit by bit of the fraction: add the bound or not, and halve.
        for _ in 0..RANDOM_BITS {
            let is_added = Block::of_words(|_| random.next_word());
            let mut carry = Block::NONE;
            let mut below = 0;
            for (place, &bound) in bounds.bits.iter().enumerate() {
                let (own, other) = (self.bits[place], bound & is_added);
                let differs = own ^ other;
                self.bits[below] = differs ^ carry;
                carry = (own & other) | (carry & differs);
                below = place;
            }
            self.bits[high] = carry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LANES;

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
        rows.iter().for_each(|&row| counts.increment(row));
        assert!((0..LANES).all(|lane| counts.of_lane(lane) == lane % 9));
        assert_eq!(counts.positive().count(), (LANES - LANES.div_ceil(9)) as u64);
        let mut chosen = [[0u32; 9]; 9];
        for _ in 0..1000 {
            drawn.draw_below(&counts, &mut random);
            let ranks: Vec<usize> = (0..LANES).map(|lane| drawn.of_lane(lane)).collect();
            let mut made = vec![None; LANES];
            for (number, &row) in rows.iter().enumerate() {
                for lane in drawn.decrement(row).lanes() {
                    assert_eq!(made[lane].replace(number), None, "one row for each lane");
                    chosen[lane % 9][number] += 1;
                }
            }
            for lane in 0..LANES {
                assert_eq!(made[lane], (lane % 9 > 0).then_some(ranks[lane]));
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
