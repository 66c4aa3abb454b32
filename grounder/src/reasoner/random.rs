//! Random numbers for playouts.

/// A small generator (SplitMix64; Steele, Lea & Flood 2014): the same seed gives the same numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below `bound`, which must not be 0. The bias is below 2^-32 for any bound below 2^32.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0);
        ((u128::from(self.next_word()) * u128::from(bound)) >> 64) as u32
    }
}

/// The position of the set bit that has `rank` set bits below it.
#[inline]
pub(crate) fn select_bit(word: u64, rank: u32) -> u32 {
    let (mut word, mut rank, mut base) = (word, rank, 0);
    let low = (word as u32).count_ones();
    if rank >= low {
        rank -= low;
        word >>= 32;
        base = 32;
    }
    let low = (word as u16).count_ones();
    if rank >= low {
        rank -= low;
        word >>= 16;
        base += 16;
    }
    for _ in 0..rank {
        word &= word - 1;
    }
    base + word.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_selected_by_rank() {
        let mut random = Random::new(7);
        for _ in 0..1000 {
            let word = random.next_word() & random.next_word();
            let positions: Vec<u32> = (0..64).filter(|bit| word >> bit & 1 == 1).collect();
            for (rank, &position) in positions.iter().enumerate() {
                assert_eq!(select_bit(word, rank as u32), position);
            }
        }
    }

    #[test]
    fn numbers_below_a_bound_are_even() {
        let mut random = Random::new(1);
        let mut counts = [0u32; 5];
        (0..50_000).for_each(|_| counts[random.below(5) as usize] += 1);
        assert!(counts.iter().all(|&count| (9_500..10_500).contains(&count)), "{counts:?}");
    }
}
