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
    /// Leaves are worth what a network over the fluents tells, which is learned in the start clock.
    pub learned: bool,
    /// Whether that network has a hidden layer.
    pub hidden: bool,
    /// How much of the worth of a move is its minimax value instead of the mean (implicit minimax backups).
    pub minimax: f64,
    /// How much of an error is made good at once when values are learned from a search; 0 if they are not.
    pub relearn: f64,
    /// How much of the worth of a leaf comes from playouts where values are learned.
    pub playouts: f64,
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
            learned: true,
            hidden: true,
            minimax: 0.3,
            relearn: 0.0,
            playouts: 0.0,
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
            learned: false,
            hidden: false,
            minimax: 0.0,
            relearn: 0.0,
            playouts: 1.0,
            exploration: 0.4,
        }
    }
}
