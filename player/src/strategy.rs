//! What chooses the moves of one role in one match.
//!
//! A [`Strategy`] is made for a description and a role. Whoever runs the match (the player behind the protocol, the game
//! master with a built-in opponent, the page with a board) calls [`prepare`](Strategy::prepare) once in the start clock, then in
//! turn [`choose`](Strategy::choose) and [`observe`](Strategy::observe). Moves and percepts are KIF text, as they
//! go over the wire; a strategy keeps its own state of the match.

mod followed;
mod simple;

use std::sync::{Arc, Mutex, PoisonError};
use web_time::Instant;

pub(crate) use followed::{Followed, LONG, Past};
use groundfrog::{GroundError, Stop};
use groundfrog_engine::EngineError;
use groundfrog_reasoner::open::SharedRules;
use groundfrog_reasoner::{OpenError, ReasonerError};
pub use simple::Sampler;

use crate::belief::Opponents;
use crate::follower::Follower;

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

/// What happened in one turn of a match, as far as a player learns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The moves of all roles, in the order of the roles, as KIF.
    Moves(Vec<String>),
    /// In GDL-II: the own move that counted, if that is reported, and what the role perceives, as KIF.
    Percepts {
        /// The move that was made for the role; `None` in the older form of the protocol, which does not tell.
        own: Option<String>,
        /// What the role perceives.
        percepts: Vec<String>,
    },
}

/// Why a strategy cannot go on.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StrategyError {
    /// The description cannot be played, not even by interpreting its rules.
    #[error("the game cannot be played: {0}")]
    Game(String),
    /// The description has no such role.
    #[error("the game has no role `{0}`")]
    Role(String),
    /// The role has no legal move, or the match is over.
    #[error("`{role}` has no legal move")]
    NoMove {
        /// The role.
        role: String,
    },
    /// What is reported cannot have happened.
    #[error("turn cannot be followed: {0}")]
    Turn(String),
    /// The rules could not be evaluated.
    #[error(transparent)]
    Reasoner(#[from] ReasonerError),
}

impl From<OpenError> for StrategyError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Evaluation(error) => error.into(),
            OpenError::Description(GroundError::Limit { exceeded, .. }) => {
                ReasonerError::from(EngineError::Limit(exceeded)).into()
            }
            fault => StrategyError::Game(fault.to_string()),
        }
    }
}

impl StrategyError {
    /// Whether time ran out, or a stop flag was raised.
    pub fn is_late(&self) -> bool {
        matches!(self, StrategyError::Reasoner(error) if error.is_late())
    }
}

/// A place where a strategy leaves the best move that it has found so far, each time that it chooses one. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct BestSoFar(Arc<Mutex<(u64, Option<Decision>)>>);

impl BestSoFar {
    /// Begins the choice of that number: what was left for others is forgotten.
    pub(crate) fn begin(&self, number: u64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = (number, None);
    }

    /// Leaves a decision, which takes the place of the one before.
    pub fn leave(&self, decision: Decision) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1 = Some(decision);
    }

    /// What was left in the choice of that number.
    pub(crate) fn of(&self, number: u64) -> Option<Decision> {
        let left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        left.1.clone().filter(|_| left.0 == number)
    }
}

/// What a strategy may use.
#[derive(Clone, Debug)]
pub struct StrategyOptions {
    /// Seed of what is drawn at random.
    pub seed: u64,
    /// How many threads may search; 0 takes all processors.
    pub threads: usize,
    /// Whether to go on searching when it is ready, and after an answer, until the next turn or the deadline: others may still prepare or choose.
    pub ponders: bool,
    /// How the other roles are assumed to play, where a role does not see what they do.
    pub opponents: Opponents,
    /// Bytes for ground rules and search together, if that is limited.
    pub memory: Option<u64>,
    /// Ways down the tree, or states, that a decision may take, so that it does not depend on the time: `None` lets the time alone decide.
    pub most: Option<u64>,
    /// Asked whether to stop: raised when the match is over while the strategy still works.
    pub stop: Option<Arc<dyn Stop>>,
    /// Who follows the match already and hears of each turn; a strategy without one follows it by itself.
    pub follower: Option<Follower>,
    /// Ground rules, shared with the other players of the match.
    pub rules: SharedRules,
}

impl Default for StrategyOptions {
    /// One thread, 2 GiB, an answer at once where there is no choice.
    fn default() -> Self {
        StrategyOptions {
            seed: 1,
            threads: 1,
            ponders: false,
            opponents: Opponents::default(),
            memory: Some(2 << 30),
            most: None,
            stop: None,
            follower: None,
            rules: SharedRules::default(),
        }
    }
}
