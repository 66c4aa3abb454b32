//! Calls that may take long: they let other threads of Python run, end at a timeout, and at Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::GroundfrogError;

/// How often Python is asked whether a signal has come.
const LOOK: Duration = Duration::from_millis(50);

/// What a call may use.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    /// Raised when the result is no longer wanted.
    pub(crate) stop: Arc<AtomicBool>,
    /// How long it may take.
    pub(crate) time: Option<Duration>,
}

impl Bounds {
    /// When the time is over.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.time.and_then(|time| Instant::now().checked_add(time))
    }
}

/// A number of seconds from Python.
pub(crate) fn seconds(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let duration = |seconds| {
        Duration::try_from_secs_f64(seconds)
            .map_err(|error| PyValueError::new_err(format!("{seconds} seconds: {error}")))
    };
    seconds.map(duration).transpose()
}

/// Does work in a thread of its own, while Python's other threads run.
///
/// # Errors
/// What a signal handler of Python raises; the work is stopped then.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    time: Option<Duration>,
    work: impl FnOnce(Bounds) -> T + Send,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let bounds = Bounds { stop: Arc::clone(&stop), time };
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(1);
        let receiver = Mutex::new(receiver);
        scope.spawn(move || sender.send(work(bounds)));
        loop {
            match py.detach(|| locked(&receiver).recv_timeout(LOOK)) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(GroundfrogError::new_err("the work ended without a result"));
                }
            }
            if let Err(signal) = py.check_signals() {
                stop.store(true, Ordering::Relaxed);
                let _ = py.detach(|| locked(&receiver).recv());
                return Err(signal);
            }
        }
    })
}

fn locked<T>(receiver: &Mutex<Receiver<T>>) -> MutexGuard<'_, Receiver<T>> {
    receiver.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A value of Python from JSON.
pub(crate) fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}
