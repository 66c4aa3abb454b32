//! Work that is worth trying, but not at any price.

use std::sync::atomic::{AtomicU64, Ordering};

use groundfrog_engine::{Budget, Stop};

/// Stops what takes more work than it can be worth. How much that is depends on no clock.
#[derive(Debug)]
pub(super) struct Work {
    left: AtomicU64,
    budget: Budget,
}

impl Work {
    /// Lets the budget be looked at so many times.
    pub(super) fn new(checks: u64, budget: &Budget) -> Self {
        Work { left: AtomicU64::new(checks), budget: budget.clone() }
    }

    /// Whether no more is left.
    pub(super) fn is_done(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }
}

impl Stop for Work {
    fn is_raised(&self) -> bool {
        let left = self.left.load(Ordering::Relaxed);
        self.left.store(left.saturating_sub(1), Ordering::Relaxed);
        if left == 0 {
            // Something else is tried.
            self.budget.derives(None);
        }
        left == 0 || self.budget.check(0, 0).is_err()
    }

    fn derives(&self, now: Option<(&str, u64)>) {
        self.budget.derives(now);
    }
}
