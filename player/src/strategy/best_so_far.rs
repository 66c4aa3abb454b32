//! The best move found so far, for whoever cannot wait any longer.

use std::sync::{Arc, Mutex, PoisonError};

use super::Decision;

/// A place where a strategy leaves the best move that it has found so far, each time that it chooses one. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct BestSoFar(Arc<Mutex<(u64, Option<Decision>)>>);

impl BestSoFar {
    /// Begins the choice of that number: what was left for others is forgotten.
    pub(crate) fn begin(&self, number: u64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = (number, None);
    }

    /// Leaves a decision, which takes the place of the one before.
    pub fn leave(&self, decision: Decision) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1 = Some(decision);
    }

    /// What was left in the choice of that number.
    pub(crate) fn of(&self, number: u64) -> Option<Decision> {
        let left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        left.1.clone().filter(|_| left.0 == number)
    }
}
