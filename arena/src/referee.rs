//! The game master: runs a match between players.
//!
//! It has the semantics of the field's reference server: all players get the request at once and have their clocks; an answer that is late, broken or
//! illegal gives way to a random legal move and is noted in the record; the role `random` is played by the game master.

mod run;
mod seat;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use std::{fs, io};

use groundfrog::{Description, Silent};
use groundfrog_check::verify::replay;
use groundfrog_player::memory::ProcessMemory;
use groundfrog_player::protocol::ClientError;
use groundfrog_player::strategy::{Decision, StrategyError};
use groundfrog_reasoner::Machine;
use groundfrog_reasoner::open::is_imperfect;
use web_time::Instant;

use crate::Fault;
use crate::record::{MatchRecord, files};

pub use groundfrog_player::position::MOST_LISTED;
pub(crate) use seat::Scrambler;
pub use seat::{Person, PersonMoves, Seat, SeatPlayer, person};

/// How many players a match may have.
pub const MOST_PLAYERS: usize = 64;

/// The form of PLAY and STOP in games with percepts (GDL-II).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PerceptForm {
    /// `(PLAY id turn lastmove (percepts))`.
    #[default]
    Newer,
    /// `(PLAY id (percepts))`.
    Older,
}

/// How a match is run.
#[derive(Clone, Debug)]
pub struct MatchOptions {
    /// The name of the match, a word of KIF.
    pub id: String,
    /// Where the game comes from, for the record.
    pub game: String,
    /// The tournament, for the record; may be empty.
    pub tournament: String,
    /// Time to prepare.
    pub start_clock: Duration,
    /// Time for a move.
    pub play_clock: Duration,
    /// How much later than the play clock an answer over HTTP may come.
    pub grace: Duration,
    /// Time of a PREVIEW that is sent before START, if one is.
    pub preview_clock: Option<Duration>,
    /// Seed of random moves and scrambled names.
    pub seed: u64,
    /// Joint moves after which the match is given up.
    pub max_turns: u32,
    /// Whether players over HTTP are sent other names than those of the description.
    pub scramble: bool,
    /// What PLAY and STOP look like in games with percepts.
    pub percept_form: PerceptForm,
    /// Joint moves that the match begins with, as KIF in the order of the roles: nobody is asked for these. Players over HTTP know of
    /// no such thing.
    pub history: Vec<Vec<String>>,
    /// Whether what players over HTTP answered is kept out of reports and records where it is no move: only that it is none, or its status.
    pub conceals_answers: bool,
    /// Raised to abort the match.
    pub stop: Arc<AtomicBool>,
    /// The memory of the process: while it is short, a match ends that has much to remember.
    pub process: Arc<ProcessMemory>,
}

impl Default for MatchOptions {
    /// 30 seconds to prepare, 15 seconds a move.
    fn default() -> Self {
        MatchOptions {
            id: "match.1".to_owned(),
            game: String::new(),
            tournament: String::new(),
            start_clock: Duration::from_secs(30),
            play_clock: Duration::from_secs(15),
            grace: Duration::from_secs(1),
            preview_clock: None,
            seed: 1,
            max_turns: 10_000,
            scramble: false,
            percept_form: PerceptForm::default(),
            history: Vec::new(),
            conceals_answers: false,
            stop: Arc::default(),
            process: ProcessMemory::unlimited(),
        }
    }
}

/// Why there is no match.
#[derive(Debug, thiserror::Error)]
pub enum RefereeError {
    /// There is not one player for each role.
    #[error("{given} players for {needed} roles: {roles}")]
    Seats {
        /// How many players there are.
        given: usize,
        /// How many are needed.
        needed: usize,
        /// The roles that need one.
        roles: String,
    },
    /// There are too many players: each needs a thread.
    #[error("the game has {needed} roles that need a player: {MOST_PLAYERS} are allowed")]
    TooMany {
        /// How many are needed.
        needed: usize,
    },
    /// The address of a player is none.
    #[error("player `{name}`: {cause}")]
    Address {
        /// The player.
        name: String,
        /// What is wrong.
        cause: ClientError,
    },
    /// The game is not playable: a role without a legal move, or rules that cannot be evaluated.
    #[error(transparent)]
    Game(#[from] StrategyError),
    /// The game is too large for a match: its roles, a state, or what a role sees cannot be written down.
    #[error("{count} {what}: a match can have {most} at most")]
    TooLarge {
        /// How many there are.
        count: usize,
        /// Of what.
        what: &'static str,
        /// How many are allowed.
        most: usize,
    },
    /// The system gives no more threads.
    #[error("no thread for a player: {0}")]
    Thread(std::io::Error),
}

/// Runs matches of one game.
pub struct Referee {
    description: Arc<Description>,
    machine: Machine,
    imperfect: bool,
}

impl Referee {
    /// For a game, of which `machine` tells.
    pub fn new(description: Arc<Description>, machine: Machine) -> Self {
        let imperfect = is_imperfect(&description);
        Referee { description, machine, imperfect }
    }

    /// The roles that need a player, in the order of the description: all but `random`.
    pub fn roles(&self) -> Vec<String> {
        let names = self.all_roles().into_iter();
        names.filter(|it| !is_random(it)).collect()
    }

    /// All roles, in the order of the description.
    pub fn all_roles(&self) -> Vec<String> {
        self.machine.role_ids().map(|it| self.machine.role_text(it)).collect()
    }

    /// What in the record of a match cannot be by the rules: states, moves, the end or goals. Where the rules have no answer, as when
    /// all is to stop, they contradict nothing.
    pub(crate) fn contradiction(&mut self, record: &MatchRecord) -> Option<String> {
        let trace = match record.trace(&self.all_roles()) {
            Ok(trace) => trace,
            Err(error) => return Some(error.to_string()),
        };
        let found = replay(&mut *self.machine, &trace, None, &mut Silent).ok()?.difference?;
        Some(match found.expected {
            true => format!("`{}` is recorded, and does not hold by the rules", found.atom),
            false => format!("`{}` holds by the rules, and is not recorded", found.atom),
        })
    }

    /// Runs a match. There is a seat for each of [`Referee::roles`]. What players do wrong is in the record and is no error.
    ///
    /// # Errors
    /// The match cannot begin, or the rules have no answer in some state.
    pub fn run(
        &mut self,
        seats: Vec<Seat>,
        options: &MatchOptions,
        observer: &mut dyn MatchObserver,
    ) -> Result<MatchRecord, RefereeError> {
        run::run(self, seats, options, observer)
    }
}

/// Whether the game master plays a role: it is called `random`.
pub fn is_random(role: &str) -> bool {
    role.eq_ignore_ascii_case("random")
}

// Looking on, also by a record that grows.

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
    fn known(action: &str) -> Self {
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
