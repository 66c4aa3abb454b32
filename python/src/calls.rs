//! Calls that may take long: they let other threads of Python run, end at a timeout and at Ctrl-C, and say how far they are.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use groundfrog::Limits;
use groundfrog_reasoner::{Machine, PlayoutObserver};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{GroundfrogError, LimitError};

/// How often Python is asked whether a signal has come, and told how far the work is.
const LOOK: Duration = Duration::from_millis(50);

/// Longer than anybody waits; it can be added to any moment.
const LONGEST: Duration = Duration::from_secs(1 << 32);

/// What threads of calls have as a stack, as much as that of a program.
const STACK: usize = 8 << 20;

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

    /// The same for each evaluation of a machine, and for all of them.
    pub(crate) fn bind(&self, machine: &mut Machine, limits: Limits) {
        machine.set_limits(Limits { time: None, stop: Some(self.stop.clone()), ..limits });
        machine.set_deadline(self.deadline);
    }

    /// How long there is, from now on.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.deadline.map(|it| it.saturating_duration_since(Instant::now()))
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
            .map(|it| it.min(LONGEST))
            .map_err(|error| PyValueError::new_err(format!("{seconds} seconds: {error}")))
    };
    seconds.map(duration).transpose()
}

/// Does work in a thread of its own, while Python's other threads run.
///
/// # Errors
/// What a signal handler of Python raises; the work is stopped then. A panic is a [`GroundfrogError`].
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
        let work = move || drop(sender.send(caught(|| work(bounds))));
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .map_err(|error| LimitError::new_err(format!("no thread could be started: {error}")))?;
        loop {
            let answer = py.detach(|| locked(&receiver).recv_timeout(LOOK));
            if let Err(RecvTimeoutError::Disconnected) = answer {
                return Err(GroundfrogError::new_err("the work ended without a result"));
            }
            let told = shown.tell(&watched).and_then(|()| py.check_signals());
            match (answer, told) {
                (Ok(result), Ok(())) => return result,
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

/// What work returns; a fault of this package is an error, and the interpreter goes on.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
        GroundfrogError::new_err(format!("a fault of groundfrog, please report it: {said}"))
    })
}

/// Waits for a lock while Python's other threads run.
///
/// # Errors
/// What a signal handler of Python raises, and [`LimitError`] after that time.
pub(crate) fn lock<'lock, T>(
    py: Python<'_>,
    lock: &'lock Mutex<T>,
    time: Option<Duration>,
) -> PyResult<MutexGuard<'lock, T>> {
    let since = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(guard) => return Ok(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {}
        }
        if time.is_some_and(|time| since.elapsed() >= time) {
            return Err(LimitError::new_err("time ran out while another thread asked the game"));
        }
        py.detach(|| std::thread::sleep(Duration::from_millis(1)));
        py.check_signals()?;
    }
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
