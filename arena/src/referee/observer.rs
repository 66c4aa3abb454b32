//! Looking on.

use std::time::Duration;

use crate::fault::Fault;
use crate::record::MatchRecord;
use groundfrog_player::strategy::Decision;

/// Looks on while a match is run. Every method does nothing by default. It is called between turns, so it should be quick.
pub trait MatchObserver {
    /// All players have been started; by role, what went wrong.
    fn started(&mut self, _faults: &[Option<Fault>]) {}

    /// A state has been reached: the record of the match so far.
    fn recorded(&mut self, _record: &MatchRecord) {}

    /// A state has been reached, and players are about to choose their moves, unless it is terminal.
    fn position(&mut self, _position: &PositionReport) {}

    /// A joint move has been made.
    fn turn(&mut self, _turn: &TurnReport) {}

    /// The match is over.
    fn ended(&mut self, _record: &MatchRecord) {}
}

impl MatchObserver for groundfrog::Silent {}

pub use groundfrog_player::position::MOST_LISTED;

/// A state of a match.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct PositionReport {
    /// Joint moves made so far.
    pub turn: u32,
    /// All roles, in the order of the description.
    pub roles: Vec<String>,
    /// The fluents as KIF, sorted.
    pub state: Vec<String>,
    /// The legal moves by role, as KIF: no more than [`MOST_LISTED`] of them.
    pub legal: Vec<Vec<String>>,
    /// Whether the match is over.
    pub terminal: bool,
    /// The goal values by role.
    pub goals: Vec<Vec<i64>>,
}

/// A joint move that was made.
#[derive(Clone, Debug)]
pub struct TurnReport {
    /// Joint moves made before it.
    pub turn: u32,
    /// By role: the move.
    pub moves: Vec<String>,
    /// By role: what the player reported and did.
    pub seats: Vec<SeatReport>,
    /// By role, in GDL-II: what it sees.
    pub percepts: Vec<Vec<String>>,
    /// Time that the game master took for the turn besides waiting for players.
    pub overhead: Duration,
}

/// A player's part in a joint move.
#[derive(Clone, Debug, Default)]
pub struct SeatReport {
    /// What a built-in player knows about the move; others tell the move only. `None` for the role `random` and where there was no answer.
    pub decision: Option<Decision>,
    /// Why the answer does not count, if it does not.
    pub fault: Option<Fault>,
    /// How long the answer took.
    pub time: Duration,
}

impl SeatReport {
    /// Of a move that was known before.
    pub(super) fn known(action: &str) -> Self {
        let decision = Decision { action: action.to_owned(), ..Decision::default() };
        SeatReport { decision: Some(decision), ..SeatReport::default() }
    }
}
