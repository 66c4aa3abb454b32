//! What is known of states: a hash table whose keys are whole states, so that nothing is taken for something else.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use web_time::Instant;

use groundfrog::game::GroundGame;
use groundfrog_knowledge::symmetry::state_symmetries;
use groundfrog_reasoner::hash_words;
use smallvec::SmallVec;

/// What is known of one state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StateBounds {
    /// The value that can be forced is at least this one, as a position in the list of values.
    pub(crate) lower: u8,
    /// It is at most this one.
    pub(crate) upper: u8,
    /// How much work is in the entry, as a power of two.
    pub(crate) effort: u8,
    /// The move that decided last, as a position in the list of moves, plus one; 0 if none did.
    pub(crate) best: u16,
}

impl StateBounds {
    /// Bounds and nothing else.
    pub(crate) fn new(lower: u8, upper: u8) -> Self {
        StateBounds { lower, upper, ..StateBounds::default() }
    }

    fn pack(self) -> u64 {
        let StateBounds { lower, upper, effort, best } = self;
        TAKEN
            | u64::from(best) << 24
            | u64::from(effort) << 16
            | u64::from(upper) << 8
            | u64::from(lower)
    }

    fn unpack(word: u64) -> Self {
        StateBounds {
            lower: word as u8,
            upper: (word >> 8) as u8,
            effort: (word >> 16) as u8,
            best: (word >> 24) as u16,
        }
    }
}

/// Set in the word of each slot that is taken.
const TAKEN: u64 = 1 << 63;

/// A slot may be this far from where its key belongs.
const REACH: usize = 16;

/// States and what is known of them, in bounded memory.
#[derive(Debug)]
pub(crate) struct Table {
    /// Words of a slot: those of a state, and one for what is known of it, so that both are read together.
    stride: usize,
    slots: Vec<u64>,
    /// Slots minus one; their number is a power of two.
    mask: usize,
    taken: usize,
    most_slots: usize,
    /// How long it took to grow for the last time.
    grew: Duration,
}

impl Table {
    /// A table for states of so many words that takes at most so many bytes, also while it grows.
    pub(crate) fn new(words: usize, bytes: u64) -> Self {
        let stride = words + 1;
        // While it grows there are two, one half the size of the other.
        let most = (bytes * 2 / 3 / (stride as u64 * 8)).max(1 << 10);
        let most_slots = 1_usize << most.ilog2();
        let slots = most_slots.min(1 << 14);
        let mask = slots - 1;
        let slots = vec![0; (slots + REACH) * stride];
        Table { stride, slots, mask, taken: 0, most_slots, grew: Duration::ZERO }
    }

    /// Bytes that the table takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.slots.len() as u64 * 8
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(0);
        self.taken = 0;
    }

    /// The slots in which a state may be, as far as they are taken: the number of each, its state, and what is known of it.
    #[inline]
    fn near(&self, state: &[u64]) -> impl Iterator<Item = (usize, &[u64], u64)> {
        let home = hash_words(state) as usize & self.mask;
        let slots = self.slots[home * self.stride..].chunks_exact(self.stride).take(REACH);
        let slots = slots.enumerate().map(move |(position, slot)| {
            let (known, state) = slot.split_last().unwrap_or((&0, &[]));
            (home + position, state, *known)
        });
        slots.take_while(|slot| slot.2 != 0)
    }

    /// What is known of a state.
    #[inline]
    pub(crate) fn get(&self, state: &[u64]) -> Option<StateBounds> {
        let found = self.near(state).find(|slot| slot.1 == state);
        found.map(|slot| StateBounds::unpack(slot.2))
    }

    /// Notes what is known of a state. Where there is no room, what took least work is forgotten.
    pub(crate) fn put(&mut self, state: &[u64], known: StateBounds) {
        loop {
            match self.slot_for(state) {
                Ok(slot) => return self.write(slot, state, known),
                Err(_) if self.grow() => {}
                Err(victim) => return self.write(victim, state, known),
            }
        }
    }

    /// Notes what is known of a state, unless something else would have to be forgotten; says whether it was noted.
    pub(crate) fn try_put(&mut self, state: &[u64], known: StateBounds) -> bool {
        loop {
            match self.slot_for(state) {
                Ok(slot) => {
                    self.write(slot, state, known);
                    return true;
                }
                Err(_) if self.grow() => {}
                Err(_) => return false,
            }
        }
    }

    /// The slot of a state or a free one; otherwise the one that is missed least.
    fn slot_for(&self, state: &[u64]) -> Result<usize, usize> {
        let home = hash_words(state) as usize & self.mask;
        let (mut victim, mut least, mut count) = (home, u8::MAX, 0);
        for (slot, key, known) in self.near(state) {
            if key == state {
                return Ok(slot);
            }
            let effort = StateBounds::unpack(known).effort;
            if effort < least {
                (victim, least) = (slot, effort);
            }
            count += 1;
        }
        // Room has to be left, or everything is far from home.
        let crowded = self.taken * 4 > (self.mask + 1) * 3 && self.may_grow();
        match count {
            REACH => Err(victim),
            _ if crowded => Err(home + count),
            _ => Ok(home + count),
        }
    }

    fn write(&mut self, slot: usize, state: &[u64], known: StateBounds) {
        let slot = &mut self.slots[slot * self.stride..(slot + 1) * self.stride];
        if let Some((word, key)) = slot.split_last_mut() {
            self.taken += usize::from(*word == 0);
            *word = known.pack();
            key.copy_from_slice(state);
        }
    }

    /// How long it may take to grow, about.
    pub(crate) fn growing(&self) -> Duration {
        self.grew * 2
    }

    fn may_grow(&self) -> bool {
        self.mask + 1 < self.most_slots
    }

    /// Doubles the table, if it may grow.
    fn grow(&mut self) -> bool {
        if !self.may_grow() {
            return false;
        }
        let begin = Instant::now();
        let slots = (self.mask + 1) * 2;
        let old = std::mem::replace(&mut self.slots, vec![0; (slots + REACH) * self.stride]);
        self.mask = slots - 1;
        self.taken = 0;
        for slot in old.chunks_exact(self.stride) {
            if let Some((&word, state)) = slot.split_last().filter(|slot| *slot.0 != 0) {
                let found = self.slot_for(state).unwrap_or_else(|victim| victim);
                self.write(found, state, StateBounds::unpack(word));
            }
        }
        self.grew = begin.elapsed();
        true
    }
}

/// With several threads the table has so many parts, each with a lock of its own: they seldom wait for each other.
const PARTS: usize = 256;

/// States and what is known of them, in bounded memory.
#[derive(Debug)]
pub(crate) struct SharedTable {
    parts: Vec<Mutex<Table>>,
}

impl SharedTable {
    /// A table for states of so many words that takes at most so many bytes, for so many threads.
    pub(crate) fn new(words: usize, bytes: u64, threads: usize) -> Self {
        let parts = if threads > 1 { PARTS } else { 1 };
        let part = |_| Mutex::new(Table::new(words, bytes / parts as u64));
        SharedTable { parts: (0..parts).map(part).collect() }
    }

    /// Where a state belongs. The table within a part looks at the low bits of the same hash.
    fn part(&self, state: &[u64]) -> MutexGuard<'_, Table> {
        let part = match self.parts.len() {
            1 => 0,
            parts => (hash_words(state) >> 48) as usize % parts,
        };
        self.parts[part].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of a state.
    pub(crate) fn get(&self, state: &[u64]) -> Option<StateBounds> {
        self.part(state).get(state)
    }

    /// Notes what is known of a state now, by what was known.
    pub(crate) fn update(
        &self,
        state: &[u64],
        change: impl FnOnce(Option<StateBounds>) -> StateBounds,
    ) {
        let mut part = self.part(state);
        let known = change(part.get(state));
        part.put(state, known);
    }

    /// Bytes that it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let bytes = self.parts.iter().map(|it| it.lock().map_or(0, |table| table.bytes()));
        bytes.sum()
    }
}

/// With more symmetries it takes longer to find the state that stands for others than to look at it.
const MOST: usize = 16;
/// Symmetries are looked for no longer than this.
const FINDING: Duration = Duration::from_secs(1);

/// The symmetries of the rules, by which states are worth the same: one of them stands for all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symmetric {
    /// By symmetry, then by fluent: its image.
    images: Vec<Vec<u32>>,
}

impl Symmetric {
    /// Finds those of a game, in a part of the time that is left.
    pub(crate) fn new(game: &GroundGame, left: Option<Duration>) -> Self {
        let time = left.map_or(FINDING, |it| FINDING.min(it / 8));
        let found = state_symmetries(game, MOST, time);
        Symmetric { images: found.into_iter().map(|it| it.fluents).collect() }
    }

    /// The words of the state that stands for this one: the least of all that are the same.
    pub(crate) fn canonical(&self, state: &[u64]) -> SmallVec<[u64; 8]> {
        let mut least = SmallVec::from_slice(state);
        let mut image = least.clone();
        for fluents in &self.images {
            write_image(fluents, state, &mut image);
            if image < least {
                least.copy_from_slice(&image);
            }
        }
        least
    }
}

/// Writes the image of a state.
fn write_image(fluents: &[u32], state: &[u64], image: &mut [u64]) {
    image.fill(0);
    for (index, &word) in state.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            let fluent = fluents[index * 64 + word.trailing_zeros() as usize];
            image[fluent as usize / 64] |= 1 << (fluent % 64);
            word &= word - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found_and_nothing_else() {
        let mut table = Table::new(2, 1 << 24);
        for number in 0..50_000_u64 {
            table.put(&[number, number * 7], StateBounds::new((number % 5) as u8, 9));
        }
        assert_eq!(table.taken, 50_000);
        for number in 0..50_000_u64 {
            let known = table.get(&[number, number * 7]).expect("was put");
            assert_eq!((known.lower, known.upper), ((number % 5) as u8, 9));
            assert_eq!(table.get(&[number, number * 7 + 1]), None);
        }
    }

    #[test]
    fn memory_is_bounded_and_work_is_kept() {
        let mut table = Table::new(1, 1 << 16);
        for number in 0..100_000_u64 {
            let effort = if number < 100 { 9 } else { 0 };
            table.put(&[number], StateBounds { effort, ..StateBounds::default() });
        }
        assert!(table.bytes() <= 1 << 16, "{}", table.bytes());
        assert!((0..100_u64).all(|number| table.get(&[number]).is_some()));
    }

    #[test]
    fn a_full_table_says_so() {
        let mut table = Table::new(1, 1 << 14);
        let noted =
            (0..10_000_u64).take_while(|&it| table.try_put(&[it], StateBounds::default())).count();
        assert!((500..10_000).contains(&noted), "{noted}");
        assert!((0..noted as u64).all(|number| table.get(&[number]).is_some()));
    }
}
