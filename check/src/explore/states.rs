//! The states met: bitsets one after the other, found through hash tables of their numbers.
//!
//! They are in *shards* by their hash, which can be filled at the same time.

use groundfrog_reasoner::hash_words;

/// Bits of a state's number that say which shard it is in.
const SHARD_BITS: u32 = 6;
/// How many shards there are.
pub(super) const SHARDS: usize = 1 << SHARD_BITS;
/// No state.
const NONE: u32 = u32::MAX;
/// Bits of a slot with the position of a state; the others are a tag, which tells most states apart.
const POSITION: u32 = u32::MAX >> SHARD_BITS;
/// States of a bucket that are looked up together, so that the processor waits for memory once.
const TOGETHER: usize = 32;

/// A set of states, each with the state that it was reached from. A state's number depends on the order of
/// insertion into its shard only.
pub(super) struct States {
    /// Words of a state.
    words: usize,
    shards: Vec<Shard>,
    initial: u32,
}

/// States whose hashes begin alike.
pub(super) struct Shard {
    words: usize,
    bits: Vec<u64>,
    parents: Vec<u32>,
    /// Tags, and positions in the shard plus one, in open addressing; 0 is empty. At most three quarters
    /// full.
    slots: Vec<u32>,
}

/// States on their way into a shard.
#[derive(Default)]
pub(super) struct Bucket {
    bits: Vec<u64>,
    parents: Vec<u32>,
}

impl Bucket {
    /// Adds a state.
    #[inline]
    pub(super) fn push(&mut self, state: &[u64], parent: u32) {
        self.bits.extend_from_slice(state);
        self.parents.push(parent);
    }

    /// Forgets all states.
    pub(super) fn clear(&mut self) {
        self.bits.clear();
        self.parents.clear();
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        (self.bits.capacity() * 8 + self.parents.capacity() * 4) as u64
    }
}

impl States {
    /// The initial state, of a game with so many fluents.
    pub(super) fn new(fluents: usize, initial: &[u64]) -> Self {
        let words = fluents.div_ceil(64);
        let shard = |_| Shard { words, bits: Vec::new(), parents: Vec::new(), slots: vec![0; 8] };
        let mut shards: Vec<Shard> = (0..SHARDS).map(shard).collect();
        let mut initial = initial.to_vec();
        initial.resize(words, 0);
        let hash = hash_words(&initial);
        let position = shards[shard_of(hash)].insert(&initial, hash, NONE);
        States { words, shards, initial: number(shard_of(hash), position) }
    }

    /// How many states there are.
    pub(super) fn len(&self) -> u64 {
        self.shards.iter().map(|it| it.parents.len() as u64).sum()
    }

    /// Bytes in use, room for growth included.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = |Shard { bits, parents, slots, .. }: &Shard| {
            bits.capacity() * 8 + parents.capacity() * 4 + slots.capacity() * 4
        };
        self.shards.iter().map(bytes).sum::<usize>() as u64
    }

    /// Bytes of a state, without the tables.
    pub(super) fn bytes_of_one(&self) -> u64 {
        self.words as u64 * 8 + 4
    }

    /// One more than the largest number of a state.
    pub(super) fn numbers(&self) -> usize {
        self.shards.iter().map(|it| it.parents.len()).max().unwrap_or(0) << SHARD_BITS
    }

    /// By shard: how many states it has.
    pub(super) fn lens(&self) -> [u32; SHARDS] {
        std::array::from_fn(|shard| self.shards[shard].parents.len() as u32)
    }

    /// The states between two states of the shards, as [`States::lens`] gives them.
    pub(super) fn between(from: [u32; SHARDS], to: [u32; SHARDS]) -> impl Iterator<Item = u32> {
        let shards = from.into_iter().zip(to).enumerate();
        shards.flat_map(|(shard, (from, to))| (from..to).map(move |it| number(shard, it)))
    }

    /// The words of a state.
    #[inline]
    pub(super) fn get(&self, state: u32) -> &[u64] {
        self.shards[state as usize % SHARDS].get(state >> SHARD_BITS)
    }

    /// The state that another was reached from; `None` for the initial one.
    pub(super) fn parent(&self, state: u32) -> Option<u32> {
        let shard = &self.shards[state as usize % SHARDS];
        Some(shard.parents[(state >> SHARD_BITS) as usize]).filter(|&it| it != NONE)
    }

    /// How many steps up a state is from the initial one.
    pub(super) fn depth(&self, state: u32) -> u32 {
        let above = std::iter::successors(Some(state), |&it| self.parent(it));
        above.count() as u32 - 1
    }

    /// The initial state.
    pub(super) fn initial(&self) -> u32 {
        self.initial
    }

    /// The number of a state, if it is known.
    pub(super) fn find(&self, state: &[u64]) -> Option<u32> {
        let hash = hash_words(state);
        let shard = shard_of(hash);
        let found = &self.shards[shard];
        Some(number(shard, (found.slots[found.slot(state, hash)] & POSITION).checked_sub(1)?))
    }

    /// All shards, to be filled.
    pub(super) fn shards_mut(&mut self) -> &mut [Shard] {
        &mut self.shards
    }
}

impl Shard {
    #[inline]
    fn get(&self, position: u32) -> &[u64] {
        let start = position as usize * self.words;
        &self.bits[start..start + self.words]
    }

    /// Whether all numbers of states are taken.
    pub(super) fn is_full(&self) -> bool {
        self.parents.len() >= POSITION as usize - (1 << 20)
    }

    /// Adds the states of a bucket. Returns whether one of them was among the first `count` states.
    pub(super) fn insert_all(&mut self, bucket: &Bucket, count: u32) -> bool {
        let mut turns_back = false;
        let words = self.words;
        let of = |position: usize| &bucket.bits[position * words..][..words];
        for (block, parents) in bucket.parents.chunks(TOGETHER).enumerate() {
            let states = block * TOGETHER..block * TOGETHER + parents.len();
            let (mut hashes, mut slots) = ([0; TOGETHER], [0; TOGETHER]);
            let mut known = [NONE; TOGETHER];
            for (hashed, position) in hashes.iter_mut().zip(states.clone()) {
                *hashed = hash_words(of(position));
            }
            for (slot, hash) in slots.iter_mut().zip(hashes) {
                *slot = self.slots[hash as usize & (self.slots.len() - 1)];
            }
            for (index, position) in states.clone().enumerate() {
                let slot = slots[index];
                let candidate = (slot & POSITION).wrapping_sub(1);
                let fits = slot != 0 && (slot ^ tag(hashes[index])) & !POSITION == 0;
                if fits && same(self.get(candidate), of(position)) {
                    known[index] = candidate;
                }
            }
            for (index, position) in states.enumerate() {
                if known[index] == NONE {
                    known[index] = self.insert(of(position), hashes[index], parents[index]);
                }
                turns_back |= known[index] < count;
            }
        }
        turns_back
    }

    /// The position of a state, which is added if it is new.
    #[inline]
    fn insert(&mut self, state: &[u64], hash: u64, parent: u32) -> u32 {
        let slot = self.slot(state, hash);
        if let Some(known) = (self.slots[slot] & POSITION).checked_sub(1) {
            return known;
        }
        let position = self.parents.len() as u32;
        self.slots[slot] = tag(hash) | (position + 1);
        self.bits.extend_from_slice(state);
        self.parents.push(parent);
        if self.parents.len() * 4 > self.slots.len() * 3 {
            self.grow();
        }
        position
    }

    /// The slot of a state, or the empty one where it belongs.
    #[inline]
    fn slot(&self, state: &[u64], hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            let is_other = (slot ^ tag(hash)) & !POSITION != 0;
            if slot == 0 || !is_other && same(self.get((slot & POSITION) - 1), state) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![0; mask + 1];
        for position in 0..self.parents.len() as u32 {
            let hash = hash_words(self.get(position));
            let mut slot = hash as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = tag(hash) | (position + 1);
        }
        self.slots = slots;
    }
}

/// The number of a state.
fn number(shard: usize, position: u32) -> u32 {
    position << SHARD_BITS | shard as u32
}

/// The shard of a state, by the bits of its hash that no table looks at.
#[inline]
pub(super) fn shard_of(hash: u64) -> usize {
    (hash >> (64 - SHARD_BITS)) as usize
}

/// The tag of a state's slot, by bits of its hash that choose neither shard nor, mostly, slot.
#[inline]
fn tag(hash: u64) -> u32 {
    (hash >> 26) as u32 & !POSITION
}

/// Whether two states are the same.
#[inline]
fn same(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_found_again() {
        let mut states = States::new(100, &[u64::MAX]);
        let all = (0..5000_u64).map(|value| [value, value % 7]);
        let mut buckets: Vec<Bucket> = (0..SHARDS).map(|_| Bucket::default()).collect();
        for state in all.clone() {
            buckets[shard_of(hash_words(&state))].push(&state, states.initial());
        }
        let before = states.lens();
        for (shard, bucket) in states.shards_mut().iter_mut().zip(&buckets) {
            let count = shard.parents.len() as u32;
            assert!(!shard.insert_all(bucket, count), "none is known");
        }
        assert_eq!(states.len(), 5001);
        let lens = states.lens();
        for (shard, bucket) in states.shards_mut().iter_mut().zip(&buckets) {
            assert!(shard.insert_all(bucket, u32::MAX), "all are known");
        }
        assert_eq!(states.lens(), lens);
        for state in all {
            let number = states.find(&state).expect("a state");
            assert_eq!(states.get(number), state);
            assert_eq!((states.parent(number), states.depth(number)), (Some(states.initial()), 1));
        }
        assert_eq!(States::between(before, lens).count(), 5000);
        assert_eq!(states.find(&[5000, 3]), None);
        let empty = States::new(0, &[]);
        assert_eq!(empty.len(), 1);
        assert_eq!(empty.find(&[]), Some(empty.initial()));
    }
}
