//! What is known of a match at each moment, found beside whoever chooses the moves.
//!
//! Two threads walk through the match, each by rules of its own: one interprets the rules with variables, which it can do at once; the
//! other one grounds them first, however long that takes, then makes all moves so far and takes over. What they find is in one place,
//! so that no state is evaluated twice: the legal moves check what a strategy answers, and strategies begin their search at the position.

mod inputs;
mod log;

use std::fmt::{self, Debug, Formatter};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use web_time::Instant;

use groundfrog::{Budget, Description, Stop};
use groundfrog_reasoner::{Machine, OpenLimits, Random};

use crate::position::MOST_LISTED;
use crate::position::Position;
use crate::seat_thread::{Unanswered, guarded};
use crate::strategy::{StrategyError, StrategyOptions, Turn};
pub(crate) use log::Known;
use log::Log;

/// A search that looks at no more states than this is worth nothing.
const FEW_STATES: u32 = 16;

/// Follows a match in threads of its own, which end when the last clone of this is dropped.
#[derive(Clone)]
pub struct Follower(Arc<Handle>);

/// Ends the threads when it is dropped.
struct Handle(Arc<Shared>);

/// What the threads and those who ask share.
struct Shared {
    description: Arc<Description>,
    role: String,
    options: StrategyOptions,
    flags: Arc<Flags>,
    log: Mutex<Log>,
    changed: Condvar,
}

/// Which of the threads are to go on.
#[derive(Debug)]
struct Flags {
    /// Nobody asks any more.
    is_closed: AtomicBool,
    /// The ground rules are in use.
    is_ground: AtomicBool,
    /// The caller's own flag.
    stop: Option<Arc<dyn Stop>>,
}

/// By what rules a thread walks through the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RulesKind {
    Ground,
    Interpreted,
}

/// Tells a thread to end.
#[derive(Debug)]
struct Ends(Arc<Flags>, RulesKind);

impl Stop for Ends {
    fn is_raised(&self) -> bool {
        self.0.end(self.1)
    }
}

impl Flags {
    fn end(&self, rules: RulesKind) -> bool {
        let is_superseded =
            rules == RulesKind::Interpreted && self.is_ground.load(Ordering::Relaxed);
        is_superseded
            || self.is_closed.load(Ordering::Relaxed)
            || self.stop.as_ref().is_some_and(|it| it.is_raised())
    }
}

impl Debug for Follower {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.debug_struct("Follower").field("role", &self.0.0.role).finish_non_exhaustive()
    }
}

impl Handle {
    fn close(&self) {
        self.0.flags.is_closed.store(true, Ordering::Relaxed);
        // With the lock, so that nobody is between looking at the flag and waiting.
        drop(self.0.lock());
        self.0.changed.notify_all();
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.close();
    }
}

impl Follower {
    /// Begins to follow a match as a role sees it, with what its strategy may use: each way to evaluate the rules has that memory, and
    /// `opponents` and `seed` are those of the belief where the role does not see all.
    ///
    /// # Errors
    /// The system gives no more threads.
    pub fn start(
        description: Arc<Description>,
        role: &str,
        options: &StrategyOptions,
    ) -> std::io::Result<Self> {
        let (is_flag, stop) = (AtomicBool::new, options.stop.clone());
        let flags = Flags { is_closed: is_flag(false), is_ground: is_flag(false), stop };
        let shared = Arc::new(Shared {
            description,
            role: role.to_owned(),
            options: options.clone(),
            flags: Arc::new(flags),
            log: Mutex::new(Log::new(&[RulesKind::Interpreted, RulesKind::Ground])),
            changed: Condvar::new(),
        });
        let follower = Follower(Arc::new(Handle(Arc::clone(&shared))));
        for (name, rules) in
            [("follower", RulesKind::Interpreted), ("grounding", RulesKind::Ground)]
        {
            let own = Arc::clone(&shared);
            thread::Builder::new().name(name.to_owned()).spawn(move || {
                let walked = guarded(|| own.walk(rules));
                own.end(rules, walked.err());
            })?;
        }
        Ok(follower)
    }

    /// Ends the threads, whoever else still holds this.
    pub(crate) fn close(&self) {
        self.0.close();
    }

    /// Tells what has happened.
    pub(crate) fn observe(&self, turn: Turn) {
        self.0.0.lock().turns.push(turn);
        self.0.0.changed.notify_all();
    }

    /// What is known once all that was reported has been looked at; `None` if that is not so by a moment.
    pub(crate) fn wait(&self, until: Instant) -> Option<Known> {
        self.0.0.wait(until, Log::present)
    }

    /// Waits for ground rules until a moment, or until it is known that there will be none. Returns whether they are in use.
    ///
    /// # Errors
    /// The game cannot be played.
    pub(crate) fn wait_for_rules(&self, until: Instant) -> Result<bool, StrategyError> {
        match self.0.0.wait(until, Log::outcome) {
            Some(Some(fault)) => Err(fault),
            _ => Ok(self.is_ground()),
        }
    }

    /// Whether the ground rules are in use.
    pub(crate) fn is_ground(&self) -> bool {
        self.0.0.flags.is_ground.load(Ordering::Relaxed)
    }

    /// The position after all that was reported, to search from; `None` if it is not known by a moment. Where a state takes so long that
    /// no search can look at many by then, the ground rules are waited for.
    ///
    /// # Errors
    /// What was reported cannot have happened, or the game cannot be played.
    pub(crate) fn position(&self, until: Instant) -> Result<Option<Position>, StrategyError> {
        let Some(known) = self.wait(until) else { return Ok(None) };
        if let Some(fault) = known.fault {
            return Err(fault.into());
        }
        let is_slow = known.took * FEW_STATES > until.saturating_duration_since(Instant::now());
        if is_slow && !self.is_ground() {
            let has_choice = known.legal.is_none_or(|it| it.len() != 1);
            if !has_choice || !self.wait_for_rules(until)? {
                return Ok(None);
            }
        }
        let position = self.0.0.lock().position.clone();
        Ok(position.map(|it| lock(&it).clone()))
    }

    /// A move for when no position can be searched: a legal one, if that is known; else one that was legal when it was last the same
    /// player's turn, and was not made before; else what some rule about legal moves names, without arguments if there is such a move; else
    /// what was legal last. `None` if there is nothing of that.
    pub(crate) fn guess(&self, random: &mut Random) -> Option<String> {
        let shared = &self.0.0;
        let (mut candidates, latest) = {
            let log = shared.lock();
            (log.candidates(), log.latest())
        };
        if candidates.is_empty() {
            // It is somebody else's turn now: other moves are legal, where there are others.
            let mut inputs = inputs::inputs(&shared.description, &shared.role);
            inputs.retain(|it| !latest.contains(it));
            // Who waits mostly does so by a move without arguments.
            if inputs.iter().any(|it| !it.starts_with('(')) {
                inputs.retain(|it| !it.starts_with('('));
            }
            candidates = if inputs.is_empty() { latest } else { inputs };
        }
        let drawn = random.below(candidates.len().max(1) as u32) as usize;
        candidates.into_iter().nth(drawn)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Log> {
        lock(&self.log)
    }

    /// Waits until something is known, at most until a moment.
    fn wait<T>(&self, until: Instant, known: impl Fn(&Log) -> Option<T>) -> Option<T> {
        let mut log = self.lock();
        loop {
            if let Some(found) = known(&log) {
                return Some(found);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            log = self.changed.wait_timeout(log, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn machine(&self, rules: RulesKind) -> Result<Option<Machine>, StrategyError> {
        let ends = Arc::new(Ends(Arc::clone(&self.flags), rules));
        let stop = Budget::until(None, self.options.stop.clone()).with_stop(ends);
        let stop = Some(Arc::new(stop) as Arc<dyn Stop>);
        let limits = OpenLimits { memory: self.options.memory, stop, ..OpenLimits::default() };
        Ok(match rules {
            RulesKind::Ground => self.options.rules.machine(&self.description, &limits)?,
            RulesKind::Interpreted => Some(Machine::interpreted(&self.description, &limits)?),
        })
    }

    /// Goes from turn to turn as they are reported, and tells what is known in each state.
    fn walk(&self, rules: RulesKind) -> Result<(), Unanswered> {
        let Some(machine) = self.machine(rules)? else { return Ok(()) };
        let StrategyOptions { opponents, seed, .. } = &self.options;
        let mut position = Position::new(machine, &self.description, &self.role, opponents, *seed)?;
        let begin = Instant::now();
        let mut known = Known {
            role: Some(role_text(&mut position)),
            legal: Some(legal_texts(&mut position)?),
            took: begin.elapsed(),
            ..Known::default()
        };
        let position = Arc::new(Mutex::new(position));
        loop {
            self.publish(rules, &position, &known);
            let Some(turn) = self.next(rules, known.seen) else { return Ok(()) };
            let mut position = lock(&position);
            let begin = Instant::now();
            let observed = guarded(|| {
                position.observe(&turn)?;
                Ok(legal_texts(&mut position)?)
            });
            known.seen += 1;
            known.took = begin.elapsed();
            known.folded = position.is_folded();
            match observed {
                Ok(legal) => (known.legal, known.fault) = (Some(legal), None),
                // The state stays what it was.
                Err(fault @ Unanswered::Failed(StrategyError::Turn(_))) => {
                    known.fault = Some(fault)
                }
                Err(fault) => return Err(fault),
            }
        }
    }

    /// The turn after so many; waits for it. `None` if the thread is to end.
    fn next(&self, rules: RulesKind, seen: usize) -> Option<Turn> {
        let mut log = self.lock();
        loop {
            if self.flags.end(rules) {
                return None;
            }
            if let Some(turn) = log.turns.get(seen) {
                return Some(turn.clone());
            }
            log = self.changed.wait(log).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Tells what is known, unless more is known already.
    fn publish(&self, rules: RulesKind, position: &Arc<Mutex<Position>>, known: &Known) {
        let mut log = self.lock();
        if log.is_ground && rules == RulesKind::Interpreted {
            return;
        }
        if log.note(known, position) && rules == RulesKind::Ground {
            log.is_ground = true;
            self.flags.is_ground.store(true, Ordering::Relaxed);
        }
        self.changed.notify_all();
    }

    fn end(&self, rules: RulesKind, fault: Option<Unanswered>) {
        // What was ended has no fault of its own.
        let fault = fault.filter(|_| !self.flags.end(rules));
        self.lock().end(rules, fault);
        self.changed.notify_all();
    }
}

fn role_text(position: &mut Position) -> String {
    let role = position.role();
    position.machine().role_text(role)
}

fn legal_texts(position: &mut Position) -> Result<Vec<String>, StrategyError> {
    let legal = position.legal()?.moves;
    // There may be millions.
    let listed = legal.into_iter().take(MOST_LISTED);
    Ok(listed.map(|it| position.machine().move_text(it)).collect())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
