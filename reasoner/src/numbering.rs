//! What the numbers of fluents stand for, so that builds with debug assertions find a state that was handed to the wrong
//! reasoner although its numbers fit.

#[cfg(debug_assertions)]
use std::{hash::Hasher, sync::Arc};

use super::{ReasonerError, State};
use groundfrog::description::Term;
use groundfrog::game::GroundGame;
use groundfrog::symbols::Symbols;

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
pub(crate) struct Stamp {
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
