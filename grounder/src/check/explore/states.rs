//! The states met: bitsets one after the other in one vector, found through a hash table of numbers.

/// A set of states, numbered from 0 in the order of their insertion, each with the state that it was
/// reached from.
pub(super) struct States {
    /// Words of a state.
    words: usize,
    bits: Vec<u64>,
    parents: Vec<u32>,
    /// Numbers plus one, in open addressing; 0 is empty. At most three quarters full.
    slots: Vec<u32>,
}

impl States {
    /// No states of so many fluents.
    pub(super) fn new(fluents: usize) -> Self {
        let words = fluents.div_ceil(64);
        States { words, bits: Vec::new(), parents: Vec::new(), slots: vec![0; 1024] }
    }

    /// How many states there are.
    pub(super) fn len(&self) -> u32 {
        self.parents.len() as u32
    }

    /// Bytes in use, room for growth included.
    pub(super) fn bytes(&self) -> u64 {
        let Self { bits, parents, slots, .. } = self;
        (bits.capacity() * 8 + parents.capacity() * 4 + slots.capacity() * 4) as u64
    }

    /// The words of a state.
    pub(super) fn get(&self, state: u32) -> &[u64] {
        let start = state as usize * self.words;
        &self.bits[start..start + self.words]
    }

    /// The state that another was reached from; `None` for the initial one.
    pub(super) fn parent(&self, state: u32) -> Option<u32> {
        Some(self.parents[state as usize]).filter(|&it| it != u32::MAX)
    }

    /// The number of a state, and whether it is new.
    pub(super) fn insert(&mut self, state: &[u64], parent: u32) -> (u32, bool) {
        let slot = self.slot(state);
        if let Some(known) = self.slots[slot].checked_sub(1) {
            return (known, false);
        }
        let number = self.len();
        self.slots[slot] = number + 1;
        let padding = self.words - state.len().min(self.words);
        self.bits.extend_from_slice(&state[..self.words - padding]);
        self.bits.extend(std::iter::repeat_n(0, padding));
        self.parents.push(parent);
        if self.parents.len() * 4 > self.slots.len() * 3 {
            self.grow();
        }
        (number, true)
    }

    /// The number of a state, if it is known.
    pub(super) fn find(&self, state: &[u64]) -> Option<u32> {
        self.slots[self.slot(state)].checked_sub(1)
    }

    /// The slot of a state, or the empty one where it belongs.
    #[inline]
    fn slot(&self, state: &[u64]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(state) as usize & mask;
        loop {
            match self.slots[slot].checked_sub(1) {
                Some(known) if !same(self.get(known), state) => slot = (slot + 1) & mask,
                _ => return slot,
            }
        }
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![0; mask + 1];
        for number in 0..self.len() {
            let mut slot = hash(self.get(number)) as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = number + 1;
        }
        self.slots = slots;
    }
}

/// Whether two states are the same; words that are missing at the end are zero.
#[inline]
fn same(one: &[u64], other: &[u64]) -> bool {
    let shared = one.len().min(other.len());
    one[..shared] == other[..shared]
        && one[shared..].iter().chain(&other[shared..]).all(|&word| word == 0)
}

/// Zero words at the end change nothing.
#[inline]
fn hash(state: &[u64]) -> u64 {
    let len = state.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
    let mix =
        |hash: u64, word: &u64| (hash.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = state[..len].iter().fold(0, mix);
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_found_again() {
        let mut states = States::new(100);
        for value in 0..5000_u64 {
            assert_eq!(states.insert(&[value, value % 7], 0), (value as u32, true));
        }
        for value in 0..5000_u64 {
            assert_eq!(states.insert(&[value, value % 7], 0), (value as u32, false));
            assert_eq!(states.get(value as u32), [value, value % 7]);
        }
        assert_eq!(states.find(&[0]), Some(0), "missing words are zero");
        assert_eq!(states.find(&[5000, 3]), None);
        let mut empty = States::new(0);
        assert_eq!(empty.insert(&[], 0), (0, true));
        assert_eq!(empty.insert(&[0], 0), (0, false));
    }
}
