//! Where a role has chosen in a match, so that it notices when play has come back.

use std::hash::BuildHasher;

use fxhash::FxBuildHasher;

use crate::position::Position;

/// Moves that were chosen, and where.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    /// Joint moves made so far.
    turn: u32,
    /// When, in which state, by the hash of its text, and what.
    chosen: Vec<(u32, u64, String)>,
    has_come_back: bool,
}

impl Past {
    /// Goes on to the next turn.
    pub(crate) fn go_on(&mut self) {
        self.turn += 1;
    }

    /// The moves that were chosen in the state of a position in earlier turns.
    pub(crate) fn chosen(&self, position: &mut Position) -> Vec<&str> {
        let Some(key) = key(position) else { return Vec::new() };
        let same = self.chosen.iter().filter(|it| it.0 < self.turn && it.1 == key);
        same.map(|it| it.2.as_str()).collect()
    }

    /// Whether play has come back to a state in which the role has chosen, now or before.
    pub(crate) fn has_come_back(&mut self, position: &mut Position) -> bool {
        self.has_come_back |= !self.chosen(position).is_empty();
        self.has_come_back
    }

    /// Notes what is chosen now.
    pub(crate) fn note(&mut self, position: &mut Position, action: &str) {
        self.chosen.retain(|it| it.0 < self.turn);
        if let Some(key) = key(position) {
            self.chosen.push((self.turn, key, action.to_owned()));
        }
    }
}

/// Fluents have other numbers once the rules are ground, but the same texts.
fn key(position: &mut Position) -> Option<u64> {
    let state = position.state().clone();
    let text = position.machine().state_text(&state);
    text.ok().map(|it| FxBuildHasher.hash_one(it))
}
