//! Budgets: the place for what work may use, of whatever crate: time, memory, ground rules, and flags to stop it from outside. Who works
//! long gets one passed down, looks at it inside every loop that can run long, and passes it on, or a part of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use web_time::Instant;

use crate::error::{Exceeded, Limit};
use crate::numbers;
use crate::program::PredicateId;

/// Says whether to stop, and is called with what would be stopped.
pub trait Stop: std::fmt::Debug + Send + Sync {
    /// Whether to stop. It is called inside every loop that can run long, so a call also shows that work goes on.
    fn is_raised(&self) -> bool;

    /// What is being derived: a predicate, and how many of its tuples or of a rule's ground rules there are. `None` when that
    /// is done. For a caller who cannot wait for the error, which names the rule. Does nothing by default.
    fn derives(&self, _now: Option<(&str, u64)>) {}

    /// What is allowed and what there is, in bytes, if the memory that several evaluations share is used up and one that holds
    /// so many bytes, and has taken so long, has to end. None by default.
    fn shortage(&self, _bytes: u64, _age: Duration) -> Option<(u64, u64)> {
        None
    }

    /// Whether that memory is nearly used up, so that nothing more should be kept that can be done without. False by default.
    fn is_tight(&self) -> bool {
        false
    }
}

/// A flag that is raised from outside.
impl Stop for AtomicBool {
    fn is_raised(&self) -> bool {
        self.load(Ordering::Relaxed)
    }
}

/// Is never raised; whoever holds one can be counted.
impl Stop for () {
    fn is_raised(&self) -> bool {
        false
    }
}

/// What work may use. A budget is itself a flag, for whoever takes only that.
#[derive(Debug, Clone)]
pub struct Budget {
    /// What the time is measured by.
    clock: fn() -> Duration,
    start: Duration,
    /// When the time is over, as the clock says.
    end: Option<Duration>,
    memory: Option<u64>,
    rules: Option<u64>,
    stops: Vec<Arc<dyn Stop>>,
    /// By predicate: the most rows of its table.
    table_rows: Option<Arc<[u64]>>,
}

/// How many inner steps pass between two checks: a few tens of microseconds.
pub(crate) const CHECK_INTERVAL: u32 = 1 << 13;

impl Budget {
    /// The time on the wall since some moment.
    pub fn wall() -> Duration {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    }

    /// No limits.
    pub fn unlimited() -> Self {
        Self::measured_by(Self::wall)
    }

    /// No limits; the time is measured by some clock, such as one of the processor.
    pub fn measured_by(clock: fn() -> Duration) -> Self {
        Budget {
            clock,
            start: clock(),
            end: None,
            memory: None,
            rules: None,
            stops: Vec::new(),
            table_rows: None,
        }
    }

    /// So much time from now on.
    pub fn within(time: Duration) -> Self {
        Self::unlimited().with_time(time)
    }

    /// A moment and a flag, where there are any.
    pub fn until(deadline: Option<Instant>, stop: Option<Arc<dyn Stop>>) -> Self {
        Self::unlimited().with_stops(stop).with_deadline(deadline)
    }

    /// Stops after this much time, if it is limited, counted from the creation of the budget, if not before.
    pub fn with_time(self, time: impl Into<Option<Duration>>) -> Self {
        let end = time.into().and_then(|time| self.start.checked_add(time));
        self.ending(end)
    }

    /// Stops at a moment, if there is one, if not before.
    pub fn with_deadline(self, deadline: Option<Instant>) -> Self {
        let left = deadline.map(|it| it.saturating_duration_since(Instant::now()));
        let end = left.and_then(|left| (self.clock)().checked_add(left));
        self.ending(end)
    }

    fn ending(self, end: Option<Duration>) -> Self {
        Budget { end: self.end.into_iter().chain(end).min(), ..self }
    }

    /// Only so many of some equal parts of the time that is left.
    pub fn share(&self, some: u32, all: u32) -> Self {
        let now = (self.clock)();
        let end = self.end.map(|end| now + end.saturating_sub(now) / all.max(1) * some);
        Budget { end, ..self.clone() }
    }

    /// How long that is from now on, if the time is limited.
    pub fn left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_sub((self.clock)()))
    }

    /// When the time is over, if it is limited.
    pub fn deadline(&self) -> Option<Instant> {
        self.left().and_then(|left| Instant::now().checked_add(left))
    }

    /// Whether work has to end: the time is over, or a flag is raised.
    pub fn is_over(&self) -> bool {
        self.is_over_in(Duration::ZERO)
    }

    /// Whether work that takes so long would end too late.
    pub fn is_over_in(&self, time: Duration) -> bool {
        self.left().is_some_and(|left| left <= time) || self.stops.iter().any(|it| it.is_raised())
    }

    /// Stops when tables, indexes and stored rules together need more than this many bytes.
    pub fn with_memory(self, bytes: impl Into<Option<u64>>) -> Self {
        Budget { memory: bytes.into(), ..self }
    }

    /// Stops when more than this many ground rules are stored.
    pub fn with_rules(self, rules: impl Into<Option<u64>>) -> Self {
        Budget { rules: rules.into(), ..self }
    }

    /// Stops soon after the answer is that it shall, too.
    pub fn with_stop(self, stop: Arc<dyn Stop>) -> Self {
        self.with_stops([stop])
    }

    /// The same for any number of flags.
    pub fn with_stops(mut self, stops: impl IntoIterator<Item = Arc<dyn Stop>>) -> Self {
        self.stops.extend(stops);
        self
    }

    /// Stops when the table of a predicate has more rows than its entry, if there is one, allows.
    pub fn with_table_rows(self, rows: Arc<[u64]>) -> Self {
        Budget { table_rows: Some(rows), ..self }
    }

    /// Checks the rows of a table: whether they are allowed, and whether they can be numbered.
    pub(crate) fn check_table(&self, table: PredicateId, rows: u64) -> Result<(), Exceeded> {
        let allowed =
            self.table_rows.as_ref().and_then(|limits| limits.get(table.index()).copied());
        let allowed = allowed.unwrap_or(u64::MAX);
        if rows <= allowed {
            return numbers::check_atoms(rows);
        }
        let exceeded = Exceeded::new(Limit::TableRows, allowed, rows);
        Err(Exceeded { table: Some(table), count: rows, ..exceeded })
    }

    /// The time since the budget was created.
    pub fn elapsed(&self) -> Duration {
        (self.clock)().saturating_sub(self.start)
    }

    /// Checks all limits against the memory and the number of rules in use.
    ///
    /// # Errors
    /// The first limit that is exceeded, without rule and predicate.
    pub fn check(&self, bytes: u64, rules: u64) -> Result<(), Exceeded> {
        let exceeded = |limit, allowed, reached| Err(Exceeded::new(limit, allowed, reached));
        if self.stops.iter().any(|it| it.is_raised()) {
            return exceeded(Limit::Cancelled, 0, 0);
        }
        let elapsed = self.elapsed();
        if let Some((allowed, reached)) = self.shortage(bytes, elapsed) {
            return exceeded(Limit::Memory, allowed, reached);
        }
        if let Some(time) = self.end.map(|end| end.saturating_sub(self.start))
            && elapsed >= time
        {
            return exceeded(Limit::Time, milliseconds(time), milliseconds(elapsed));
        }
        match (self.memory, self.rules) {
            (Some(limit), _) if bytes > limit => exceeded(Limit::Memory, limit, bytes),
            (_, Some(limit)) if rules > limit => exceeded(Limit::Rules, limit, rules),
            _ => Ok(()),
        }
    }
}

impl Default for Budget {
    /// [`Budget::unlimited`].
    fn default() -> Self {
        Self::unlimited()
    }
}

impl Stop for Budget {
    fn is_raised(&self) -> bool {
        self.is_over()
    }

    fn derives(&self, now: Option<(&str, u64)>) {
        self.stops.iter().for_each(|it| it.derives(now));
    }

    fn shortage(&self, bytes: u64, age: Duration) -> Option<(u64, u64)> {
        self.stops.iter().find_map(|it| it.shortage(bytes, age))
    }

    fn is_tight(&self) -> bool {
        self.stops.iter().any(|it| it.is_tight())
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_ends_where_numbers_do_unless_it_may_have_fewer_rows() {
        let limit = |budget: &Budget, rows| {
            let checked = budget.check_table(PredicateId(0), rows);
            checked.err().map(|it| (it.limit, it.allowed, it.reached))
        };
        let unlimited = Budget::unlimited();
        assert_eq!(limit(&unlimited, (1 << 31) - 1), None);
        assert_eq!(limit(&unlimited, 1 << 31), Some((Limit::Numbers, (1 << 31) - 1, 1 << 31)));
        let few = Budget::unlimited().with_table_rows(vec![7].into());
        assert_eq!(limit(&few, 1 << 31), Some((Limit::TableRows, 7, 1 << 31)));
    }
}
