//! Limits of an evaluation: time, memory, ground rules, and a flag to stop it from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
    /// so many bytes since a moment has to end. None by default.
    fn shortage(&self, _bytes: u64, _since: Instant) -> Option<(u64, u64)> {
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

/// What an evaluation may use. Checked inside every loop that can run long.
#[derive(Debug, Clone)]
pub struct Budget {
    start: Instant,
    time: Option<Duration>,
    memory: Option<u64>,
    rules: Option<u64>,
    stop: Option<Arc<dyn Stop>>,
    /// By predicate: the most rows of its table.
    table_rows: Option<Arc<[u64]>>,
}

/// How many inner steps pass between two checks: a few tens of microseconds.
pub(crate) const CHECK_INTERVAL: u32 = 1 << 13;

impl Budget {
    /// No limits.
    pub fn unlimited() -> Self {
        Budget {
            start: Instant::now(),
            time: None,
            memory: None,
            rules: None,
            stop: None,
            table_rows: None,
        }
    }

    /// Stops after this much time, counted from the creation of the budget.
    pub fn with_time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// Stops when tables, indexes and stored rules together need more than this many bytes.
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Stops when more than this many ground rules are stored.
    pub fn with_rules(mut self, rules: u64) -> Self {
        self.rules = Some(rules);
        self
    }

    /// Stops soon after the answer is that it shall.
    pub fn with_stop(mut self, stop: Arc<dyn Stop>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Stops when the table of a predicate has more rows than its entry, if there is one, allows.
    pub fn with_table_rows(mut self, rows: Arc<[u64]>) -> Self {
        self.table_rows = Some(rows);
        self
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
        self.start.elapsed()
    }

    /// Passes on to the stop flag what is being derived, as [`Stop::derives`] says.
    pub fn derives(&self, now: Option<(&str, u64)>) {
        if let Some(stop) = &self.stop {
            stop.derives(now);
        }
    }

    /// Checks all limits against the memory and the number of rules in use.
    ///
    /// # Errors
    /// The first limit that is exceeded, without rule and predicate.
    pub fn check(&self, bytes: u64, rules: u64) -> Result<(), Exceeded> {
        let exceeded = |limit, allowed, reached| Err(Exceeded::new(limit, allowed, reached));
        if self.stop.as_ref().is_some_and(|stop| stop.is_raised()) {
            return exceeded(Limit::Cancelled, 0, 0);
        }
        let shared = self.stop.as_ref().and_then(|stop| stop.shortage(bytes, self.start));
        if let Some((allowed, reached)) = shared {
            return exceeded(Limit::Memory, allowed, reached);
        }
        if let Some(time) = self.time {
            let elapsed = self.elapsed();
            if elapsed > time {
                return exceeded(Limit::Time, milliseconds(time), milliseconds(elapsed));
            }
        }
        match (self.memory, self.rules) {
            (Some(limit), _) if bytes > limit => exceeded(Limit::Memory, limit, bytes),
            (_, Some(limit)) if rules > limit => exceeded(Limit::Rules, limit, rules),
            _ => Ok(()),
        }
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
