//! Looking on, also by a record that grows.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};
use web_time::Instant;

use groundfrog_player::strategy::Decision;

use crate::Fault;
use crate::record::{MatchRecord, files};

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

/// How often the file is written at most: who looks on is in no hurry, the match may be.
const INTERVAL: Duration = Duration::from_millis(300);

/// Keeps a file with the record of a match while it is under way, so that others can look on. Each time all of it is replaced in one
/// step. What cannot be written is left out: looking on is not to disturb the match.
#[derive(Debug)]
pub struct LiveRecord {
    path: PathBuf,
    written: Option<Instant>,
    /// Whether the file is left there in the end.
    is_kept: bool,
}

impl LiveRecord {
    /// Keeps it in a folder that is there, under the name of the match, and removes it when this is dropped: the record of
    /// a match that is over is elsewhere.
    pub fn new(folder: &Path, id: &str) -> Self {
        let name: String = id
            .chars()
            .map(|it| if it.is_alphanumeric() || ".-_".contains(it) { it } else { '_' })
            .collect();
        let path = folder.join(format!("{name}.json"));
        LiveRecord { path, written: None, is_kept: false }
    }

    /// Keeps it in a file, which is left there.
    pub fn at(path: PathBuf) -> Self {
        LiveRecord { path, written: None, is_kept: true }
    }

    /// Writes all of it or nothing.
    fn write(&self, record: &MatchRecord) -> io::Result<()> {
        files::replace(&self.path, record.to_json().as_bytes())
    }
}

impl MatchObserver for LiveRecord {
    fn recorded(&mut self, record: &MatchRecord) {
        if self.written.is_some_and(|it| it.elapsed() < INTERVAL) {
            return;
        }
        self.written = Some(Instant::now());
        let _ = self.write(record);
    }
}

impl Drop for LiveRecord {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = fs::remove_file(&self.path);
        }
    }
}
