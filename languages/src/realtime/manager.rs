//! The manager of matches by the clock.
//!
//! Messages are [lines](crate::lines). A player says `(join NAME)` or `(join NAME ROLE)` and gets `(start ID ROLE (RULES) START-CLOCK
//! MODEL)`; it answers `(ready)`. With `(go)` the game's time begins. From then on a player may say `(move TIME MOVE)`, with the time of its
//! own clock, and gets `(received TIME TIME)`, with that time and the one that the move was received at; what happens is told as
//! `(event TIME ((ROLE MOVE) ...) (EXPIRED ...))`, in games with percepts as `(sees TIME (PERCEPT ...))`, and the end as `(stop TIME
//! ((ROLE GOAL) ...))`. Times are seconds.

use std::time::{Duration, Instant};

use num_bigint::BigInt;

use super::simulate::role_names;
use super::{RealTimeError, Timeline};
use crate::lines::{Arrival, Hub, Received};
use crate::number::{self, Number};
use crate::rules::{ground_term, list, term_text};

/// How long nothing is looked at but what comes.
const INTERVAL: Duration = Duration::from_millis(50);
/// A player may send so many moves that wait for the end of a slot.
const MOST_WAITING: usize = 10_000;

/// What players are told, and when (the four execution models of Kowalski & Kisielewicz 2016, section 3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExecutionModel {
    /// Every event is told, with its time.
    Events,
    /// Only moves are told; what expires is for the players' own clocks.
    Moves,
    /// Time is in slots of so many seconds: moves are made, and events told, at their ends only.
    Slots(Number),
    /// Every event is told, and the game's time stands still while the manager computes.
    Stopped,
}

impl ExecutionModel {
    /// As it stands in `start`.
    fn text(&self) -> String {
        match self {
            ExecutionModel::Events => "events".to_owned(),
            ExecutionModel::Moves => "moves".to_owned(),
            ExecutionModel::Slots(length) => format!("(slots {})", number::text(length)),
            ExecutionModel::Stopped => "stopped".to_owned(),
        }
    }
}

/// How a match is run.
#[derive(Clone, Debug)]
pub struct ManagerOptions {
    /// The name of the match.
    pub id: String,
    /// What players are told, and when.
    pub model: ExecutionModel,
    /// How long players are waited for to join.
    pub join: Duration,
    /// How long players have to prepare; when all are ready it begins earlier.
    pub start_clock: Duration,
    /// The match is ended at this time.
    pub until: Number,
}

/// How a match went.
#[derive(Clone, Debug, Default)]
pub struct MatchReport {
    /// By role: its name, and its goal values at the end.
    pub goals: Vec<(String, Vec<i64>)>,
    /// Whether it came to an end by its rules.
    pub is_over: bool,
    /// By event that came by itself: how long after its time it was computed.
    pub lateness: Vec<Duration>,
    /// Moves that were received.
    pub moves: usize,
    /// Lines that could not be understood.
    pub refused: usize,
}

impl MatchReport {
    /// The lateness that so many of a hundred do not exceed.
    pub fn lateness_at(&self, percent: usize) -> Option<Duration> {
        let mut sorted = self.lateness.clone();
        sorted.sort_unstable();
        let place = (sorted.len() * percent).div_ceil(100).max(1) - 1;
        sorted.get(place).copied()
    }
}

/// The time of a match, which can be stopped.
#[derive(Debug)]
struct GameClock {
    start: Instant,
    stopped: Duration,
    since: Option<Instant>,
}

impl GameClock {
    fn begin() -> Self {
        GameClock { start: Instant::now(), stopped: Duration::ZERO, since: None }
    }

    /// The game's time at an instant.
    fn at(&self, instant: Instant) -> Number {
        let instant = self.since.map_or(instant, |since| since.min(instant));
        let elapsed = instant.saturating_duration_since(self.start);
        number::of_duration(elapsed.saturating_sub(self.stopped))
    }

    /// How long it is from now until a time of the game.
    fn until(&self, time: &Number) -> Duration {
        number::to_duration(&(time - self.at(Instant::now())))
    }

    fn stop(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    fn go_on(&mut self) {
        if let Some(since) = self.since.take() {
            self.stopped += since.elapsed();
        }
    }
}

/// A match under way.
pub struct Manager<'m> {
    hub: &'m Hub,
    timeline: Timeline,
    options: ManagerOptions,
    names: Vec<String>,
    /// By role: the connection of its player.
    peers: Vec<Option<usize>>,
    ready: Vec<bool>,
    /// By role: when its last move was received.
    latest: Vec<Option<Number>>,
    /// How many events have been told.
    told: usize,
    /// Moves that wait for the end of a slot.
    waiting: Vec<(usize, groundfrog::Term)>,
    report: MatchReport,
}

impl<'m> Manager<'m> {
    /// A match whose players come over a hub.
    pub fn new(hub: &'m Hub, mut timeline: Timeline, options: ManagerOptions) -> Self {
        let names = role_names(timeline.reasoner());
        let seats = names.len();
        Manager {
            hub,
            timeline,
            options,
            names,
            peers: vec![None; seats],
            ready: vec![false; seats],
            latest: vec![None; seats],
            told: 1,
            waiting: Vec::new(),
            report: MatchReport::default(),
        }
    }

    /// Waits for the players, runs the match and tells each event as a line of text. `rules` is the description on one line.
    ///
    /// # Errors
    /// The rules cannot be evaluated.
    pub fn run(
        mut self,
        rules: &str,
        is_stopped: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(&str),
    ) -> Result<MatchReport, RealTimeError> {
        let deadline = Instant::now() + self.options.join;
        while !self.is_seated() && Instant::now() < deadline && !is_stopped() {
            if let Some(received) = self.hub.receive(INTERVAL) {
                self.seat(&received, rules);
            }
        }
        let deadline = Instant::now() + self.options.start_clock;
        while !self.is_ready() && Instant::now() < deadline && !is_stopped() {
            let left = deadline.saturating_duration_since(Instant::now()).min(INTERVAL);
            if let Some(received) = self.hub.receive(left) {
                self.note_ready(&received);
            }
        }
        self.to_all("(go)");
        let clock = GameClock::begin();
        self.play(clock, is_stopped, tell)?;
        Ok(self.end())
    }

    fn seats(&self) -> impl Iterator<Item = usize> {
        let random = self.timeline.random();
        (0..self.names.len()).filter(move |it| Some(*it) != random)
    }

    fn is_seated(&self) -> bool {
        self.seats().all(|it| self.peers[it].is_some())
    }

    fn is_ready(&self) -> bool {
        self.seats().all(|it| self.ready[it] || self.peers[it].is_none())
    }

    fn to_all(&self, line: &str) {
        self.peers.iter().flatten().for_each(|&peer| self.hub.send(peer, line));
    }

    fn seat(&mut self, received: &Received, rules: &str) {
        let peer = received.peer;
        match &received.arrival {
            Arrival::Closed => self.leave(peer),
            Arrival::Line(line) => {
                let parts = list(line).unwrap_or_default();
                let wanted = match parts[..] {
                    ["join", _] => self.seats().find(|it| self.peers[*it].is_none()),
                    ["join", _, role] => {
                        self.seats().find(|it| self.names[*it] == role && self.peers[*it].is_none())
                    }
                    _ => return self.note_ready(received),
                };
                let is_new = !self.peers.contains(&Some(peer));
                let Some(role) = wanted.filter(|_| is_new && self.hub.join(peer)) else {
                    self.hub.send(peer, "(refused)");
                    return;
                };
                self.peers[role] = Some(peer);
                let ManagerOptions { id, model, start_clock, .. } = &self.options;
                let line = format!(
                    "(start {id} {} ({rules}) {} {})",
                    self.names[role],
                    number::text(&number::of_duration(*start_clock)),
                    model.text()
                );
                self.hub.send(peer, &line);
            }
        }
    }

    fn leave(&mut self, peer: usize) {
        self.peers.iter_mut().filter(|it| **it == Some(peer)).for_each(|it| *it = None);
    }

    fn role_of(&self, peer: usize) -> Option<usize> {
        self.peers.iter().position(|it| *it == Some(peer))
    }

    fn note_ready(&mut self, received: &Received) {
        match (&received.arrival, self.role_of(received.peer)) {
            (Arrival::Line(line), Some(role)) if line == "(ready)" => self.ready[role] = true,
            (Arrival::Closed, _) => self.leave(received.peer),
            _ => self.report.refused += 1,
        }
    }

    fn play(
        &mut self,
        mut clock: GameClock,
        is_stopped: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(&str),
    ) -> Result<(), RealTimeError> {
        let mut slot = match &self.options.model {
            ExecutionModel::Slots(length) => Some((length.clone(), length.clone())),
            _ => None,
        };
        self.tell_events(tell);
        while !self.timeline.is_over() && !is_stopped() {
            let own = match &slot {
                Some((end, _)) => Some(end.clone()),
                None => self.timeline.next_event(),
            };
            let due = own.as_ref().map_or(&self.options.until, |it| it.min(&self.options.until));
            let due = due.clone();
            // What has come before is dealt with before.
            let received = self.hub.receive(clock.until(&due).min(INTERVAL));
            if self.options.model == ExecutionModel::Stopped {
                clock.stop();
            }
            let now = clock.at(Instant::now());
            if let Some(received) = received {
                self.take(&received, &clock, slot.is_some());
            } else if now < due {
                clock.go_on();
                continue;
            }
            match &mut slot {
                None => {
                    // Nothing that came in time may be overtaken: as long as something waits, time is what it says.
                    if now >= due {
                        let before = Instant::now();
                        while let Some(received) = self.hub.receive(Duration::ZERO) {
                            self.take(&received, &clock, false);
                            // Whoever talks without end does not stop the time.
                            if received.at > before {
                                break;
                            }
                        }
                    }
                    self.advance(&now, &due, &clock)?;
                    self.tell_events(tell);
                }
                Some((end, length)) => {
                    if now >= *end {
                        for (role, term) in std::mem::take(&mut self.waiting) {
                            self.timeline.add_move(end.clone(), role, term);
                        }
                        let time = end.clone();
                        self.advance(&time, &due, &clock)?;
                        self.tell_events(tell);
                        *end += &*length;
                    }
                }
            }
            clock.go_on();
            if now >= self.options.until {
                break;
            }
        }
        Ok(())
    }

    /// Lets events happen up to a time, and notes how late those were that came by themselves.
    fn advance(
        &mut self,
        now: &Number,
        due: &Number,
        clock: &GameClock,
    ) -> Result<(), RealTimeError> {
        let is_due = now >= due && *due < self.options.until;
        if is_due {
            let late = clock.at(Instant::now()) - due;
            self.report.lateness.push(number::to_duration(&late));
        }
        self.timeline.advance_to(now)
    }

    /// A line of a player.
    fn take(&mut self, received: &Received, clock: &GameClock, in_slots: bool) {
        let peer = received.peer;
        let line = match &received.arrival {
            Arrival::Line(line) => line,
            Arrival::Closed => return self.leave(peer),
        };
        let parts = list(line).unwrap_or_default();
        let read = match (self.role_of(peer), &parts[..]) {
            (Some(role), ["move", sent, chosen]) => {
                let term = ground_term(chosen, self.timeline.reasoner().symbols());
                number::parse(sent).zip(term.ok()).map(|(sent, term)| (role, sent, term))
            }
            _ => None,
        };
        let Some((role, sent, term)) = read else {
            self.report.refused += 1;
            self.hub.send(peer, "(refused)");
            return;
        };
        self.report.moves += 1;
        // What has been told stays as it is.
        let moment = Number::new(BigInt::from(1), BigInt::from(1_000_000));
        let last = &self.timeline.last().time;
        let earliest = if self.told == 1 { last.clone() } else { last + &moment };
        let mut at = clock.at(received.at).max(earliest);
        // Two moves of a role come one after the other, however quickly.
        if let Some(before) = &self.latest[role] {
            at = at.max(before + moment);
        }
        self.latest[role] = Some(at.clone());
        self.hub.send(peer, &format!("(received {} {})", number::text(&sent), number::text(&at)));
        if in_slots {
            if self.waiting.len() < MOST_WAITING {
                self.waiting.push((role, term));
            }
        } else {
            self.timeline.add_move(at, role, term);
        }
    }

    /// Tells players, and who watches, of the events that have not been told.
    fn tell_events(&mut self, tell: &mut dyn FnMut(&str)) {
        let has_percepts = self.timeline.reasoner().has_percepts();
        for number in self.told..self.timeline.events().len() {
            tell(&self.timeline.line(number));
            let event = self.timeline.events()[number].clone();
            let symbols = self.timeline.reasoner().symbols();
            let time = number::text(&event.time);
            if has_percepts {
                for (role, peer) in self.peers.iter().enumerate() {
                    let own = event.percepts.iter().filter(|it| it.0 == role);
                    let own: Vec<String> = own.map(|it| term_text(&it.1, symbols)).collect();
                    let is_silent = own.is_empty() && self.options.model == ExecutionModel::Moves;
                    if let Some(peer) = peer.filter(|_| !is_silent) {
                        self.hub.send(peer, &format!("(sees {time} ({}))", own.join(" ")));
                    }
                }
                continue;
            }
            if event.moves.is_empty() && self.options.model == ExecutionModel::Moves {
                continue;
            }
            let moves = event.moves.iter();
            let moves: Vec<String> = moves
                .map(|(role, it)| format!("({} {})", self.names[*role], term_text(it, symbols)))
                .collect();
            let expired: Vec<String> =
                event.state.expired.iter().map(|it| term_text(it, symbols)).collect();
            let line = format!("(event {time} ({}) ({}))", moves.join(" "), expired.join(" "));
            self.to_all(&line);
        }
        self.told = self.timeline.events().len();
    }

    fn end(mut self) -> MatchReport {
        let last = self.timeline.last();
        let goals = last.situation.goals.iter();
        self.report.goals = self.names.iter().cloned().zip(goals.cloned()).collect();
        self.report.is_over = self.timeline.is_over();
        let goals = self.report.goals.iter();
        let goals: Vec<String> = goals
            .map(|(role, values)| {
                let values: Vec<String> = values.iter().map(i64::to_string).collect();
                format!("({role} {})", values.join(" "))
            })
            .collect();
        let line = format!("(stop {} ({}))", number::text(&last.time), goals.join(" "));
        self.to_all(&line);
        self.peers.iter().flatten().for_each(|&peer| self.hub.close(peer));
        self.report
    }
}
