//! Blocks of lanes, and from rows of lanes to words of a lane, and back.

/// Words of a block.
pub(crate) const WORDS: usize = 8;

/// A truth value for each lane.
pub(crate) type Block = [u64; WORDS];

/// How many matches are played at once.
pub const LANES: usize = WORDS * 64;

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
        let mut rows = [[0; WORDS]; 64];
        rows.iter_mut().flatten().for_each(|word| *word = random.next_word());
        let before = rows;
        transpose(&mut rows);
        for (row, words) in before.iter().enumerate() {
            for (lane, transposed) in rows.iter().enumerate() {
                for (word, other) in words.iter().zip(transposed) {
                    assert_eq!(word >> lane & 1, other >> row & 1);
                }
            }
        }
    }
}
