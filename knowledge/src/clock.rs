//! What time is measured by.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use web_time::Instant;

/// What the time of an [`analyse`](crate::analyse) is measured by: the clock on the wall, if nothing else is given. With the
/// processor time of the thread the result does not depend on what else the machine does.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Duration + Send + Sync>);

impl Clock {
    /// A clock that a function reads: the time since any moment.
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Clock(Arc::new(now))
    }

    pub(crate) fn now(&self) -> Duration {
        (self.0)()
    }
}

impl Default for Clock {
    fn default() -> Self {
        let start = Instant::now();
        Clock::new(move || start.elapsed())
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Clock({:?})", self.now())
    }
}
