//! A player of matches by the clock.
//!
//! It follows the match on a timeline and a clock of its own. What it hears late takes the timeline back to the time that it speaks of. From
//! when its moves were sent, by its clock, and when they were received, by the manager's, it learns how long before a time it has to
//! send for a move to arrive at it.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use groundfrog::description::{Language, Term};
use groundfrog::kif::Severity;
use groundfrog::options::Limits;
use groundfrog_reasoner::Random;
use num_bigint::BigInt;
use num_traits::Zero;

use super::simulate::role_of;
use super::{RealTimeError, RealTimeReasoner, Timeline, check};
use crate::lines::Connection;
use crate::number::{self, Number};
use crate::rules::{Rulebook, ground_term, list, term_text};

/// Why a player has left a match.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// The connection broke, or there was none.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The manager does not want it, or says what is no message.
    #[error("the manager says `{0}`")]
    Message(String),
    /// The rules that were sent are no rules.
    #[error("the rules: {0}")]
    Rules(String),
    /// The rules cannot be evaluated.
    #[error(transparent)]
    RealTime(#[from] RealTimeError),
}

/// What chooses when to move, and how.
pub trait RealTimeStrategy: Send {
    /// The next move and when it is to arrive, as things stand; none to wait for what happens. It is asked anew when something has
    /// happened, and when the time has come.
    fn plan(
        &mut self,
        timeline: &mut Timeline,
        role: usize,
        now: &Number,
    ) -> Option<(Number, Term)>;

    /// The move that was planned has been made.
    fn made(&mut self);
}

/// Moves at random: one of the legal moves after a wait of up to some time.
#[derive(Clone, Debug)]
pub struct RandomTimes {
    random: Random,
    most: Number,
    planned: Option<(Number, Term)>,
}

impl RandomTimes {
    /// Waits up to so many seconds.
    pub fn new(seed: u64, most: Number) -> Self {
        RandomTimes { random: Random::new(seed), most, planned: None }
    }
}

impl RealTimeStrategy for RandomTimes {
    fn plan(
        &mut self,
        timeline: &mut Timeline,
        role: usize,
        now: &Number,
    ) -> Option<(Number, Term)> {
        let legal = &timeline.last().situation.legal[role];
        let holds = |(_, term): &(Number, Term)| legal.contains(term);
        if !self.planned.as_ref().is_some_and(holds) {
            self.planned = (!legal.is_empty()).then(|| {
                let term = legal[self.random.below(legal.len() as u32) as usize].clone();
                let part =
                    Number::new(BigInt::from(self.random.below(1000) + 1), BigInt::from(1000));
                (now + &self.most * part, term)
            });
        }
        self.planned.clone()
    }

    fn made(&mut self) {
        self.planned = None;
    }
}

/// Makes the moves of a script, each to arrive at its time.
#[derive(Clone, Debug)]
pub struct ScriptedTimes {
    /// Times and moves as text, in the order of the times.
    moves: Vec<(Number, String)>,
}

impl ScriptedTimes {
    /// Makes these moves.
    pub fn new(mut moves: Vec<(Number, String)>) -> Self {
        moves.sort_by(|one, other| one.0.cmp(&other.0));
        ScriptedTimes { moves }
    }
}

impl RealTimeStrategy for ScriptedTimes {
    fn plan(
        &mut self,
        timeline: &mut Timeline,
        _role: usize,
        _now: &Number,
    ) -> Option<(Number, Term)> {
        let (time, text) = self.moves.first()?;
        let term = ground_term(text, timeline.reasoner().symbols()).ok()?;
        Some((time.clone(), term))
    }

    fn made(&mut self) {
        self.moves.remove(0);
    }
}

/// How a match looked to a player.
#[derive(Clone, Debug, Default)]
pub struct PlayerReport {
    /// The role that was played.
    pub role: String,
    /// By role: its goal values, as the manager has told them.
    pub goals: Vec<(String, Vec<i64>)>,
    /// The events as the player knows them in the end, as lines of text; none in games with percepts.
    pub events: Vec<String>,
    /// When moves were received that were sent for some time: both times.
    pub arrivals: Vec<(Number, Number)>,
    /// Events that were computed anew since something became known late.
    pub taken_back: usize,
}

struct Follower {
    connection: Connection,
    timeline: Timeline,
    role: usize,
    start: Instant,
    /// How much later than sent, by the own clock, a move is received, by the manager's.
    delay: Number,
    /// Moves under way: when they were sent, and when they are to arrive.
    under_way: Vec<(Number, Number)>,
    follows: bool,
    report: PlayerReport,
}

/// How long nothing is done but to listen.
const INTERVAL: Duration = Duration::from_millis(50);

/// Joins a match, as a role or any, and plays it to its end.
///
/// # Errors
/// The connection breaks, or what the manager says is not understood.
pub fn play(
    address: SocketAddr,
    name: &str,
    wanted: Option<&str>,
    strategy: &mut dyn RealTimeStrategy,
    is_stopped: &dyn Fn() -> bool,
) -> Result<PlayerReport, PlayerError> {
    let connection = Connection::open(address, Duration::from_secs(5))?;
    let role = wanted.map_or_else(String::new, |it| format!(" {it}"));
    connection.send(format!("(join {name}{role})"))?;
    let stopped = || PlayerError::Io(io::ErrorKind::Interrupted.into());
    let next = || loop {
        if is_stopped() {
            return Err(stopped());
        }
        if let Some((at, line)) = connection.receive(INTERVAL)? {
            return Ok((at, line));
        }
    };
    let (_, line) = next()?;
    let unknown = || PlayerError::Message(line.chars().take(200).collect());
    let parts = list(&line).ok_or_else(unknown)?;
    let ["start", _, role, rules, ..] = parts[..] else { return Err(unknown()) };
    let rules = rules.strip_prefix('(').and_then(|it| it.strip_suffix(')')).ok_or_else(unknown)?;
    let limits = Limits::default();
    let book = Rulebook::read(rules.as_bytes(), Language::RealTime, "rules", &limits)
        .map_err(|it| PlayerError::Rules(it.to_string()))?;
    let fault = check(&book).into_iter().find(|it| it.severity == Severity::Error);
    if let Some(fault) = fault {
        return Err(PlayerError::Rules(fault.message));
    }
    let mut reasoner = RealTimeReasoner::new(&book, limits)?;
    let number = role_of(role, &mut reasoner).map_err(PlayerError::Rules)?;
    // With percepts, and where chance moves, nobody but the manager knows the state.
    let follows = !reasoner.has_percepts();
    let report = PlayerReport { role: role.to_owned(), ..PlayerReport::default() };
    let timeline = Timeline::told(reasoner)?;
    connection.send("(ready)".to_owned())?;
    let start = loop {
        let (at, line) = next()?;
        match line.as_str() {
            "(go)" => break at,
            _ if line.starts_with("(event") => {}
            _ => return Err(PlayerError::Message(line)),
        }
    };
    let mut follower = Follower {
        connection,
        timeline,
        role: number,
        start,
        delay: Number::zero(),
        under_way: Vec::new(),
        follows,
        report,
    };
    follower.follow(strategy, is_stopped)?;
    Ok(follower.end())
}

impl Follower {
    fn now(&self, at: Instant) -> Number {
        number::of_duration(at.saturating_duration_since(self.start))
    }

    fn follow(
        &mut self,
        strategy: &mut dyn RealTimeStrategy,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), PlayerError> {
        loop {
            if is_stopped() {
                return Err(io::Error::from(io::ErrorKind::Interrupted).into());
            }
            let now = self.now(Instant::now());
            self.timeline.advance_to(&now)?;
            // Until it has heard of its last move, it does not make another.
            let is_free = self.under_way.is_empty() && !self.timeline.is_over() && self.follows;
            let plan = match is_free {
                true => strategy.plan(&mut self.timeline, self.role, &now),
                false => None,
            };
            let mut wait = INTERVAL;
            if let Some((arrival, term)) = plan {
                let send = &arrival - &self.delay;
                if send <= now {
                    let text = term_text(&term, self.timeline.reasoner().symbols());
                    self.connection.send(format!("(move {} {text})", number::text(&now)))?;
                    self.under_way.push((now, arrival));
                    strategy.made();
                    continue;
                }
                wait = wait.min(number::to_duration(&(send - &now)));
            }
            if let Some(next) = self.timeline.next_event() {
                wait = wait.min(number::to_duration(&(next - self.now(Instant::now()))));
            }
            let wait = wait.max(Duration::from_micros(50));
            if let Some((_, line)) = self.connection.receive(wait)?
                && self.hear(&line)?
            {
                return Ok(());
            }
        }
    }

    /// Takes in a line; returns whether the match is over.
    fn hear(&mut self, line: &str) -> Result<bool, PlayerError> {
        let unknown = || PlayerError::Message(line.chars().take(200).collect());
        let parts = list(line).ok_or_else(unknown)?;
        match parts[..] {
            ["received", sent, at] => {
                let sent = number::parse(sent).ok_or_else(unknown)?;
                let at = number::parse(at).ok_or_else(unknown)?;
                let delay = &at - &sent;
                // The first one is all that is known; later ones count as much as all before.
                self.delay = match self.report.arrivals.is_empty() {
                    true => delay,
                    false => (&self.delay + delay) / BigInt::from(2),
                };
                if let Some(place) = self.under_way.iter().position(|it| it.0 == sent) {
                    let (_, wanted) = self.under_way.remove(place);
                    self.report.arrivals.push((wanted, at));
                }
                Ok(false)
            }
            ["event", time, moves, ..] => {
                let time = number::parse(time).ok_or_else(unknown)?;
                for made in list(moves).ok_or_else(unknown)? {
                    let made = list(made).ok_or_else(unknown)?;
                    let [role, chosen] = made[..] else { return Err(unknown()) };
                    let role = role_of(role, self.timeline.reasoner()).map_err(|_| unknown())?;
                    let term = ground_term(chosen, self.timeline.reasoner().symbols());
                    let term = term.map_err(|_| unknown())?;
                    self.report.taken_back += self.timeline.add_move(time.clone(), role, term);
                }
                Ok(false)
            }
            ["sees", ..] => Ok(false),
            ["refused"] => {
                self.under_way.clear();
                Ok(false)
            }
            ["stop", time, goals] => {
                let time = number::parse(time).ok_or_else(unknown)?;
                self.timeline.advance_to(&time)?;
                for goal in list(goals).ok_or_else(unknown)? {
                    let parts = list(goal).ok_or_else(unknown)?;
                    let (role, values) = parts.split_first().ok_or_else(unknown)?;
                    let values = values.iter().filter_map(|it| it.parse().ok()).collect();
                    self.report.goals.push(((*role).to_owned(), values));
                }
                Ok(true)
            }
            _ => Err(unknown()),
        }
    }

    fn end(mut self) -> PlayerReport {
        if self.follows {
            let events = 1..self.timeline.events().len();
            self.report.events = events.map(|it| self.timeline.line(it)).collect();
        }
        self.report
    }
}
