//! Calls that may take long: they let other threads of Python run, end at a timeout and at Ctrl-C, and say how far they are.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use groundfrog::Limits;
use groundfrog_reasoner::PlayoutObserver;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::GroundfrogError;

/// How often Python is asked whether a signal has come, and told how far the work is.
const LOOK: Duration = Duration::from_millis(50);

/// What a call may use.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    /// Raised when the result is no longer wanted.
    pub(crate) stop: Arc<AtomicBool>,
    /// How long it may take.
    pub(crate) time: Option<Duration>,
    /// When the time is over.
    pub(crate) deadline: Option<Instant>,
    done: Arc<AtomicU64>,
    total: Arc<AtomicU64>,
}

impl Bounds {
    fn new(time: Option<Duration>) -> Self {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let (stop, done, total) = Default::default();
        Bounds { stop, time, deadline, done, total }
    }

    /// For the crates.
    pub(crate) fn limits(&self) -> Limits {
        Limits { time: self.time, stop: Some(self.stop.clone()), ..Limits::default() }
    }

    /// Whether the work is to end.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(|it| Instant::now() >= it)
    }

    /// So much is done, of so much where that is known.
    pub(crate) fn reached(&self, done: u64, total: Option<u64>) {
        self.total.store(total.unwrap_or(0), Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }
}

impl PlayoutObserver for Bounds {
    fn played(&mut self, playouts: u64, total: Option<u64>) {
        self.reached(playouts, total);
    }

    fn is_stopped(&mut self) -> bool {
        self.is_over()
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
    run_shown(py, time, None, work)
}

/// The same, and tells `progress` how far it is: a function of what is done and of the whole or None, or a bar with the methods of
/// `tqdm`.
///
/// # Errors
/// As [`run`], and what `progress` raises.
pub(crate) fn run_shown<T: Send>(
    py: Python<'_>,
    time: Option<Duration>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Bounds) -> T + Send,
) -> PyResult<T> {
    let bounds = Bounds::new(time);
    let watched = bounds.clone();
    let mut shown = Shown { progress, done: 0 };
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(1);
        let receiver = Mutex::new(receiver);
        scope.spawn(move || sender.send(work(bounds)));
        loop {
            let answer = py.detach(|| locked(&receiver).recv_timeout(LOOK));
            if let Err(RecvTimeoutError::Disconnected) = answer {
                return Err(GroundfrogError::new_err("the work ended without a result"));
            }
            let told = shown.tell(&watched).and_then(|()| py.check_signals());
            match (answer, told) {
                (Ok(result), Ok(())) => return Ok(result),
                (Err(_), Ok(())) => {}
                (answer, Err(raised)) => {
                    watched.stop.store(true, Ordering::Relaxed);
                    if answer.is_err() {
                        let _ = py.detach(|| locked(&receiver).recv());
                    }
                    return Err(raised);
                }
            }
        }
    })
}

/// What Python was told last.
struct Shown<'call, 'py> {
    progress: Option<&'call Bound<'py, PyAny>>,
    done: u64,
}

impl Shown<'_, '_> {
    fn tell(&mut self, bounds: &Bounds) -> PyResult<()> {
        let Some(progress) = self.progress else { return Ok(()) };
        let done = bounds.done.load(Ordering::Relaxed);
        if done <= self.done {
            return Ok(());
        }
        let total = Some(bounds.total.load(Ordering::Relaxed)).filter(|&it| it > 0);
        if progress.hasattr("update")? {
            if total.is_some() {
                progress.setattr("total", total)?;
            }
            progress.call_method1("update", (done - self.done,))?;
        } else {
            progress.call1((done, total))?;
        }
        self.done = done;
        Ok(())
    }
}

fn locked<T>(receiver: &Mutex<Receiver<T>>) -> MutexGuard<'_, Receiver<T>> {
    receiver.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A value of Python from JSON.
pub(crate) fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}
