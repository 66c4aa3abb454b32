//! Checks a budget inside long loops.

use groundfrog_engine::{Budget, Exceeded};

/// How many ticks pass between two checks: a few hundred microseconds of work.
const INTERVAL: u32 = 1 << 15;

/// Counts the steps of long loops and checks the budget now and then.
#[derive(Debug)]
pub struct Ticker<'run> {
    budget: &'run Budget,
    /// Bytes in use when the loops began.
    bytes: u64,
    ticks: u32,
    exceeded: Option<Exceeded>,
}

impl<'run> Ticker<'run> {
    /// A ticker for loops that begin with this many bytes in use.
    pub fn new(budget: &'run Budget, bytes: u64) -> Self {
        Ticker { budget, bytes, ticks: 0, exceeded: None }
    }

    /// One step.
    ///
    /// # Errors
    /// A limit that was exceeded.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Exceeded> {
        self.ticks(1)
    }

    /// A step that takes as long as several.
    ///
    /// # Errors
    /// A limit that was exceeded.
    #[inline]
    pub fn ticks(&mut self, steps: u32) -> Result<(), Exceeded> {
        if self.goes_on(steps) { Ok(()) } else { self.finish() }
    }

    /// As [`ticks`](Ticker::ticks), where nothing can be returned. If it does not go on, [`Ticker::finish`] gives the reason.
    #[inline]
    pub fn goes_on(&mut self, steps: u32) -> bool {
        self.ticks = self.ticks.saturating_add(steps);
        self.ticks < INTERVAL || self.check()
    }

    /// Does what looks at the budget by itself. None if a limit was exceeded, there or before.
    pub fn run<T>(&mut self, work: impl FnOnce(&Budget) -> Result<T, Exceeded>) -> Option<T> {
        if self.exceeded.is_some() {
            return None;
        }
        let done = work(self.budget);
        done.map_err(|exceeded| {
            self.exceeded = Some(exceeded);
            self.ticks = INTERVAL;
        })
        .ok()
    }

    #[cold]
    fn check(&mut self) -> bool {
        self.ticks = 0;
        if self.exceeded.is_none() {
            self.exceeded = self.budget.check(self.bytes, 0).err();
        }
        if self.exceeded.is_some() {
            // The next step comes here again.
            self.ticks = INTERVAL;
        }
        self.exceeded.is_none()
    }

    /// The end of a loop that asked whether it [goes on](Ticker::goes_on).
    ///
    /// # Errors
    /// The limit that was exceeded: what the loop has made is of no use.
    pub fn finish(&mut self) -> Result<(), Exceeded> {
        self.exceeded.take().map_or(Ok(()), Err)
    }
}
