//! States as bitsets.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use super::FluentId;
use super::numbering::Stamp;

/// A set of fluents: bit `i % 64` of word `i / 64` is fluent `i`.
///
/// Words that are zero at the end mean nothing: states are equal if the same fluents hold in them. In builds with debug
/// assertions a state remembers what the numbers of the reasoner that made it stand for, so that another one can tell that the state
/// is not its own; a state that is made from numbers, words, or serialised is anybody's.
///
/// ```
/// use groundfrog_reasoner::{FluentId, State};
/// let before = State::of([FluentId(1), FluentId(70)]);
/// let after = State::of([FluentId(2), FluentId(70)]);
/// assert_eq!(after.zobrist_after(&before, before.zobrist()), after.zobrist());
/// assert_eq!(State::from(after.compact()), after);
/// assert!(before < after);
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "CompactState", from = "CompactState")
)]
pub struct State {
    words: Vec<u64>,
    pub(super) stamp: Stamp,
}

/// A state in as little memory as it takes, as a key of tables: the words of its bitset up to the last that is not zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct CompactState(Box<[u64]>);

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for CompactState {
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        Ok(State::new(Vec::deserialize(input)?).compact())
    }
}

impl From<State> for CompactState {
    fn from(state: State) -> Self {
        state.compact()
    }
}

impl From<CompactState> for State {
    fn from(state: CompactState) -> Self {
        State::new(state.0.into_vec())
    }
}

/// The key of a fluent in [`State::zobrist`].
#[inline]
pub fn zobrist_key(fluent: FluentId) -> u64 {
    crate::Random::new(u64::from(fluent.0) ^ 0x5bf0_3635_dcf7_2a4d).next_word()
}

/// A 64-bit hash of the words of a state, for tables: the same in every run, and quicker than [`State::zobrist`] where no hash
/// of a state before is at hand. Words that are zero at the end count.
#[inline]
pub fn hash_words(words: &[u64]) -> u64 {
    let mix =
        |hash: u64, word: &u64| (hash.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = words.iter().fold(0, mix);
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 32)
}

impl State {
    /// The empty state, with room for so many fluents.
    pub fn with_room(fluents: usize) -> Self {
        State::new(vec![0; fluents.div_ceil(64)])
    }

    /// The state in which these fluents hold.
    pub fn of(fluents: impl IntoIterator<Item = FluentId>) -> Self {
        let mut state = State::default();
        fluents.into_iter().for_each(|it| state.insert(it));
        state
    }

    /// Whether a fluent holds.
    #[inline]
    pub fn contains(&self, fluent: FluentId) -> bool {
        self.words.get(fluent.index() / 64).is_some_and(|word| word >> (fluent.0 % 64) & 1 == 1)
    }

    /// Lets a fluent hold.
    pub fn insert(&mut self, fluent: FluentId) {
        let word = fluent.index() / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (fluent.0 % 64);
    }

    /// Lets a fluent not hold.
    pub fn remove(&mut self, fluent: FluentId) {
        if let Some(word) = self.words.get_mut(fluent.index() / 64) {
            *word &= !(1 << (fluent.0 % 64));
        }
    }

    /// The fluents that hold, ascending.
    pub fn fluents(&self) -> impl Iterator<Item = FluentId> + '_ {
        bits(&self.words).map(FluentId)
    }

    /// How many fluents hold.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no fluent holds.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The words.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The state of these words.
    pub fn of_words(words: &[u64]) -> Self {
        State::new(words.to_vec())
    }

    /// The state in as little memory as it takes.
    pub fn compact(&self) -> CompactState {
        CompactState(self.significant().into())
    }

    /// A 64-bit hash: the exclusive or of a key for each fluent that holds (Zobrist, "A new hashing method with application
    /// for game playing", 1970). It is the same in every run.
    pub fn zobrist(&self) -> u64 {
        self.fluents().fold(0, |hash, it| hash ^ zobrist_key(it))
    }

    /// [`State::zobrist`] from that of another state: it costs the fluents that differ.
    pub fn zobrist_after(&self, before: &State, hash: u64) -> u64 {
        let len = self.words.len().max(before.words.len());
        let word = |state: &State, index: usize| state.words.get(index).copied().unwrap_or(0);
        (0..len).fold(hash, |hash, index| {
            let changes = [word(self, index) ^ word(before, index)];
            bits(&changes)
                .fold(hash, |hash, bit| hash ^ zobrist_key(FluentId(index as u32 * 64 + bit)))
        })
    }

    /// The last fluent that holds.
    pub(crate) fn last(&self) -> Option<FluentId> {
        let words = self.significant();
        let top = words.last()?;
        Some(FluentId((words.len() as u32 - 1) * 64 + 63 - top.leading_zeros()))
    }

    fn new(words: Vec<u64>) -> Self {
        State { words, stamp: Stamp::default() }
    }

    /// Replaces the words: bit `i` of word `w` is the fluent `64 w + i`.
    pub fn copy_from(&mut self, words: &[u64]) {
        self.stamp = Stamp::default();
        self.words.clear();
        self.words.extend_from_slice(words);
    }

    fn significant(&self) -> &[u64] {
        let len = self.words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        &self.words[..len]
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.significant() == other.significant()
    }
}

impl Eq for State {}

impl PartialOrd for State {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for State {
    fn cmp(&self, other: &Self) -> Ordering {
        self.significant().cmp(other.significant())
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.significant().hash(state);
    }
}

/// The positions of the bits that are set, ascending.
pub(crate) fn bits(words: &[u64]) -> impl Iterator<Item = u32> + '_ {
    words.iter().enumerate().flat_map(|(index, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros())?;
            rest &= rest - 1;
            Some(index as u32 * 64 + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailing_zero_words_mean_nothing() {
        let mut state = State::of([FluentId(3), FluentId(64), FluentId(200)]);
        assert_eq!(state.fluents().map(|it| it.0).collect::<Vec<_>>(), [3, 64, 200]);
        state.remove(FluentId(200));
        assert_eq!(state, State::of([FluentId(64), FluentId(3)]));
        assert!(state.contains(FluentId(64)) && !state.contains(FluentId(1000)));
        assert_eq!(state.len(), 2);
    }
}
