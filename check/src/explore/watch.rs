//! The limits of an exploration.

use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

use groundfrog_engine::Stop;

/// What an exploration may use.
#[derive(Clone, Debug)]
pub struct ExploreOptions {
    /// States.
    pub states: u64,
    /// Bytes for states.
    pub memory: u64,
    /// Time.
    pub time: Option<Duration>,
    /// Asked whether to stop: a flag that is raised from outside, for one.
    pub stop: Option<Arc<dyn Stop>>,
    /// How many threads may work; 0 takes all processors. The result does not depend on it, unless time is
    /// up.
    pub threads: usize,
}

impl Default for ExploreOptions {
    /// Ten million states, 1 GiB, one minute, one thread.
    fn default() -> Self {
        let time = Some(Duration::from_secs(60));
        ExploreOptions { states: 10_000_000, memory: 1 << 30, time, stop: None, threads: 1 }
    }
}

/// Says why to stop.
pub(super) struct Watch<'a> {
    pub(super) options: &'a ExploreOptions,
    deadline: Option<Instant>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(options: &'a ExploreOptions) -> Self {
        let deadline = options.time.and_then(|time| Instant::now().checked_add(time));
        Watch { options, deadline }
    }

    fn is_stopped(&self) -> bool {
        self.options.stop.as_ref().is_some_and(|it| it.is_raised())
    }

    /// Whether to stop at once: time is up, or the stop flag was raised.
    pub(super) fn is_late(&self) -> bool {
        self.is_stopped() || self.deadline.is_some_and(|it| Instant::now() >= it)
    }

    /// Why to stop at once.
    pub(super) fn lateness(&self) -> Option<String> {
        if self.is_stopped() {
            return Some("stopped".to_owned());
        }
        let time = self.options.time.unwrap_or_default();
        self.is_late().then(|| format!("the time limit of {time:.1?}"))
    }

    /// Why there is no room for more.
    pub(super) fn space(&self, states: u64, bytes: u64) -> Option<String> {
        if states > self.options.states {
            return Some(format!("the limit of {} states", self.options.states));
        }
        let mebibytes = self.options.memory >> 20;
        (bytes > self.options.memory).then(|| format!("the memory limit of {mebibytes} MiB"))
    }
}
