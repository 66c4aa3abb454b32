//! How much of a clock may be used.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use web_time::Instant;

use groundfrog_engine::Budget;

/// The longest clock: a day.
pub const LONGEST: Duration = Duration::from_secs(86_400);

/// How many answers are remembered.
const REMEMBERED: usize = 256;
/// The least margin of a player whose threads have a processor each: the way of the message to the server is not seen from here.
const LEAST: Duration = Duration::from_millis(50);
/// How often waking up is measured before anything was answered.
const TRIALS: u32 = 8;

/// The time between a deadline that a strategy gets and the end of the clock. It follows from how late answers have really been: from the
/// deadline until the answer was ready to be written.
#[derive(Clone, Debug)]
pub struct Margin {
    delays: VecDeque<Duration>,
    /// The margin is never smaller.
    least: Duration,
}

impl Margin {
    /// Measures how late this machine wakes up a thread, since nothing has been answered yet. That takes some milliseconds. `crowd` is how many
    /// threads of strategies may share a processor: a thread that is to answer waits for their turns, which is seen only when they work.
    pub fn measure(crowd: u32) -> Self {
        let mut margin = Margin { delays: VecDeque::new(), least: LEAST * crowd.max(1) };
        let (lock, wake) = (Mutex::new(()), Condvar::new());
        let sleep = Duration::from_millis(2);
        for _ in 0..TRIALS {
            let start = Instant::now();
            let guard = lock.lock().unwrap_or_else(PoisonError::into_inner);
            drop(wake.wait_timeout(guard, sleep));
            // Choosing and writing an answer has more such steps.
            margin.record(start.elapsed().saturating_sub(sleep) * 4);
        }
        margin
    }

    /// Remembers how long after its deadline an answer was ready.
    pub fn record(&mut self, delay: Duration) {
        if self.delays.len() == REMEMBERED {
            self.delays.pop_front();
        }
        self.delays.push_back(delay);
    }

    /// The longest delay of those that are remembered.
    pub fn longest(&self) -> Duration {
        self.delays.iter().copied().max().unwrap_or_default()
    }

    /// The margin for a clock: twice the longest delay, but not more than half of the clock.
    pub fn of(&self, clock: Duration) -> Duration {
        (self.longest() * 2).max(self.least).min(clock / 2)
    }
}

/// The moments of one answer.
#[derive(Clone, Copy, Debug)]
pub struct Deadlines {
    /// When a strategy should have chosen.
    pub choose: Instant,
    /// When an answer is written, whatever the strategy does.
    pub answer: Instant,
    /// The end of the clock.
    pub end: Instant,
}

impl Deadlines {
    /// For a message that came at a moment.
    pub fn new(arrived: Instant, clock: Duration, margin: &Margin) -> Self {
        let margin = margin.of(clock);
        let end = arrived + clock;
        let before = |time: Duration| end.checked_sub(time).unwrap_or(arrived);
        Deadlines { choose: before(margin), answer: before(margin / 2), end }
    }
}

/// Says when to look at the clock in work of many steps: once in a millisecond, about, so that it takes no time.
#[derive(Debug)]
pub(crate) struct Watch {
    /// Steps until the next look.
    left: u32,
    /// Steps between the last two.
    between: u32,
    most: u32,
    looked: Instant,
}

impl Watch {
    /// From now on, with so many steps between two looks at most.
    pub(crate) fn new(most: u32) -> Self {
        Watch { left: 1, between: 1, most, looked: Instant::now() }
    }

    /// Counts a step; whether to look now.
    #[inline]
    pub(crate) fn is_due(&mut self) -> bool {
        self.left -= 1;
        if self.left > 0 {
            return false;
        }
        let now = Instant::now();
        let is_slow = now.duration_since(self.looked) > Duration::from_millis(1);
        let between = if is_slow { self.between / 2 } else { self.between * 2 };
        self.between = between.clamp(1, self.most);
        (self.left, self.looked) = (self.between, now);
        true
    }
}

/// A budget that counts states, too.
pub(crate) struct StateBudget<'watch> {
    until: Budget,
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

impl<'watch> StateBudget<'watch> {
    /// Work that ends with a budget, or after so many states.
    pub(crate) fn within(until: Budget, most: u64) -> Self {
        StateBudget {
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
    pub(crate) fn half(&self) -> StateBudget<'static> {
        StateBudget::within(self.until.share(1, 2), self.left() / 2)
    }

    /// What work may use that is to look at so many states at most.
    pub(crate) fn at_most(&self, states: u64) -> StateBudget<'static> {
        StateBudget::within(self.until.clone(), self.left().min(states))
    }

    /// What each of so many threads may use: its end, and states.
    pub(crate) fn share(&self, threads: usize) -> (Budget, u64) {
        (self.until.clone(), self.left() / threads as u64)
    }

    /// Lets work end after so many states more. Returns what [`StateBudget::widen`] takes.
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
    pub(crate) fn add(&mut self, other: &StateBudget<'_>) {
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
        StateBudget { progress: Some(progress), ..self }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_follows_what_is_measured() {
        let mut margin = Margin { delays: VecDeque::new(), least: LEAST };
        let second = Duration::from_secs(1);
        assert_eq!(margin.of(second), LEAST);
        margin.record(Duration::from_millis(100));
        assert_eq!(margin.of(second), Duration::from_millis(200));
        assert_eq!(margin.of(second / 10), Duration::from_millis(50));
        (0..REMEMBERED).for_each(|_| margin.record(Duration::from_millis(30)));
        assert_eq!(margin.of(second), Duration::from_millis(60), "what was long ago is forgotten");
        assert!(Margin::measure(1).of(second) >= LEAST);
        assert!(Margin::measure(8).of(second) >= LEAST * 8);
    }

    #[test]
    fn slow_steps_are_watched_more_closely() {
        let mut watch = Watch::new(64);
        let looks = (0..1000).filter(|_| watch.is_due()).count();
        assert!((15..1000).contains(&looks), "{looks}");
        std::thread::sleep(Duration::from_millis(5));
        let steps = |watch: &mut Watch| (1..).find(|_| watch.is_due());
        let before = steps(&mut watch);
        assert!(before.is_some_and(|it| it <= 64), "{before:?}");
        for _ in 0..8 {
            std::thread::sleep(Duration::from_millis(2));
            steps(&mut watch);
        }
        assert_eq!(steps(&mut watch), Some(1));
    }

    #[test]
    fn deadlines_are_in_order() {
        let (now, margin) = (Instant::now(), Margin { delays: VecDeque::new(), least: LEAST });
        let deadlines = Deadlines::new(now, Duration::from_secs(1), &margin);
        assert!(now < deadlines.choose && deadlines.choose < deadlines.answer);
        assert_eq!(
            (deadlines.end - deadlines.choose, deadlines.end - now),
            (LEAST, Duration::from_secs(1))
        );
    }
}
