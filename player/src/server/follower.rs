//! Legal moves, known beside the strategy: so that its answer can be checked, and that there is one if it fails.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use groundfrog::Description;

use crate::belief::Opponents;
use crate::machine::{Machine, MachineLimits, interpreted, machine};
use crate::position::Position;
use crate::seat_thread::{Unanswered, guarded};
use crate::strategy::{StrategyError, Turn};

/// If the legal moves of the initial state take longer, ground rules are worth their time.
const SLOW: Duration = Duration::from_millis(20);

/// What is known of the state of the match.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// How many turns have been looked at, whether or not they can be followed.
    pub(super) seen: u32,
    /// The own role as the description writes it, once the game is set up.
    pub(super) role: Option<String>,
    /// The own legal moves.
    pub(super) legal: Option<Vec<String>>,
    /// Whether the last moves were written in another case than the description has.
    pub(super) folded: bool,
    /// Why the last turn cannot be followed, or nothing reported at all.
    pub(super) fault: Option<Unanswered>,
}

/// Follows a match in a thread of its own, which ends when this is dropped.
pub(super) struct Follower {
    turns: Sender<Turn>,
    reported: u32,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    known: Mutex<Known>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Follower {
    /// Starts the thread; `limits` are for ground rules.
    pub(super) fn start(
        description: Arc<Description>,
        role: String,
        limits: MachineLimits,
    ) -> std::io::Result<Self> {
        let (turns, received) = channel();
        let shared: Arc<Shared> = Arc::default();
        let own = Arc::clone(&shared);
        let builder = thread::Builder::new().name("follower".to_owned());
        builder.spawn(move || {
            if let Err(fault) = guarded(|| follow(&description, &role, &limits, &received, &own)) {
                own.lock().fault = Some(fault);
                own.changed.notify_all();
            }
        })?;
        Ok(Follower { turns, reported: 0, shared })
    }

    /// Tells what has happened.
    pub(super) fn observe(&mut self, turn: Turn) {
        self.reported += 1;
        let _ = self.turns.send(turn);
    }

    /// What is known once all that was reported has been looked at; `None` if that is not so by a moment.
    pub(super) fn wait(&self, until: Instant) -> Option<Known> {
        let mut known = self.shared.lock();
        loop {
            let is_known = known.role.is_some() || known.fault.is_some();
            let lost = known.role.is_none() && known.fault.is_some();
            if is_known && (known.seen == self.reported || lost) {
                return Some(known.clone());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            let waited = self.shared.changed.wait_timeout(known, left);
            known = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

fn follow(
    description: &Description,
    role: &str,
    limits: &MachineLimits,
    turns: &Receiver<Turn>,
    shared: &Shared,
) -> Result<(), Unanswered> {
    let set_up = |machine: Machine| -> Result<(Position, Known), StrategyError> {
        let mut position = Position::new(machine, description, role, &Opponents::default(), 1)?;
        let own = position.role();
        let role = Some(position.machine().role_text(own));
        let legal = Some(texts(&mut position)?);
        Ok((position, Known { role, legal, ..Known::default() }))
    };
    let slow = MachineLimits { deadline: None, ..limits.clone() };
    let start = Instant::now();
    let (mut position, known) = set_up(interpreted(description, &slow)?)?;
    *shared.lock() = known;
    shared.changed.notify_all();
    if start.elapsed() > SLOW
        && let Ok((faster, _)) = machine(description, limits).and_then(set_up)
    {
        position = faster;
    }
    while let Ok(turn) = turns.recv() {
        let observed = guarded(|| {
            position.observe(&turn)?;
            Ok(texts(&mut position)?)
        });
        let mut known = shared.lock();
        known.seen += 1;
        known.folded = position.is_folded();
        match observed {
            Ok(legal) => {
                known.legal = Some(legal);
                known.fault = None;
            }
            Err(fault) => known.fault = Some(fault),
        }
        shared.changed.notify_all();
    }
    Ok(())
}

fn texts(position: &mut Position) -> Result<Vec<String>, StrategyError> {
    let legal = position.legal()?.moves;
    Ok(legal.into_iter().map(|it| position.machine().move_text(it)).collect())
}
