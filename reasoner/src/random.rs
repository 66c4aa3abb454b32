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

    /// A number from 0 up to but not including 1.
    #[inline]
    pub fn fraction(&mut self) -> f64 {
        (self.next_word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Brings items into an order, all orders alike likely (Fisher & Yates 1938).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

const LOW_BITS: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// By rank and byte: the position of the set bit of the byte that has `rank` set bits below it.
static SELECT_IN_BYTE: [[u8; 256]; 8] = select_in_byte();

const fn select_in_byte() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut rank) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[rank][byte] = bit as u8;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// The bits of a word, counted and ready to be selected without branches (Vigna, "Broadword implementation
/// of rank/select queries", 2008).
#[derive(Clone, Copy)]
pub(crate) struct Ranked {
    word: u64,
    /// Byte `i`: how many bits are set in the bytes up to `i`.
    sums: u64,
}

impl Ranked {
    #[inline]
    pub(crate) fn new(word: u64) -> Self {
        let mut sums = word - ((word >> 1) & 0x5555_5555_5555_5555);
        sums = (sums & 0x3333_3333_3333_3333) + ((sums >> 2) & 0x3333_3333_3333_3333);
        sums = (sums + (sums >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        Ranked { word, sums: sums.wrapping_mul(LOW_BITS) }
    }

    /// How many bits are set.
    #[inline]
    pub(crate) fn count(self) -> u32 {
        (self.sums >> 56) as u32
    }

    /// The position of the set bit that has `rank` set bits below it; `rank` is below the count.
    #[inline]
    pub(crate) fn select(self, rank: u32) -> u32 {
        debug_assert!(rank < self.count());
        let passed = ((u64::from(rank).wrapping_mul(LOW_BITS) | HIGH_BITS) - self.sums) & HIGH_BITS;
        let shift = (((passed >> 7).wrapping_mul(LOW_BITS)) >> 56) as u32 * 8;
        let below = ((self.sums << 8) >> shift) as u32 & 0xff;
        let byte = (self.word >> shift) as usize & 0xff;
        shift + u32::from(SELECT_IN_BYTE[(rank - below) as usize & 7][byte])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_selected_by_rank() {
        let mut random = Random::new(7);
        for _ in 0..1000 {
            let word = random.next_word() | random.next_word();
            let word = if word & 64 == 0 { u64::MAX } else { word & random.next_word() };
            let positions: Vec<u32> = (0..64).filter(|bit| word >> bit & 1 == 1).collect();
            let ranked = Ranked::new(word);
            assert_eq!(ranked.count() as usize, positions.len());
            for (rank, &position) in positions.iter().enumerate() {
                assert_eq!(ranked.select(rank as u32), position);
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
