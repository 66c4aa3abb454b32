//! States as bitsets.
//!
//! Builds with debug assertions know what the numbers of fluents stand for, so that they find a state that was handed to the wrong
//! reasoner although its numbers fit.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
#[cfg(debug_assertions)]
use std::sync::Arc;

use groundfrog::description::Term;
use groundfrog::game::GroundGame;
use groundfrog::symbols::Symbols;

use crate::{FluentId, ReasonerError};

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
/// assert!(before < after);
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "Vec<u64>", from = "Vec<u64>")
)]
pub struct State {
    words: Vec<u64>,
    stamp: Stamp,
}

impl From<State> for Vec<u64> {
    /// The words of the bitset up to the last that is not zero.
    fn from(mut state: State) -> Self {
        state.words.truncate(state.significant().len());
        state.words
    }
}

impl From<Vec<u64>> for State {
    fn from(words: Vec<u64>) -> Self {
        State::new(words)
    }
}

/// A 64-bit hash of the words of a state, for tables: the same in every run. Words that are zero at the end count.
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

/// The fluents that a reasoner has numbered. Clones agree with each other, and so do reasoners of the same ground game, as long
/// as they number the same fluents alike. Without debug assertions nothing is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbering {
    /// By fluent: a hash of the texts of all up to it.
    #[cfg(debug_assertions)]
    hashes: Arc<Vec<u64>>,
}

/// What the fluents of a state stand for; unknown where it was made from numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Stamp {
    /// The last fluent, and the hash of the texts of all up to it.
    #[cfg(debug_assertions)]
    last: Option<(usize, u64)>,
}

impl Numbering {
    /// That of a ground game.
    pub(crate) fn of_game(game: &GroundGame) -> Self {
        let mut numbering = Numbering::default();
        if cfg!(debug_assertions) {
            let fluents = game.fluents().filter_map(|it| game.atom(it).arguments().pop());
            numbering.extend(fluents, game.symbols());
        }
        numbering
    }

    /// That of fluents in the order in which they were met. Those that are known already are not looked at.
    pub(crate) fn update(&mut self, _met: &[Term], _symbols: &Symbols) {
        #[cfg(debug_assertions)]
        self.extend(_met[self.hashes.len()..].iter().cloned(), _symbols);
    }

    fn extend(&mut self, _fluents: impl Iterator<Item = Term>, _symbols: &Symbols) {
        #[cfg(debug_assertions)]
        {
            let printer = groundfrog::description::Printer::new(_symbols);
            let hashes = Arc::make_mut(&mut self.hashes);
            for fluent in _fluents {
                let mut hasher = fxhash::FxHasher::default();
                hasher.write_u64(hashes.last().copied().unwrap_or(0));
                hasher.write(printer.term(&fluent).to_string().as_bytes());
                hashes.push(hasher.finish());
            }
        }
    }

    /// Marks a state as one of the reasoner.
    #[inline]
    pub(crate) fn sign(&self, _state: &mut State) {
        #[cfg(debug_assertions)]
        {
            let last = _state.last().map(|it| it.index());
            _state.stamp.last = last.and_then(|it| Some((it, *self.hashes.get(it)?)));
        }
    }

    /// Checks that a state is not one of a reasoner whose numbers stand for other fluents.
    ///
    /// # Errors
    /// [`ReasonerError::StateOfAnother`].
    #[inline]
    pub(crate) fn check(&self, _state: &State) -> Result<(), ReasonerError> {
        #[cfg(debug_assertions)]
        if let Some((last, hash)) = _state.stamp.last
            && self.hashes.get(last) != Some(&hash)
        {
            return Err(ReasonerError::StateOfAnother);
        }
        Ok(())
    }
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
