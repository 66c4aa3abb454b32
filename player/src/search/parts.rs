//! What the search does beyond plain UCT.

/// What the search does beyond plain UCT. Each part can be left out, to measure what it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchParts {
    /// A state that is met for the first time is looked at one move ahead: ends are proven at once (decisive moves).
    pub look_ahead: bool,
    /// A way that has come to what is proven and would be avoided goes on with another move, so that means are of moves that may be made.
    pub avoidance: bool,
    /// Moves that were not tried are worth what the others are (first-play urgency), so that not all need be tried first.
    pub urgency: bool,
    /// Playouts in which a move was made later count for the move too (all moves as first), the less the more it was tried itself.
    pub amaf: bool,
    /// Playouts make moves more often that did well in playouts (move-average sampling).
    pub preferences: bool,
    /// The leaves are worth in part what was learned of their fluents in the start clock.
    pub learned: bool,
    /// How much a move that was tried less is preferred, for goals from 0 to 1.
    pub exploration: f64,
}

impl Default for SearchParts {
    /// All of them.
    fn default() -> Self {
        SearchParts {
            look_ahead: true,
            avoidance: true,
            urgency: true,
            amaf: true,
            preferences: true,
            learned: true,
            exploration: 0.2,
        }
    }
}

impl SearchParts {
    /// None of them: plain UCT.
    pub fn none() -> Self {
        SearchParts {
            look_ahead: false,
            avoidance: false,
            urgency: false,
            amaf: false,
            preferences: false,
            learned: false,
            exploration: 0.4,
        }
    }

    /// Whether it matters which moves playouts make.
    pub(super) fn notes_moves(&self) -> bool {
        self.amaf || self.preferences
    }
}
