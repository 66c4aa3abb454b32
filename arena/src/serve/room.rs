//! Bytes that may be kept at once.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::answer::Refusal;

/// Bytes that count as one.
const UNIT: usize = 1 << 10;

/// Room for so many bytes, of all requests together or of all answers.
pub(super) struct Room(Arc<Semaphore>);

impl Room {
    pub(super) fn new(bytes: usize) -> Self {
        Room(Arc::new(Semaphore::new(bytes / UNIT)))
    }

    /// Takes so many bytes until the permit is dropped.
    pub(super) fn take(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Refusal> {
        let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX);
        let taken = Arc::clone(&self.0).try_acquire_many_owned(units);
        taken.map_err(|_| Refusal::busy("too much is being sent at once: try again"))
    }
}
