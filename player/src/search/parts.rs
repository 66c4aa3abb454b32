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
    /// In lanes, whoever can end a match at once with the best goal does so (decisive moves).
    pub decisive: bool,
    /// In lanes, whoever cannot do that keeps others from doing it next (anti-decisive moves).
    pub blocking: bool,
    /// A move whose state was met by other moves as well is worth what all of them found.
    pub shared: bool,
    /// `auto` asks what is known of the game: whose turn it is, whether goals have one sum, what stands on boards. Without it `auto` plays by `uct`.
    pub knowledge: bool,
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
            decisive: true,
            blocking: true,
            shared: true,
            knowledge: true,
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
            decisive: false,
            blocking: false,
            shared: false,
            knowledge: false,
            exploration: 0.4,
        }
    }
}
