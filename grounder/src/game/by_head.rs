//! The rules of each atom.

use groundfrog_engine::rows::Rows;

use super::{AtomId, GroundGame};

/// The rules of a [`GroundGame`], found by their heads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesByHead {
    rules: Rows<u32>,
}

impl RulesByHead {
    /// Sorts the rules of a game by their heads, in linear time.
    pub fn new(game: &GroundGame) -> Self {
        RulesByHead { rules: game.rules().by_head(game.atom_count(), |_| true) }
    }

    /// The numbers of the rules with a head, ascending, for [`RuleStore::rule`](super::RuleStore::rule).
    ///
    /// # Panics
    /// If the atom is not one of the game.
    #[inline]
    pub fn rules(&self, head: AtomId) -> &[u32] {
        self.rules.row(head.index())
    }

    /// Whether an atom is the head of a rule.
    pub fn has_rules(&self, head: AtomId) -> bool {
        !self.rules(head).is_empty()
    }
}
