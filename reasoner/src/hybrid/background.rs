//! The thread that grounds.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;
use web_time::Instant;

use super::NotGround;
use crate::{GroundReasoner, Vocabulary};
use groundfrog::description::Description;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog::{Silent, Stop, ground};

/// What comes of grounding.
type Outcome = Result<GroundReasoner, NotGround>;

/// What the thread and those who wait for it share.
#[derive(Debug)]
pub(super) struct Background {
    outcome: OnceLock<Outcome>,
    is_stopped: AtomicBool,
    /// The caller's own flag.
    stop: Option<Arc<dyn Stop>>,
    /// Whether the outcome is known, for those who wait.
    has_ended: Mutex<bool>,
    ended: Condvar,
}

impl Stop for Background {
    fn is_raised(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
            || self.stop.as_ref().is_some_and(|it| it.is_raised())
    }

    fn shortage(&self, bytes: u64, since: Instant) -> Option<(u64, u64)> {
        self.stop.as_ref()?.shortage(bytes, since)
    }
}

/// Ends the preparation of rules with variables: it is not needed when the ground rules are there first.
#[derive(Debug)]
pub(super) struct Preparing(pub(super) Arc<Background>);

impl Stop for Preparing {
    fn is_raised(&self) -> bool {
        self.0.outcome.get().is_some_and(|it| it.is_ok())
            || self.0.stop.as_ref().is_some_and(|it| it.is_raised())
    }

    fn shortage(&self, bytes: u64, since: Instant) -> Option<(u64, u64)> {
        self.0.shortage(bytes, since)
    }
}

/// Sees to it that nobody waits for ever, whatever happens in the thread.
struct Ending(Arc<Background>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.end(Err(NotGround::NoResult));
    }
}

impl Background {
    /// Starts to ground a description.
    pub(super) fn start(description: &Description, limits: &Limits) -> Arc<Self> {
        let background = Arc::new(Background {
            outcome: OnceLock::new(),
            is_stopped: AtomicBool::new(false),
            stop: limits.stop.clone(),
            has_ended: Mutex::new(false),
            ended: Condvar::new(),
        });
        let limits = Limits { stop: Some(background.clone()), ..limits.clone() };
        let description = description.clone();
        let shared = Arc::clone(&background);
        let work = move || {
            let ending = Ending(shared);
            let outcome = ending.0.make(&description, limits);
            ending.0.end(outcome);
        };
        if let Err(error) = thread::Builder::new().name("grounding".into()).spawn(work) {
            background.end(Err(NotGround::Thread(error.to_string())));
        }
        background
    }

    /// Grounds and compiles.
    fn make(&self, description: &Description, limits: Limits) -> Outcome {
        let options = GroundOptions { limits, ..GroundOptions::compact() };
        let game = ground(description, &options, &mut Silent)?.game;
        if self.is_raised() {
            return Err(NotGround::Stopped);
        }
        let mut reasoner = GroundReasoner::new(game)?;
        // What finds fluents by their texts is made here once, not in each clone.
        reasoner.find_fluent("");
        Ok(reasoner)
    }

    fn end(&self, outcome: Outcome) {
        // The first one counts.
        let _ = self.outcome.set(outcome);
        *self.has_ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.ended.notify_all();
    }
    /// Ends what is under way.
    pub(super) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// What came of it, if that is known.
    pub(super) fn known(&self) -> Option<&Outcome> {
        self.outcome.get()
    }

    /// Waits until the outcome is known, for so long at most.
    pub(super) fn wait(&self, time: Duration) {
        let has_ended = self.has_ended.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.ended.wait_timeout_while(has_ended, time, |has_ended| !*has_ended);
        drop(waited);
    }

    /// Waits for what comes of it.
    pub(super) fn result(&self) -> &Outcome {
        self.outcome.wait()
    }
}
