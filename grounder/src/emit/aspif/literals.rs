//! The texts of literals, looked up.

use groundfrog_engine::instantiate::GroundLiteral;

use crate::emit::decimals::{Decimals, GROUPS, ROOM};

/// Numbers that are kept as text. The texts of more would not fit into the caches: their last four digits are then
/// looked up for themselves.
const MOST_TEXTS: usize = 1 << 15;
/// Where the word of a text has its length.
const LENGTH: u32 = 56;

/// A space, and a literal as its number: atom n is n + 1, negated -n - 1.
pub(super) struct LiteralTexts<'run> {
    /// By twice the number, plus one if negated: a [`word`].
    words: Vec<u64>,
    numbers: &'run Decimals,
}

impl<'run> LiteralTexts<'run> {
    /// For literals of so many atoms.
    pub(super) fn new(atoms: usize, numbers: &'run Decimals) -> Self {
        let count = if atoms < MOST_TEXTS { atoms + 1 } else { GROUPS as usize };
        let mut room = [0; ROOM];
        let mut text = |is_negated, number| {
            let end = numbers.put_signed(is_negated, number, &mut room, 0);
            word(&room[..end])
        };
        let both = |number| [text(false, number), text(true, number)];
        LiteralTexts { words: (0..count as u32).flat_map(both).collect(), numbers }
    }

    /// Puts a literal into memory with [`ROOM`] from a position on. Returns where it ends.
    #[inline(always)]
    pub(super) fn put(&self, literal: GroundLiteral, room: &mut [u8], start: usize) -> usize {
        match self.words.get(literal.code() as usize + 2) {
            Some(&word) => put_word(word, room, start),
            None => self.put_large(literal, room, start),
        }
    }

    #[inline(always)]
    fn put_large(&self, literal: GroundLiteral, room: &mut [u8], start: usize) -> usize {
        let number = literal.atom() + 1;
        let front = 2 * (number / GROUPS) as usize + usize::from(literal.is_negated());
        let last = self.numbers.four(number % GROUPS);
        match (self.words.get(front), last) {
            (Some(&word), Some(digits)) if front > 1 => {
                let end = put_word(word, room, start);
                room[end..end + 4].copy_from_slice(&digits);
                end + 4
            }
            _ => self.numbers.put_signed(literal.is_negated(), number, room, start),
        }
    }
}

/// A text of at most seven bytes, from the lowest byte on, and in the highest its length.
pub(super) const fn word(text: &[u8]) -> u64 {
    let mut word = (text.len() as u64) << LENGTH;
    let mut position = 0;
    while position < text.len() {
        word |= (text[position] as u64) << (8 * position);
        position += 1;
    }
    word
}

/// Puts the text of a word into memory with eight bytes from a position on. Returns where it ends.
#[inline(always)]
pub(super) fn put_word(word: u64, room: &mut [u8], start: usize) -> usize {
    room[start..start + 8].copy_from_slice(&word.to_le_bytes());
    start + (word >> LENGTH) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_written_as_signed_numbers() {
        let near = |exponent: u32| {
            let power = 10u32.pow(exponent);
            [power - 1, power, power + 1, power.saturating_mul(2)]
        };
        let numbers: Vec<u32> = (1..9).flat_map(near).chain([1, 32_767, 32_768, 32_769]).collect();
        for atoms in [0, 12, 9_999, 32_767, 32_768, 3_000_000] {
            let decimals = Decimals::new(0, atoms + 1);
            let texts = LiteralTexts::new(atoms, &decimals);
            for &number in &numbers {
                let mut room = [b'x'; 2 * ROOM];
                let mut end = texts.put(GroundLiteral::new(number - 1, false), &mut room, 0);
                end = texts.put(GroundLiteral::new(number - 1, true), &mut room, end);
                let expected = format!(" {number} -{number}");
                assert_eq!(String::from_utf8_lossy(&room[..end]), expected);
            }
        }
    }

    #[test]
    fn words_are_texts() {
        for text in ["", "1 0 1", "1234567"] {
            let mut room = *b"0123456789";
            let end = put_word(word(text.as_bytes()), &mut room, 1);
            assert_eq!(room[1..end], *text.as_bytes());
        }
    }
}
