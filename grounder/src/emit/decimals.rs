//! Decimal digits, looked up four at a time.
//!
//! A table of all numbers of a large game as text would be many times the size of the caches, and most numbers
//! in the rules would have to come from memory.

/// As many numbers have four digits or fewer.
const GROUPS: u32 = 10_000;
/// Numbers below have two groups of digits.
const TWO_GROUPS: u32 = GROUPS * GROUPS;
/// Makes digits of numbers.
const ZEROS: u64 = u64::from_be_bytes(*b"00000000");

/// The digits of numbers.
pub(super) struct Decimals {
    /// By number: its four digits as numbers, a byte each, the first of them in the highest.
    groups: Vec<u32>,
}

impl Decimals {
    /// For numbers up to this one.
    pub(super) fn up_to(greatest: usize) -> Self {
        let count = GROUPS.min(greatest.try_into().unwrap_or(GROUPS).saturating_add(1));
        let digits = |number: u32| {
            let digit = |power: u32| number / power % 10;
            digit(1000) << 24 | digit(100) << 16 | digit(10) << 8 | digit(1)
        };
        Decimals { groups: (0..count).map(digits).collect() }
    }

    /// Appends at most eight bytes that stand before a number, and the number.
    #[inline(always)]
    pub(super) fn append<const BEFORE: usize>(
        &self,
        before: [u8; BEFORE],
        number: u32,
        out: &mut Vec<u8>,
    ) {
        let mut front = [0; 8];
        front[..BEFORE].copy_from_slice(&before);
        self.append_behind(u64::from_le_bytes(front), BEFORE, number, out);
    }

    /// Appends a space, a minus sign if there is to be one, and a number. Which numbers have a sign is hard to
    /// predict: there is no branch.
    #[inline(always)]
    pub(super) fn append_signed(&self, is_negative: bool, number: u32, out: &mut Vec<u8>) {
        let sign = u64::from(b'-') << 8 & u64::from(is_negative).wrapping_neg();
        self.append_behind(u64::from(b' ') | sign, 1 + usize::from(is_negative), number, out);
    }

    /// Appends the first bytes of a word, from its lowest on, and a number.
    #[inline(always)]
    fn append_behind(&self, front: u64, length: usize, number: u32, out: &mut Vec<u8>) {
        if number >= TWO_GROUPS {
            return append_long(&front.to_le_bytes()[..length], number, out);
        }
        let high = self.groups[(number / GROUPS) as usize];
        let low = self.groups[(number % GROUPS) as usize];
        let digits = u64::from(high) << 32 | u64::from(low);
        // Zeros at the front are left out, but for the last digit.
        let skipped = ((digits | 1).leading_zeros() / 8) as usize;
        let text = (digits + ZEROS) << (8 * skipped);
        let piece = u128::from(text.swap_bytes()) << (8 * length) | u128::from(front);
        // What stands behind the digits is cut off: copying so many bytes and no more would take longer.
        let end = out.len() + length + 8 - skipped;
        out.extend_from_slice(&piece.to_le_bytes());
        out.truncate(end);
    }
}

#[cold]
fn append_long(before: &[u8], number: u32, out: &mut Vec<u8>) {
    out.extend_from_slice(before);
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_length_are_written_as_the_library_writes_them() {
        let near = |power: u32| [power - 1, power, power + 1, power.saturating_mul(7)];
        let numbers = (1..10).flat_map(|exponent| near(10u32.pow(exponent)));
        for number in numbers.chain([0, 1, 12_300_456, u32::MAX]) {
            let decimals = Decimals::up_to(number as usize);
            let mut text = b"x".to_vec();
            decimals.append(*b" -", number, &mut text);
            decimals.append([], number, &mut text);
            decimals.append(*b"12345678", number, &mut text);
            decimals.append_signed(false, number, &mut text);
            decimals.append_signed(true, number, &mut text);
            let expected = format!("x -{number}{number}12345678{number} {number} -{number}");
            assert_eq!(String::from_utf8_lossy(&text), expected);
        }
    }
}
