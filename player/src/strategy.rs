//! What chooses the moves of one role in one match.
//!
//! A [`Strategy`] is made for a description and a role. Whoever runs the match (the player behind the protocol, the game
//! master with a built-in opponent, the page with a board) calls [`prepare`](Strategy::prepare) once in the start clock, then in
//! turn [`choose`](Strategy::choose) and [`observe`](Strategy::observe). Moves and percepts are KIF text, as they
//! go over the wire; a strategy keeps its own state of the match.

mod best_so_far;
mod estimates;
mod followed;
mod options;
mod past;
mod random_moves;
mod sampler;
mod simple;

use std::sync::Arc;
use web_time::Instant;

use groundfrog::Stop;

pub use best_so_far::BestSoFar;
pub(crate) use followed::Followed;
pub use options::StrategyOptions;
pub(crate) use past::Past;
pub use random_moves::RandomMoves;
pub use sampler::Sampler;

pub use crate::error::StrategyError;
pub use crate::turn::Turn;

/// Chooses the moves of one role in one match.
pub trait Strategy: Send {
    /// Prepares for the match until the deadline at most; it may return earlier. Nothing else need be called before
    /// [`Strategy::choose`].
    ///
    /// # Errors
    /// The game cannot be played at all. What merely takes too long is no error: the strategy goes on with what it has.
    fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError>;

    /// A legal move of the own role in the state of the match, chosen before the deadline.
    ///
    /// # Errors
    /// The role has no legal move, or the rules could not be evaluated.
    fn choose(&mut self, deadline: Instant) -> Result<Decision, StrategyError>;

    /// Goes on to the next state.
    ///
    /// # Errors
    /// What happened cannot be: a move that nobody has, or the wrong number of moves. The state stays what it was. A strategy may find
    /// that out later, when it chooses.
    fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError>;

    /// Goes on thinking when it is ready, and after an answer, until a moment or until it is called: others may still prepare or choose. By
    /// default it does nothing.
    ///
    /// # Errors
    /// The rules could not be evaluated.
    fn ponder(&mut self, _until: Instant, _called: Arc<dyn Stop>) -> Result<(), StrategyError> {
        Ok(())
    }

    /// Is told where to leave the best move found so far while it chooses. By default it leaves none.
    fn leave_best_in(&mut self, _best: BestSoFar) {}
}

/// A move that was chosen, and what is known about it.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Decision {
    /// The move, as KIF.
    pub action: String,
    /// The method that chose it, such as `uct` or `alpha-beta`.
    pub method: String,
    /// The goal value that is expected for the own role, 0 to 100.
    pub value: Option<f64>,
    /// Whether the value is proven: both sides can do no better.
    pub proven: bool,
    /// States in the search tree or table.
    pub nodes: u64,
    /// Playouts since the last move.
    pub playouts: u64,
    /// Joint moves of the line that is thought best, from the state of the match, each as KIF in the order of the roles.
    pub line: Vec<Vec<String>>,
    /// For each legal move of the own role: its text, how often it was tried, and its mean value, most tried first.
    pub candidates: Vec<CandidateMove>,
    /// Bytes that the search holds.
    pub memory: u64,
    /// What the value is made of, where a tree was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<ValueParts>,
    /// What a player says besides its move, such as `(explanation "...")`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub explanation: String,
}

impl Decision {
    /// The method of who does not know in time what is legal: the move may not be.
    pub const GUESS: &str = "guess";

    /// Whether the move is a guess, for which whoever knows the legal moves may take another one.
    pub fn is_guess(&self) -> bool {
        self.method == Self::GUESS
    }
}

/// What the value of a move is made of, each for the own role, 0 to 100.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct ValueParts {
    /// The mean of playouts from the leaves below the move, and of the ends that were proven there.
    pub playouts: Option<f64>,
    /// Proven: at least.
    pub lower: f64,
    /// Proven: at most.
    pub upper: f64,
}

/// What a search knows about one move.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct CandidateMove {
    /// The move, as KIF.
    pub action: String,
    /// How often it was tried.
    pub visits: u64,
    /// Its mean goal value for the own role, or what is proven of it, 0 to 100; `None` if it was not tried.
    pub value: Option<f64>,
    /// Whether the value is proven, as a mean where chance chooses.
    pub proven: bool,
}
