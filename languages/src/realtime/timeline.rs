//! The events of a match, as far as they are known.
//!
//! What is kept is the history of moves with their times; events follow from it. A move that becomes known late takes the timeline back to
//! the state of then, and everything after it is computed anew: later expiries and later moves, which may no longer be legal.

use std::collections::BTreeMap;

use groundfrog::description::Term;
use groundfrog_reasoner::Random;
use num_traits::Zero;

use super::{RealTimeError, RealTimeReasoner, Situation, TimedState, Update};
use crate::number::{self, Number};
use crate::rules::term_text;

/// `random` may move so often without any time passing.
const MOST_AT_ONCE: usize = 1000;
/// A match may have so many events.
pub const MOST_EVENTS: usize = 1_000_000;

/// Something that happened, and the state that it led to.
#[derive(Clone, Debug)]
pub struct Event {
    /// Seconds since the beginning of the match.
    pub time: Number,
    /// The moves made, by the number of the role.
    pub moves: Vec<(usize, Term)>,
    /// The state after it, with what expired.
    pub state: TimedState,
    /// What that allows and is worth.
    pub situation: Situation,
    /// What roles perceived.
    pub percepts: Vec<(usize, Term)>,
}

/// Who moves for roles that do not: when a fluent expires, each role that has a legal move and has not moved since it expired last makes
/// one at random. Games translated from GDL need it, where nobody can leave a turn out.
#[derive(Clone, Debug)]
pub struct Idle {
    /// The fluent, such as `clock`.
    pub fluent: Term,
}

/// A match from its beginning to some time.
pub struct Timeline {
    reasoner: RealTimeReasoner,
    /// The number of the role `random`, if somebody is it.
    random: Option<usize>,
    seed: u64,
    idle: Option<Idle>,
    /// By time and role: moves that have been made, and those that are to come.
    made: BTreeMap<Number, Moves>,
    to_come: BTreeMap<Number, Moves>,
    /// At least the beginning.
    events: Vec<Event>,
    /// Moves that were not legal when they were to be made.
    ignored: Vec<(Number, usize, Term)>,
}

/// The first move of each role at an instant.
type Moves = BTreeMap<usize, Term>;

impl Timeline {
    /// A match at its beginning. The seed is for the moves of `random` and of idle roles.
    ///
    /// # Errors
    /// The rules cannot be evaluated.
    pub fn new(
        reasoner: RealTimeReasoner,
        seed: u64,
        idle: Option<Idle>,
    ) -> Result<Self, RealTimeError> {
        let mut timeline = Timeline::begin(reasoner, seed, idle)?;
        timeline.let_random_move()?;
        Ok(timeline)
    }

    fn begin(
        mut reasoner: RealTimeReasoner,
        seed: u64,
        idle: Option<Idle>,
    ) -> Result<Self, RealTimeError> {
        let state = reasoner.initial().clone();
        let situation = reasoner.situation(&state)?;
        let name = reasoner.symbols().intern("random");
        let random = reasoner.roles().iter().position(|it| *it == Term::Constant(name));
        let beginning = Event {
            time: Number::zero(),
            moves: Vec::new(),
            state,
            situation,
            percepts: Vec::new(),
        };
        let (made, to_come) = (BTreeMap::new(), BTreeMap::new());
        let events = vec![beginning];
        Ok(Timeline { reasoner, random, seed, idle, made, to_come, events, ignored: Vec::new() })
    }

    /// A match at its beginning as a player knows it, to whom the moves of `random` and of idle roles are told as all others are.
    ///
    /// # Errors
    /// The rules cannot be evaluated.
    pub fn told(reasoner: RealTimeReasoner) -> Result<Self, RealTimeError> {
        let mut timeline = Timeline::begin(reasoner, 0, None)?;
        timeline.random = None;
        Ok(timeline)
    }

    /// The reasoner.
    pub fn reasoner(&mut self) -> &mut RealTimeReasoner {
        &mut self.reasoner
    }

    /// The reasoner, for another match.
    pub fn into_reasoner(self) -> RealTimeReasoner {
        self.reasoner
    }

    /// The number of the role `random`, which nobody plays.
    pub fn random(&self) -> Option<usize> {
        self.random
    }

    /// All events so far, the beginning first.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The moves that were not legal, which are ignored: time, role, move.
    pub fn ignored(&self) -> &[(Number, usize, Term)] {
        &self.ignored
    }

    /// The last event.
    pub fn last(&self) -> &Event {
        self.events.last().expect("there is always the beginning")
    }

    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        self.last().situation.is_terminal
    }

    /// The time of the next event that follows from what is known: an expiry, or a move to come.
    pub fn next_event(&self) -> Option<Number> {
        if self.is_over() {
            return None;
        }
        let last = self.last();
        let expiry = last.state.next_expiry().map(|it| &last.time + it);
        let to_come = self.to_come.keys().next().cloned();
        [expiry, to_come].into_iter().flatten().min()
    }

    /// Adds a move of a role at a time, and takes events from that time on back. A second move of a role at the same instant is
    /// ignored. Returns how many events were taken back.
    pub fn add_move(&mut self, time: Number, role: usize, term: Term) -> usize {
        let mut again = self.made.split_off(&time);
        self.to_come.append(&mut again);
        self.ignored.retain(|it| it.0 < time);
        let known = self.events.len();
        while self.events.len() > 1 && self.last().time >= time {
            self.events.pop();
        }
        self.to_come.entry(time).or_default().entry(role).or_insert(term);
        known - self.events.len()
    }

    /// Lets all events happen up to a time, which belongs to it, or until the match is over.
    ///
    /// # Errors
    /// The rules cannot be evaluated, or there are too many events.
    pub fn advance_to(&mut self, time: &Number) -> Result<(), RealTimeError> {
        while let Some(next) = self.next_event().filter(|it| it <= time) {
            if self.events.len() > MOST_EVENTS {
                return Err(RealTimeError::Events(MOST_EVENTS));
            }
            self.happen(next)?;
        }
        Ok(())
    }

    /// The event at a time, if anything happens then.
    fn happen(&mut self, time: Number) -> Result<(), RealTimeError> {
        let chosen = self.to_come.remove(&time).unwrap_or_default();
        if !chosen.is_empty() {
            self.made.insert(time.clone(), chosen.clone());
        }
        let last = self.last();
        let elapsed = &time - &last.time;
        let (mut moves, ignored): (Vec<_>, Vec<_>) =
            chosen.into_iter().partition(|(role, term)| last.situation.legal[*role].contains(term));
        let expires = last.state.next_expiry().is_some_and(|it| *it == elapsed);
        if expires {
            moves.extend(self.moves_of_idle(&elapsed, &moves));
        }
        self.ignored.extend(ignored.into_iter().map(|(role, term)| (time.clone(), role, term)));
        if moves.is_empty() && !expires {
            return Ok(());
        }
        self.push(time, &elapsed, moves)?;
        self.let_random_move()
    }

    fn push(
        &mut self,
        time: Number,
        elapsed: &Number,
        moves: Vec<(usize, Term)>,
    ) -> Result<(), RealTimeError> {
        let last = self.events.last().expect("there is always the beginning");
        let Update { state, percepts } = self.reasoner.update(&last.state, elapsed, &moves)?;
        let situation = self.reasoner.situation(&state)?;
        self.events.push(Event { time, moves, state, situation, percepts });
        Ok(())
    }

    /// `random` moves at once when it has a move.
    fn let_random_move(&mut self) -> Result<(), RealTimeError> {
        let Some(random) = self.random else { return Ok(()) };
        for _ in 0..MOST_AT_ONCE {
            let last = self.last();
            let legal = &last.situation.legal[random];
            if last.situation.is_terminal || legal.is_empty() {
                return Ok(());
            }
            let chosen = self.choose(random, legal);
            let time = last.time.clone();
            self.push(time, &Number::zero(), vec![(random, chosen)])?;
        }
        Err(RealTimeError::Restless(MOST_AT_ONCE))
    }

    /// One of a role's moves, by the seed and the number of the event: the same where an event is computed anew.
    fn choose(&self, role: usize, moves: &[Term]) -> Term {
        let event = (self.events.len() * self.reasoner.roles().len() + role) as u64;
        let mut random = Random::new(self.seed ^ event.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        moves[random.below(moves.len() as u32) as usize].clone()
    }

    /// The moves that are made for roles which have made none, if the fluent that they are made for expires now.
    fn moves_of_idle(&self, elapsed: &Number, moves: &[(usize, Term)]) -> Vec<(usize, Term)> {
        let Some(Idle { fluent }) = &self.idle else { return Vec::new() };
        if !self.last().state.after(elapsed).expired.contains(fluent) {
            return Vec::new();
        }
        let turn = self.events.iter().rev().take_while(|it| !it.state.expired.contains(fluent));
        let made: Vec<usize> = turn.flat_map(|it| &it.moves).chain(moves).map(|it| it.0).collect();
        let legal = self.last().situation.legal.iter().enumerate();
        let idle = legal.filter(|(role, moves)| !moves.is_empty() && !made.contains(role));
        idle.map(|(role, moves)| (role, self.choose(role, moves))).collect()
    }

    /// An event as a line of text: its time, what was done and what expired.
    pub fn line(&mut self, number: usize) -> String {
        let Timeline { reasoner, events, .. } = self;
        let event = &events[number];
        let roles = reasoner.roles().to_vec();
        let symbols = reasoner.symbols();
        let mut parts = vec![number::text(&event.time)];
        for (role, term) in &event.moves {
            let role = term_text(&roles[*role], symbols);
            parts.push(format!("({role} {})", term_text(term, symbols)));
        }
        for fluent in &event.state.expired {
            parts.push(format!("expired {}", term_text(fluent, symbols)));
        }
        for fluent in event.state.repeated() {
            parts.push(format!("warning: {} has two lifetimes", term_text(fluent, symbols)));
        }
        parts.join("  ")
    }
}
