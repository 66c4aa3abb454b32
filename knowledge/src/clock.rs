//! What time is measured by.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use web_time::Instant;

/// What the time of an [`analyse`](crate::analyse) is measured by: the clock on the wall, if nothing else is given. With the
/// processor time of the thread the result does not depend on what else the machine does.
#[derive(Clone)]
pub struct AnalysisClock(Arc<dyn Fn() -> Duration + Send + Sync>);

impl AnalysisClock {
    /// A clock that a function reads: the time since any moment.
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        AnalysisClock(Arc::new(now))
    }

    pub(crate) fn now(&self) -> Duration {
        (self.0)()
    }
}

impl Default for AnalysisClock {
    fn default() -> Self {
        let start = Instant::now();
        AnalysisClock::new(move || start.elapsed())
    }
}

impl fmt::Debug for AnalysisClock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "AnalysisClock({:?})", self.now())
    }
}
