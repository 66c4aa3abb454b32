//! What atoms say about moves.

use super::grouping::Grouping;
use crate::game::Moves;

/// What atoms say about moves: which of some is made.
#[derive(Clone, Copy)]
pub(super) struct Meanings<'run> {
    pub(super) moves: &'run Moves,
    pub(super) grouping: &'run Grouping,
}

impl Meanings<'_> {
    /// The moves of which an atom says that one is made: itself, or all that the rules of a view have as their body.
    #[inline]
    pub(super) fn of<'it>(&'it self, atom: &'it u32) -> &'it [u32] {
        if self.moves.contain(*atom) {
            std::slice::from_ref(atom)
        } else {
            self.grouping.atoms_alone(*atom)
        }
    }

    /// How many rules go if a rule with this atom does: itself, and its share of those of a view.
    pub(super) fn weight(&self, atom: u32) -> f64 {
        if self.moves.contain(atom) {
            return 1.0;
        }
        let uses = self.grouping.uses[atom as usize];
        1.0 + self.of(&atom).len() as f64 / f64::from(uses)
    }
}
