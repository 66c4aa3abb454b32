//! The place where states that were visited are kept: bitsets one after the other, found through hash tables of their numbers.
//!
//! They are in *shards* by their hash, which can be filled at the same time.

use crate::hash_words;

/// There are up to 2 to the power of this many shards.
const MOST_SHARD_BITS: u32 = 6;
/// No state.
const NONE: u32 = u32::MAX;
/// Bits of a slot with the position of a state; the others are a tag, which tells most states apart.
const POSITION: u32 = u32::MAX >> MOST_SHARD_BITS;
/// States of a bucket that are looked up together, so that the processor waits for memory once.
const TOGETHER: usize = 32;

/// A set of states, each with the state that it was reached from. A state's number depends on the order of
/// insertion into its shard only; in a single shard the numbers are that order.
#[derive(Debug)]
pub struct States {
    /// Words of a state.
    words: usize,
    /// Bits of a state's number that say which shard it is in.
    shard_bits: u32,
    shards: Vec<Shard>,
    initial: u32,
}

/// States whose hashes begin alike.
#[derive(Debug)]
pub struct Shard {
    words: usize,
    bits: Vec<u64>,
    parents: Vec<u32>,
    /// Tags, and positions in the shard plus one, in open addressing; 0 is empty. At most three quarters
    /// full.
    slots: Vec<u32>,
}

/// States on their way into a shard.
#[derive(Debug, Default)]
pub struct Bucket {
    bits: Vec<u64>,
    parents: Vec<u32>,
}

impl Bucket {
    /// Adds a state.
    #[inline]
    pub fn push(&mut self, state: &[u64], parent: u32) {
        self.bits.extend_from_slice(state);
        self.parents.push(parent);
    }

    /// Forgets all states.
    pub fn clear(&mut self) {
        self.bits.clear();
        self.parents.clear();
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        (self.bits.capacity() * 8 + self.parents.capacity() * 4) as u64
    }
}

impl States {
    /// The number of shards where several threads fill them.
    pub const SHARDS: usize = 1 << MOST_SHARD_BITS;

    /// The initial state, of a game with so many fluents, in one shard or [`States::SHARDS`].
    pub fn new(fluents: usize, initial: &[u64], shards: usize) -> Self {
        let words = fluents.div_ceil(64);
        let shard = |_| Shard { words, bits: Vec::new(), parents: Vec::new(), slots: vec![0; 8] };
        let shards: Vec<Shard> = (0..shards).map(shard).collect();
        let shard_bits = shards.len().ilog2();
        let mut states = States { words, shard_bits, shards, initial: 0 };
        let mut initial = initial.to_vec();
        initial.resize(words, 0);
        states.initial = states.insert(&initial, NONE);
        states
    }

    /// How many states there are.
    pub fn count(&self) -> usize {
        self.shards.iter().map(|it| it.parents.len()).sum()
    }

    /// Bytes in use, room for growth included.
    pub fn bytes(&self) -> u64 {
        let bytes = |Shard { bits, parents, slots, .. }: &Shard| {
            bits.capacity() * 8 + parents.capacity() * 4 + slots.capacity() * 4
        };
        self.shards.iter().map(bytes).sum::<usize>() as u64
    }

    /// Bytes of a state, without the tables.
    pub fn bytes_of_one(&self) -> u64 {
        self.words as u64 * 8 + 4
    }

    /// One more than the largest number of a state.
    pub fn numbers(&self) -> usize {
        self.shards.iter().map(|it| it.parents.len()).max().unwrap_or(0) << self.shard_bits
    }

    /// By shard: how many states it has.
    pub fn counts(&self) -> Vec<u32> {
        self.shards.iter().map(|it| it.parents.len() as u32).collect()
    }

    /// The states between two states of the shards, as [`States::counts`] gives them.
    pub fn between<'s>(
        &self,
        from: &'s [u32],
        to: &'s [u32],
    ) -> impl Iterator<Item = u32> + use<'s> {
        let shard_bits = self.shard_bits;
        let shards = (0..).zip(from.iter().zip(to));
        shards.flat_map(move |(shard, (&from, &to))| {
            (from..to).map(move |position| position << shard_bits | shard)
        })
    }

    /// The shard of a state, by its number, and its position there.
    #[inline]
    fn place(&self, state: u32) -> (&Shard, u32) {
        let shard = state & (self.shards.len() as u32 - 1);
        (&self.shards[shard as usize], state >> self.shard_bits)
    }

    /// The words of a state.
    #[inline]
    pub fn get(&self, state: u32) -> &[u64] {
        let (shard, position) = self.place(state);
        shard.get(position)
    }

    /// The states on the way by which a state was reached first, the initial one and itself included.
    pub fn path(&self, state: u32) -> Vec<u32> {
        let parent = |it: &u32| {
            let (shard, position) = self.place(*it);
            Some(shard.parents[position as usize]).filter(|&it| it != NONE)
        };
        let mut path: Vec<u32> = std::iter::successors(Some(state), parent).collect();
        path.reverse();
        path
    }

    /// The initial state.
    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// The number of a state, if it is known.
    pub fn find(&self, state: &[u64]) -> Option<u32> {
        let hash = hash_words(state);
        let shard = self.shard_of(hash);
        let found = &self.shards[shard];
        let position = (found.slots[found.slot(state, hash)] & POSITION).checked_sub(1)?;
        Some(position << self.shard_bits | shard as u32)
    }

    /// The number of a state, which is added, as reached from another one, if it is new.
    pub fn insert(&mut self, state: &[u64], parent: u32) -> u32 {
        let hash = hash_words(state);
        let shard = self.shard_of(hash);
        self.shards[shard].insert(state, hash, parent) << self.shard_bits | shard as u32
    }

    /// The shard of a state, by the bits of its hash that no table looks at.
    #[inline]
    fn shard_of(&self, hash: u64) -> usize {
        (hash >> (64 - MOST_SHARD_BITS)) as usize & (self.shards.len() - 1)
    }

    /// Puts a state into the bucket of its shard.
    #[inline]
    pub fn sort_into(&self, buckets: &mut [Bucket], state: &[u64], parent: u32) {
        buckets[self.shard_of(hash_words(state))].push(state, parent);
    }

    /// All shards, to be filled.
    pub fn shards_mut(&mut self) -> &mut [Shard] {
        &mut self.shards
    }

    /// Whether all numbers of states are taken in some shard.
    pub fn is_full(&self) -> bool {
        self.shards.iter().any(|it| it.parents.len() >= POSITION as usize - (1 << 20))
    }
}

impl Shard {
    #[inline]
    fn get(&self, position: u32) -> &[u64] {
        let start = position as usize * self.words;
        &self.bits[start..start + self.words]
    }

    /// Adds the states of a bucket. Says whether one of them was among the first `count` states.
    pub fn insert_all(&mut self, bucket: &Bucket, count: u32) -> bool {
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
        let mut states = States::new(100, &[u64::MAX], States::SHARDS);
        let all = (0..5000_u64).map(|value| [value, value % 7]);
        let mut buckets: Vec<Bucket> = (0..States::SHARDS).map(|_| Bucket::default()).collect();
        for state in all.clone() {
            states.sort_into(&mut buckets, &state, states.initial());
        }
        let before = states.counts();
        for (shard, bucket) in states.shards_mut().iter_mut().zip(&buckets) {
            let count = shard.parents.len() as u32;
            assert!(!shard.insert_all(bucket, count), "none is known");
        }
        assert_eq!(states.count(), 5001);
        let counts = states.counts();
        for (shard, bucket) in states.shards_mut().iter_mut().zip(&buckets) {
            assert!(shard.insert_all(bucket, u32::MAX), "all are known");
        }
        assert_eq!(states.counts(), counts);
        for state in all {
            let number = states.find(&state).expect("a state");
            assert_eq!(states.get(number), state);
            assert_eq!(states.path(number), [states.initial(), number]);
        }
        assert_eq!(states.between(&before, &counts).count(), 5000);
        assert_eq!(states.find(&[5000, 3]), None);
        let empty = States::new(0, &[], States::SHARDS);
        assert_eq!(empty.count(), 1);
        assert_eq!(empty.find(&[]), Some(empty.initial()));
    }

    #[test]
    fn in_one_shard_numbers_are_the_order() {
        let mut states = States::new(70, &[7], 1);
        for value in 1..1000 {
            assert_eq!(states.insert(&[value, 9], value as u32 - 1), value as u32);
        }
        assert_eq!(states.insert(&[500, 9], 0), 500, "it is known");
        assert_eq!((states.count(), states.get(0)), (1000, [7, 0].as_slice()));
        assert_eq!(states.path(999), (0..1000).collect::<Vec<u32>>());
    }
}
