//! What a solver may use.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use web_time::Instant;

use groundfrog_engine::Stop;

use crate::clock::{Until, Watch};

/// Time, states and a flag to stop.
pub(crate) struct Budget<'watch> {
    until: Until,
    most: u64,
    steps: u64,
    watch: Watch,
    spent: bool,
    /// What a step may take: it is kept free before the end.
    reserve: Duration,
    /// Raised where another thread has the answer, and whether that was seen.
    answered: (Option<Arc<AtomicBool>>, bool),
    /// Told how many states were looked at.
    progress: Option<&'watch mut (dyn FnMut(u64) + Send)>,
}

impl<'watch> Budget<'watch> {
    pub(crate) fn new(deadline: Option<Instant>, stop: Option<Arc<dyn Stop>>, most: u64) -> Self {
        Budget::within(Until::new(deadline, stop), most)
    }

    /// Work that ends at a moment, or after so many states.
    pub(crate) fn within(until: Until, most: u64) -> Self {
        Budget {
            until,
            most,
            steps: 0,
            watch: Watch::new(256),
            spent: false,
            reserve: Duration::ZERO,
            answered: (None, false),
            progress: None,
        }
    }

    /// What work may use that is to leave half of what is left.
    pub(crate) fn half(&self) -> Budget<'static> {
        Budget::within(self.until.part(2), self.left() / 2)
    }

    /// What work may use that is to look at so many states at most.
    pub(crate) fn at_most(&self, states: u64) -> Budget<'static> {
        Budget::within(self.until.clone(), self.left().min(states))
    }

    /// What each of so many threads may use: its end, and states.
    pub(crate) fn share(&self, threads: usize) -> (Until, u64) {
        (self.until.clone(), self.left() / threads as u64)
    }

    /// Lets work end after so many states more. Returns what [`Budget::widen`] takes.
    pub(crate) fn narrow(&mut self, states: u64) -> u64 {
        let before = self.most;
        self.most = before.min(self.steps.saturating_add(states));
        before
    }

    /// Lets work go on as before it was narrowed.
    pub(crate) fn widen(&mut self, before: u64) {
        self.most = before;
        self.spent = self.steps > self.most || self.is_over();
    }

    /// Lets work end when another thread has the answer.
    pub(crate) fn end_when(&mut self, answered: Option<Arc<AtomicBool>>) {
        self.answered = (answered, false);
    }

    /// Counts the states that work with another budget has looked at.
    pub(crate) fn add(&mut self, other: &Budget<'_>) {
        self.count(other.steps);
    }

    /// Counts so many states that were looked at.
    pub(crate) fn count(&mut self, states: u64) {
        self.steps += states.saturating_sub(1);
        self.step();
    }

    /// The time that is left, if it is limited.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.until.left()
    }

    fn left(&self) -> u64 {
        self.most.saturating_sub(self.steps)
    }

    /// Tells how many states were looked at.
    pub(crate) fn watched_by(self, progress: &'watch mut (dyn FnMut(u64) + Send)) -> Self {
        Budget { progress: Some(progress), ..self }
    }

    /// Counts a state that is looked at; whether work may go on.
    #[inline]
    pub(crate) fn step(&mut self) -> bool {
        self.steps += 1;
        self.spent |= self.steps > self.most;
        self.work()
    }

    /// Counts a state that is made on the way, such as a child that may never be looked at; whether work may go on.
    #[inline]
    pub(crate) fn work(&mut self) -> bool {
        if self.watch.is_due() {
            self.spent |= self.is_over();
            self.answered.1 = self.answered.0.as_ref().is_some_and(|it| it.load(Ordering::Relaxed));
            if let Some(progress) = &mut self.progress {
                progress(self.steps);
            }
        }
        self.may_go_on()
    }

    /// Keeps so much time free before the end.
    pub(crate) fn keep_free(&mut self, time: Duration) {
        self.reserve = self.reserve.max(time);
    }

    /// Whether work may go on.
    pub(crate) fn may_go_on(&self) -> bool {
        !self.spent && !self.answered.1
    }

    /// Whether the time is over or the flag is raised.
    pub(crate) fn is_over(&self) -> bool {
        self.until.is_over_in(self.reserve)
    }

    /// States that were looked at.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether nothing is left.
    pub(crate) fn is_spent(&self) -> bool {
        self.spent
    }
}
