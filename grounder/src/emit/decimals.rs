//! Decimal digits, looked up four at a time.
//!
//! A table of all numbers of a large game as text would be many times the size of the caches, and most numbers
//! in the rules would have to come from memory.

/// As many numbers have four digits or fewer.
const GROUPS: u32 = 10_000;
/// Numbers below have two groups of digits.
const TWO_GROUPS: u32 = GROUPS * GROUPS;

/// The digits of numbers.
pub(super) struct Decimals {
    /// By number: its last four digits, the first of them in the highest byte.
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
        let zeros = u32::from_be_bytes(*b"0000");
        Decimals { groups: (0..count).map(|number| digits(number) + zeros).collect() }
    }

    /// Appends what stands before a number, and the number.
    #[inline(always)]
    pub(super) fn append<const BEFORE: usize>(
        &self,
        before: [u8; BEFORE],
        number: u32,
        out: &mut Vec<u8>,
    ) {
        if number >= TWO_GROUPS {
            return append_long(&before, number, out);
        }
        let high = self.groups[(number / GROUPS) as usize];
        let low = self.groups[(number % GROUPS) as usize];
        let length = number.max(1).ilog10() as usize + 1;
        let digits = (u64::from(high) << 32 | u64::from(low)) << (64 - 8 * length);
        // What stands behind the digits is cut off: copying so many bytes and no more would take longer.
        let mut piece = [0; 16];
        piece[..BEFORE].copy_from_slice(&before);
        piece[BEFORE..BEFORE + 8].copy_from_slice(&digits.to_be_bytes());
        let end = out.len() + BEFORE + length;
        out.extend_from_slice(&piece);
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
            assert_eq!(String::from_utf8_lossy(&text), format!("x -{number}{number}"));
        }
    }
}
