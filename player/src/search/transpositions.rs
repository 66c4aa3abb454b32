//! What several threads know of states, without locks (Hyatt and Mann, "A lock-less transposition table implementation for parallel
//! search", 2002): what two threads have written half each is not taken for an entry.

use std::sync::atomic::{AtomicU64, Ordering};

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) value: i32,
    pub(super) bound: Bound,
    /// How many moves were looked ahead.
    pub(super) depth: u8,
    /// The best child plus one; 0 if there is none.
    pub(super) best: u16,
    /// Whether it rests on an evaluation.
    pub(super) is_cut: bool,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The value of the state.
    Exact = 0,
    /// It is at least that.
    Lower = 1,
    /// It is at most that.
    Upper = 2,
}

/// A bit that no entry is without.
const TAKEN: u64 = 1 << 59;

impl Known {
    fn pack(self) -> u64 {
        let Known { value, bound, depth, best, is_cut } = self;
        let high = u64::from(depth) << 48 | (bound as u64) << 56 | u64::from(is_cut) << 58;
        TAKEN | high | u64::from(best) << 32 | u64::from(value as u32)
    }

    fn unpack(word: u64) -> Self {
        let bound = match word >> 56 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        Known {
            value: word as u32 as i32,
            bound,
            depth: (word >> 48) as u8,
            best: (word >> 32) as u16,
            is_cut: word >> 58 & 1 == 1,
        }
    }
}

/// States, by the hashes of their fluents, and what is known of them; the last one of a slot stays.
#[derive(Debug)]
pub(super) struct Transpositions {
    /// The entry, and the hash with the entry's bits changed.
    slots: Vec<[AtomicU64; 2]>,
}

impl Transpositions {
    /// A table of so many bytes at most, but for a thousand slots.
    pub(super) fn new(bytes: u64) -> Self {
        let slots = 1 << (bytes / 16).max(1 << 10).ilog2();
        let empty = || [AtomicU64::new(0), AtomicU64::new(0)];
        Transpositions { slots: std::iter::repeat_with(empty).take(slots).collect() }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.slots.len() as u64 * 16
    }

    pub(super) fn get(&self, key: u64) -> Option<Known> {
        let [entry, check] = &self.slots[key as usize & (self.slots.len() - 1)];
        let word = entry.load(Ordering::Relaxed);
        let is_it = word & TAKEN != 0 && check.load(Ordering::Relaxed) ^ word == key;
        is_it.then(|| Known::unpack(word))
    }

    pub(super) fn put(&self, key: u64, known: Known) {
        let [entry, check] = &self.slots[key as usize & (self.slots.len() - 1)];
        let word = known.pack();
        entry.store(word, Ordering::Relaxed);
        check.store(word ^ key, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found_and_halves_are_not() {
        let table = Transpositions::new(1 << 14);
        let known = |value| Known { value, bound: Bound::Upper, depth: 200, best: 9, is_cut: true };
        for (key, value) in [(5, -7), (6, i32::MAX), (0, i32::MIN)] {
            assert_eq!(table.get(key), None);
            table.put(key, known(value));
            assert_eq!(table.get(key), Some(known(value)));
        }
        assert_eq!(table.get(5 + (1 << 40)), None, "another state of the same slot");
        let exact = Known { bound: Bound::Exact, best: 0, is_cut: false, ..known(3) };
        table.slots[5][0].store(exact.pack(), Ordering::Relaxed);
        assert_eq!(table.get(5), None, "half of it is of another thread");
    }
}
