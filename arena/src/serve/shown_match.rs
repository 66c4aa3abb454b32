//! A match as it is shown.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Duration;
use web_time::Instant;

use groundfrog_player::memory::PLAYER_MEMORY;
use groundfrog_reasoner::open::SharedRules;
use serde::Serialize;
use tokio::sync::watch;

use super::advice::Knowing;
use super::answer::MatchRequest;
use super::answer::Refusal;
use super::game::OpenGame;
use super::lock;
use crate::Fault;
use crate::record::MatchRecord;
use crate::referee::{MatchObserver, PersonMoves, PositionReport, TurnReport};

/// How far a match has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    /// Players prepare.
    Preparing,
    /// Moves are made.
    Running,
    /// The last state is terminal.
    Completed,
    /// It was given up.
    Aborted,
    /// The rules have no answer, or this program has an error.
    Failed,
}

impl Status {
    pub(super) fn is_over(self) -> bool {
        !matches!(self, Status::Preparing | Status::Running)
    }
}

/// Who plays a role.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ShownSeat {
    pub(super) role: String,
    pub(super) name: String,
    /// `person`, `built_in`, `remote`, `chance`, or `recorded` where only a record tells.
    pub(super) kind: &'static str,
}

/// Bytes that a match with these seats takes before it has begun: its own threads and those of built-in players.
pub(super) fn least_memory(seats: &[ShownSeat]) -> u64 {
    let built_in = seats.iter().filter(|it| it.kind == "built_in").count() as u64;
    (1 + built_in) * PLAYER_MEMORY
}

/// Seconds of a match.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct ShownClocks {
    pub(super) start: f64,
    pub(super) play: f64,
    /// Of persons, if that is limited.
    pub(super) person: Option<f64>,
}

/// What has happened in a match.
pub(super) struct MatchLog {
    pub(super) status: Status,
    /// Why it failed or was given up.
    pub(super) trouble: Option<String>,
    pub(super) positions: Vec<PositionReport>,
    pub(super) turns: Vec<TurnReport>,
    /// By role: whether the person's move of this turn is known.
    pub(super) chosen: Vec<bool>,
    /// By role: what went wrong at START.
    pub(super) start_faults: Vec<Option<String>>,
    pub(super) record: Option<MatchRecord>,
    /// The match that it goes on as, after something was taken back.
    pub(super) goes_on_as: Option<String>,
}

impl MatchLog {
    pub(super) fn new(status: Status) -> Self {
        MatchLog {
            status,
            trouble: None,
            positions: Vec::new(),
            turns: Vec::new(),
            chosen: Vec::new(),
            start_faults: Vec::new(),
            record: None,
            goes_on_as: None,
        }
    }
}

/// What a match that is run here was begun with.
pub(super) struct Played {
    /// Where persons' moves come in, by role.
    pub(super) persons: Vec<Option<PersonMoves>>,
    pub(super) request: MatchRequest,
    /// The rules as its built-in players share them.
    pub(super) rules: SharedRules,
}

/// A match as it is shown: one that is run here, or the record of one.
pub(super) struct ShownMatch {
    pub(super) id: String,
    pub(super) title: String,
    /// When it was begun: milliseconds since 1970.
    pub(super) started: u64,
    pub(super) clocks: ShownClocks,
    pub(super) seats: Vec<ShownSeat>,
    /// The game; that of a record is opened when the match is looked at, if it is known.
    pub(super) game: OnceLock<Option<Arc<OpenGame>>>,
    /// Raised to abort it.
    pub(super) stop: Arc<AtomicBool>,
    /// What there is of a match that is run here; `None` for a record.
    pub(super) played: Option<Played>,
    log: Mutex<MatchLog>,
    /// What persons' roles know, where states are hidden.
    pub(super) knowing: Mutex<BTreeMap<usize, Knowing>>,
    /// When somebody looked at it last.
    seen: Mutex<Instant>,
    pub(super) version: watch::Sender<u64>,
    /// The version of the list of all matches.
    all: watch::Sender<u64>,
}

impl ShownMatch {
    pub(super) fn new(
        (id, title, started): (String, String, u64),
        clocks: ShownClocks,
        seats: Vec<ShownSeat>,
        played: Option<(Played, Arc<AtomicBool>)>,
        all: &watch::Sender<u64>,
    ) -> Self {
        let (played, stop) = played.map_or_else(Default::default, |(it, stop)| (Some(it), stop));
        ShownMatch {
            id,
            title,
            started,
            clocks,
            seats,
            game: OnceLock::new(),
            stop,
            played,
            log: Mutex::new(MatchLog::new(Status::Preparing)),
            knowing: Mutex::default(),
            seen: Mutex::new(Instant::now()),
            version: watch::Sender::new(1),
            all: all.clone(),
        }
    }

    pub(super) fn log(&self) -> MutexGuard<'_, MatchLog> {
        lock(&self.log)
    }

    /// Notes that somebody looks at it.
    pub(super) fn see(&self) {
        *lock(&self.seen) = Instant::now();
    }

    /// For how long nobody has looked at it; not at all while a page waits for what is new.
    pub(super) fn unseen(&self) -> Duration {
        match self.version.receiver_count() {
            0 => lock(&self.seen).elapsed(),
            _ => Duration::ZERO,
        }
    }

    /// Whether it is played now.
    pub(super) fn is_running(&self) -> bool {
        !self.is_record() && !self.stop.load(Ordering::Relaxed) && !self.log().status.is_over()
    }

    /// Bytes that its players take before they have begun, and the match itself.
    pub(super) fn least_memory(&self) -> u64 {
        least_memory(&self.seats)
    }

    /// Gives it up for want of something.
    pub(super) fn give_way(&self, trouble: String) {
        self.change(|it| it.trouble = Some(trouble));
        self.abort();
    }

    /// The game, if it is open.
    pub(super) fn game(&self) -> Option<&Arc<OpenGame>> {
        self.game.get().and_then(Option::as_ref)
    }

    /// Whether only a record tells of it.
    pub(super) fn is_record(&self) -> bool {
        self.played.is_none()
    }

    /// Where a person's moves come in, if the role is a person's.
    fn person(&self, role: usize) -> Option<&PersonMoves> {
        self.played.as_ref()?.persons.get(role)?.as_ref()
    }

    /// The names of the roles: the game's, if it is known.
    pub(super) fn roles(&self) -> Vec<String> {
        match self.game() {
            Some(game) => game.roles.clone(),
            None => self.seats.iter().map(|it| it.role.clone()).collect(),
        }
    }

    /// Changes what is known, and tells who waits.
    pub(super) fn change(&self, change: impl FnOnce(&mut MatchLog)) {
        change(&mut self.log());
        self.version.send_modify(|it| *it += 1);
        self.all.send_modify(|it| *it += 1);
    }

    /// Whether the state is hidden: persons play with percepts only.
    pub(super) fn is_hidden(&self, log: &MatchLog) -> bool {
        let imperfect = self.game().is_some_and(|it| it.imperfect);
        imperfect
            && !log.status.is_over()
            && self.played.iter().flat_map(|it| &it.persons).any(Option::is_some)
    }

    /// Whether a role that is known by its number is shown: all are, unless the state is hidden; then only a person's through whose eyes
    /// the match is seen.
    pub(super) fn sight(
        &self,
        log: &MatchLog,
        viewer: Option<&str>,
    ) -> impl Fn(usize) -> bool + use<> {
        let hidden = self.is_hidden(log);
        let seat = self.seat(viewer);
        move |role| !hidden || Some(role) == seat
    }

    /// The seat of a person through whose eyes the match is seen.
    fn seat(&self, viewer: Option<&str>) -> Option<usize> {
        let seat = viewer.and_then(|viewer| self.roles().iter().position(|it| it == viewer));
        seat.filter(|&it| self.person(it).is_some())
    }

    /// The same, where states are hidden.
    pub(super) fn hidden_seat(&self, viewer: Option<&str>) -> Option<usize> {
        self.seat(viewer).filter(|_| self.is_hidden(&self.log()))
    }

    /// A person's move.
    pub(super) fn make(&self, role: &str, turn: u32, action: &str) -> Result<(), Refusal> {
        let mut log = self.log();
        if log.status.is_over() {
            return Err(Refusal::conflict("the match is over"));
        }
        let seat = self.seats.iter().position(|it| it.role == role);
        let seat = seat.ok_or_else(|| Refusal::fault(format!("there is no role `{role}`")))?;
        let Some(person) = self.person(seat) else {
            return Err(Refusal::conflict(format!("`{role}` is not played by a person")));
        };
        let position = log.positions.last().filter(|it| it.turn == turn && !it.terminal);
        let Some(position) = position else {
            return Err(Refusal::conflict("the match is in another turn"));
        };
        let action = groundfrog_player::text::compact(action).unwrap_or_default();
        if !position.legal[seat].contains(&action) {
            return Err(Refusal::fault(format!("`{action}` is not legal for `{role}` here")));
        }
        if log.chosen.get(seat).copied().unwrap_or(true) {
            return Err(Refusal::conflict(format!("`{role}` has already chosen in this turn")));
        }
        if !person.make(turn, &action) {
            return Err(Refusal::conflict("the match is over"));
        }
        log.chosen[seat] = true;
        drop(log);
        self.change(|_| {});
        Ok(())
    }

    /// Makes the only legal move of a person while others have a choice, unless it is on a board: who waits need not say so.
    fn makes_by_itself(&self, role: usize, position: &PositionReport) -> bool {
        let Some(person) = self.person(role) else { return false };
        let [only] = &position.legal[role][..] else { return false };
        if position.legal.iter().all(|it| it.len() < 2) {
            return false;
        }
        let is_on_board = self.game().is_some_and(|it| it.is_on_board(role, only));
        !is_on_board && person.make(position.turn, only)
    }

    /// Gives it up.
    pub(super) fn abort(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Notes the end by a failure, unless that came of giving the match up. What failed before it began has no record.
    pub(super) fn fail(&self, trouble: String) {
        let given_up = self.stop.load(Ordering::Relaxed);
        self.change(|log| match given_up {
            true => log.status = Status::Aborted,
            false => {
                log.status = Status::Failed;
                log.trouble = Some(trouble);
            }
        });
    }
}

/// Notes what happens in a match.
pub(super) struct Observing(pub(super) Arc<ShownMatch>);

impl MatchObserver for Observing {
    fn started(&mut self, faults: &[Option<Fault>]) {
        let reasons = faults.iter().map(|it| it.as_ref().map(Fault::reason)).collect();
        self.0.change(|log| log.start_faults = reasons);
    }

    fn position(&mut self, position: &PositionReport) {
        let shown = &self.0;
        let chosen: Vec<bool> = (0..position.roles.len())
            .map(|role| !position.terminal && shown.makes_by_itself(role, position))
            .collect();
        shown.change(|log| {
            log.status = Status::Running;
            log.chosen = chosen;
            log.positions.push(position.clone());
        });
    }

    fn turn(&mut self, turn: &TurnReport) {
        // The position that follows at once tells who waits.
        self.0.log().turns.push(turn.clone());
    }

    fn ended(&mut self, record: &MatchRecord) {
        self.0.change(|log| {
            log.status = if record.is_completed { Status::Completed } else { Status::Aborted };
            log.record = Some(record.clone());
        });
    }
}
