//! Decimal numbers, looked up.

/// As many numbers have four digits or fewer.
pub(super) const GROUPS: u32 = 10_000;
/// Makes digits of numbers.
const ZEROS: u64 = u64::from_be_bytes(*b"00000000");
/// Numbers that are kept as text. The text of more would not fit into the caches, and most would have to come from
/// memory: it is then put together from groups of four digits.
const MOST_TEXTS: usize = 1 << 15;
/// Where a text has its length.
const LENGTH: u32 = 56;
/// A number takes at most so many bytes, with what stands before it and what may be written over behind it.
pub(super) const ROOM: usize = 24;

/// The digits of numbers.
pub(super) struct Decimals {
    /// By number: its text, from the lowest byte on, and in the highest its length. Empty if these were too many.
    texts: Vec<u64>,
    /// By number: its four digits as numbers, a byte each, the first of them in the highest.
    groups: Vec<u32>,
}

impl Decimals {
    /// For numbers up to the greatest, of which those up to another are `frequent`. Greater ones take longer.
    pub(super) fn new(frequent: usize, greatest: usize) -> Self {
        let count = GROUPS.min(greatest.try_into().unwrap_or(GROUPS).saturating_add(1));
        let digits = |number: u32| {
            let digit = |power: u32| number / power % 10;
            digit(1000) << 24 | digit(100) << 16 | digit(10) << 8 | digit(1)
        };
        let groups = (0..count).map(digits).collect();
        let mut decimals = Decimals { texts: Vec::new(), groups };
        if frequent < MOST_TEXTS {
            let text = |number: u32| {
                let (text, length) = decimals.digits(number)?;
                Some(text | (length as u64) << LENGTH)
            };
            decimals.texts = (0..=frequent as u32).map_while(text).collect();
        }
        decimals
    }

    /// The text of a number of at most two groups, from the lowest byte on, and its length, if these are kept.
    #[inline(always)]
    fn digits(&self, number: u32) -> Option<(u64, usize)> {
        let high = *self.groups.get((number / GROUPS) as usize)?;
        let low = *self.groups.get((number % GROUPS) as usize)?;
        let digits = u64::from(high) << 32 | u64::from(low);
        // Zeros at the front are left out, but for the last digit.
        let skipped = ((digits | 1).leading_zeros() / 8) as usize;
        Some((((digits + ZEROS) << (8 * skipped)).swap_bytes(), 8 - skipped))
    }

    /// The last four digits of a number below [`GROUPS`], if it is not beyond the greatest.
    #[inline(always)]
    pub(super) fn four(&self, number: u32) -> Option<[u8; 4]> {
        Some((self.groups.get(number as usize)? + ZEROS as u32).to_be_bytes())
    }

    /// Appends at most seven bytes that stand before a number, and the number.
    #[inline(always)]
    pub(super) fn append<const BEFORE: usize>(
        &self,
        before: [u8; BEFORE],
        number: u32,
        out: &mut Vec<u8>,
    ) {
        let mut room = [0; ROOM];
        let end = out.len() + self.put(before, number, &mut room, 0);
        // What stands behind the digits is cut off: copying so many bytes and no more would take longer.
        out.extend_from_slice(&room);
        out.truncate(end);
    }

    /// Writes a number into memory with [`ROOM`] from a position on. Returns where the digits end.
    #[inline(always)]
    pub(super) fn put<const BEFORE: usize>(
        &self,
        before: [u8; BEFORE],
        number: u32,
        room: &mut [u8],
        start: usize,
    ) -> usize {
        let mut front = [0; 8];
        front[..BEFORE].copy_from_slice(&before);
        self.put_behind(u64::from_le_bytes(front), BEFORE, number, room, start)
    }

    /// Puts a space, a minus sign if there is to be one, and a number, as [`Decimals::put`]. Which numbers have a
    /// sign is hard to predict: there is no branch.
    #[inline(always)]
    pub(super) fn put_signed(
        &self,
        is_negative: bool,
        number: u32,
        room: &mut [u8],
        start: usize,
    ) -> usize {
        let sign = u64::from(b'-') << 8 & u64::from(is_negative).wrapping_neg();
        let length = 1 + usize::from(is_negative);
        self.put_behind(u64::from(b' ') | sign, length, number, room, start)
    }

    /// Puts the first bytes of a word, from its lowest on, and a number.
    #[inline(always)]
    fn put_behind(
        &self,
        front: u64,
        length: usize,
        number: u32,
        room: &mut [u8],
        start: usize,
    ) -> usize {
        let kept = self.texts.get(number as usize).map(|&text| (text, (text >> LENGTH) as usize));
        let Some((text, digits)) = kept.or_else(|| self.digits(number)) else {
            return put_long(&front.to_le_bytes()[..length], number, room, start);
        };
        let shift = 8 * length as u32;
        let word = u128::from(text << shift | front) | u128::from(text >> 1 >> (63 - shift)) << 64;
        room[start..start + 16].copy_from_slice(&word.to_le_bytes());
        start + length + digits
    }
}

#[cold]
fn put_long(before: &[u8], number: u32, room: &mut [u8], mut start: usize) -> usize {
    let mut digits = itoa::Buffer::new();
    for piece in [before, digits.format(number).as_bytes()] {
        room[start..start + piece.len()].copy_from_slice(piece);
        start += piece.len();
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_length_are_written_as_the_library_writes_them() {
        let near = |power: u32| [power - 1, power, power + 1, power.saturating_mul(7)];
        let numbers = (1..10).flat_map(|exponent| near(10u32.pow(exponent)));
        for number in numbers.chain([0, 1, 12_300_456, u32::MAX]) {
            for (frequent, greatest) in [(0, number), (number, number), (0, number / 2)] {
                let decimals = Decimals::new(frequent as usize, greatest as usize);
                let mut text = b"x".to_vec();
                decimals.append(*b" -", number, &mut text);
                decimals.append([], number, &mut text);
                decimals.append(*b"abcdefg", number, &mut text);
                let mut room = [b'y'; 2 * ROOM];
                let end = decimals.put_signed(false, number, &mut room, 0);
                let end = decimals.put_signed(true, number, &mut room, end);
                text.extend_from_slice(&room[..end]);
                let expected = format!("x -{number}{number}abcdefg{number} {number} -{number}");
                assert_eq!(String::from_utf8_lossy(&text), expected);
            }
        }
    }
}
