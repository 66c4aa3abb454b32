//! Watches over the work: interruption, time, memory of the process, and the progress bar.
//!
//! The library checks its limits itself, but counts only its tables and rules. The supervisor sees the
//! whole process. When something is exceeded it raises the stop flag, which lets the library stop and
//! report the rule that was running. Work that does not heed the flag in time is ended from here, by a thread
//! that is started when the work turns out to last; what was derived last is then known from the stop flag.

use std::fmt::{self, Debug, Formatter};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use groundfrog_engine::Stop;

use crate::diagnostics::Reporter;
#[cfg(unix)]
use crate::failure::Exit;
use crate::failure::{Cause, Failure};
use crate::memory as process;
use crate::progress::{Activity, Bar, Progress};

/// Work that is done sooner needs no thread to watch it: starting one takes a tenth of a millisecond, and each
/// allocation takes longer as soon as there are two.
const SHORT: Duration = Duration::from_millis(3);
/// How often the supervisor looks.
const INTERVAL: Duration = Duration::from_millis(10);
/// How long the work may take to stop on its own, which shows the rule that was running.
const GRACE: Duration = Duration::from_millis(50);

/// How much more memory the process may have where work heeds the limit by itself.
const SLACK: u64 = 32 << 20;

/// How much longer a game may take that is one of several, each with a time of its own: the others are lost if it has to be
/// ended from here.
const GRACE_OF_GAME: Duration = Duration::from_secs(2);

/// Reports a failure when the process has to end at once.
type LastWords = Box<dyn FnOnce(&Failure) + Send>;

/// What the worker and the supervisor share.
struct Shared {
    start: Instant,
    time: Option<Duration>,
    memory: Option<u64>,
    /// The address space that was taken when it was looked last, if it is limited.
    space: AtomicU64,
    /// When the present game is to be done, and how long it may take, if not all games have one limit.
    end_of_game: Mutex<Option<(Instant, Duration)>>,
    /// Done when the thread is started.
    watch: Once,
    /// Whether work heeds the limit of memory by itself: what is above it, and more, ends the process at once.
    is_last_resort: bool,
    /// Raised by a signal too, which cannot set the cause.
    stop: Arc<AtomicBool>,
    cause: OnceLock<Cause>,
    finished: AtomicBool,
    /// Whether the time limit counts no longer.
    untimed: AtomicBool,
    progress: Progress,
    bar: Mutex<Bar>,
    /// What is to be reported besides the message if the process has to end at once.
    on_abandon: Mutex<Option<LastWords>>,
    /// A file to be deleted if the process has to end at once.
    temporary: Mutex<Option<PathBuf>>,
    /// Held by whoever has the last word.
    last_word: Mutex<()>,
}

impl Shared {
    fn stop(&self, cause: Cause) {
        // Only the first cause counts.
        let _ = self.cause.set(cause);
        self.stop.store(true, Ordering::Release);
    }

    /// Lets a thread watch from now on.
    fn watch(self: &Arc<Self>) {
        self.watch.call_once(|| {
            let watched = Arc::clone(self);
            // Nobody waits for the thread: it ends when it finds that the work is finished. Without it the
            // library still heeds its limits.
            let thread = thread::Builder::new().name("supervisor".into());
            let _ = thread.spawn(move || watch(&watched));
        });
    }

    /// The same if the work has lasted.
    fn watch_if_it_lasts(self: &Arc<Self>) {
        if !self.watch.is_completed() && self.start.elapsed() >= SHORT {
            self.watch();
        }
    }

    fn cause(&self) -> Option<Cause> {
        let stopped = self.stop.load(Ordering::Acquire);
        stopped.then(|| *self.cause.get_or_init(|| Cause::Interrupt))
    }
}

/// The stop flag as the library looks at it, which shows that the work lasts.
struct StopFlag(Arc<Shared>);

impl Debug for StopFlag {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.0.stop.fmt(out)
    }
}

impl Stop for StopFlag {
    fn is_raised(&self) -> bool {
        self.0.watch_if_it_lasts();
        self.0.stop.is_raised()
    }

    fn derives(&self, now: Option<(&str, u64)>) {
        self.0.progress.derive(now);
    }

    fn shortage(&self, bytes: u64, _age: Duration) -> Option<(u64, u64)> {
        process::shortage_of_space(bytes, self.0.space.load(Ordering::Relaxed))
    }
}

/// Watches over the work of a command.
pub(crate) struct Supervisor {
    shared: Arc<Shared>,
}

impl Supervisor {
    /// Begins to watch. `show_progress` allows a progress bar.
    pub(crate) fn start(time: Option<Duration>, memory: Option<u64>, show_progress: bool) -> Self {
        let supervisor = Self::of_short_work(time, memory, show_progress);
        supervisor.watch();
        supervisor
    }

    /// The same for work that may be short. Until it lasts or [`Supervisor::watch`] is called, nothing more is
    /// done than that signals raise the stop flag.
    pub(crate) fn of_short_work(
        time: Option<Duration>,
        memory: Option<u64>,
        show_progress: bool,
    ) -> Self {
        let supervisor = Self::new(time, memory, show_progress);
        raise_on_signal(&supervisor.shared.stop);
        supervisor
    }

    /// The same, and signals are left alone: where there is one supervisor after the other.
    pub(crate) fn new(time: Option<Duration>, memory: Option<u64>, show_progress: bool) -> Self {
        Self::with(time, memory, show_progress, false, Arc::default())
    }

    /// The same for what is done before a match begins, which a raised flag ends at once: nobody has to be told.
    pub(crate) fn before_match(stop: &Arc<AtomicBool>, memory: Option<u64>) -> Self {
        Self::with(None, memory, false, false, Arc::clone(stop))
    }

    fn with(
        time: Option<Duration>,
        memory: Option<u64>,
        show_progress: bool,
        is_last_resort: bool,
        stop: Arc<AtomicBool>,
    ) -> Self {
        let shared = Arc::new(Shared {
            start: Instant::now(),
            time,
            memory,
            space: AtomicU64::new(0),
            end_of_game: Mutex::default(),
            watch: Once::new(),
            is_last_resort,
            stop,
            cause: OnceLock::new(),
            finished: AtomicBool::new(false),
            untimed: AtomicBool::new(false),
            progress: Progress::default(),
            bar: Mutex::new(Bar::new(show_progress)),
            on_abandon: Mutex::default(),
            temporary: Mutex::default(),
            last_word: Mutex::default(),
        });
        Supervisor { shared }
    }

    /// The last resort for work that heeds its limit of memory by itself, as far as possible: it is ended when it has clearly more.
    pub(crate) fn last_resort(memory: Option<u64>) -> Self {
        let supervisor = Self::with(None, memory, false, true, Arc::default());
        if memory.is_some() {
            supervisor.watch();
        }
        supervisor
    }

    /// Watches from now on. To be called before anything that may block.
    pub(crate) fn watch(&self) {
        self.shared.watch();
    }

    /// Watches from now on if the work has lasted.
    pub(crate) fn watch_if_it_lasts(&self) {
        self.shared.watch_if_it_lasts();
    }

    /// The stop flag for the library.
    pub(crate) fn stop(&self) -> Arc<dyn Stop> {
        Arc::new(StopFlag(Arc::clone(&self.shared)))
    }

    /// The flag that is raised to stop the work.
    pub(crate) fn stop_flag(&self) -> &Arc<AtomicBool> {
        &self.shared.stop
    }

    /// Where the worker notes how far it has come.
    pub(crate) fn progress(&self) -> &Progress {
        &self.shared.progress
    }

    /// The time since the supervisor began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.shared.start.elapsed()
    }

    /// The time that is left, if it is limited.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.shared.time.map(|time| time.saturating_sub(self.elapsed()))
    }

    /// Bytes that the process may have, if they are limited.
    pub(crate) fn memory_limit(&self) -> Option<u64> {
        self.shared.memory
    }

    /// The time limit.
    pub(crate) fn time_limit(&self) -> Option<Duration> {
        self.shared.time
    }

    /// Limits the time for a game that begins now. The library stops by itself and reports what it has found; this is for
    /// work that does not.
    pub(crate) fn limit_game(&self, time: Duration) {
        let end = Instant::now().checked_add(time.saturating_add(GRACE_OF_GAME));
        *lock(&self.shared.end_of_game) = end.map(|it| (it, time));
    }

    /// Why the work has to stop, if it has to.
    pub(crate) fn cause(&self) -> Option<Cause> {
        self.shared.cause()
    }

    /// Fails if the work has to stop.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match self.cause() {
            Some(cause) => Err(Failure::stopped(cause, self.progress().activity())),
            None => Ok(()),
        }
    }

    /// From here on the time limit does not count: what is to come depends on a person.
    pub(crate) fn lift_time_limit(&self) {
        self.shared.untimed.store(true, Ordering::Relaxed);
    }

    /// Does something while no progress bar is on the screen, such as writing a line.
    pub(crate) fn without_bar<T>(&self, act: impl FnOnce() -> T) -> T {
        let mut bar = lock(&self.shared.bar);
        bar.clear();
        act()
    }

    /// Names the file to be deleted if the process has to end at once.
    pub(crate) fn set_temporary(&self, path: Option<PathBuf>) {
        *lock(&self.shared.temporary) = path;
    }

    /// Says what is to be done last if the process has to end at once, after the message.
    pub(crate) fn on_abandon(&self, last: impl FnOnce(&Failure) + Send + 'static) {
        *lock(&self.shared.on_abandon) = Some(Box::new(last));
    }

    /// Ends the watch: from here on the worker has the last word. Also for work that goes on although it is stopped: to write what it has
    /// found, or since that is how it ends.
    pub(crate) fn take_last_word(&self) {
        if self.shared.finished.load(Ordering::Relaxed) {
            return;
        }
        std::mem::forget(lock(&self.shared.last_word));
        let mut bar = lock(&self.shared.bar);
        self.shared.finished.store(true, Ordering::Release);
        bar.clear();
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.take_last_word();
    }
}

/// What is behind a lock, whoever failed while holding it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch(shared: &Shared) {
    let (time, memory) = (shared.time, shared.memory);
    let mut stopping: Option<Instant> = None;
    loop {
        thread::park_timeout(INTERVAL);
        if shared.finished.load(Ordering::Acquire) {
            return;
        }
        shared.space.store(process::space_taken().unwrap_or(0), Ordering::Relaxed);
        let elapsed = shared.start.elapsed();
        if let Some(limit) = time.filter(|&limit| elapsed > limit + INTERVAL)
            && !shared.untimed.load(Ordering::Relaxed)
        {
            shared.stop(Cause::Time(limit));
        } else if let Some((_, limit)) =
            lock(&shared.end_of_game).filter(|it| it.0 < Instant::now())
        {
            shared.stop(Cause::Time(limit));
        } else if let Some(allowed) = memory
            && let slack = if shared.is_last_resort { SLACK } else { 0 }
            && let Some(reached) =
                process::in_use().filter(|&it| it > allowed.saturating_add(slack))
        {
            shared.stop(Cause::Memory { allowed, reached });
        }
        if let Some(cause) = shared.cause() {
            // Where a result is written there is no more to report than is known here.
            let writes = shared.progress.activity() == Activity::Writing;
            let is_last = shared.is_last_resort && matches!(cause, Cause::Memory { .. });
            let grace = if writes || is_last { Duration::ZERO } else { GRACE };
            if stopping.get_or_insert_with(Instant::now).elapsed() >= grace {
                clear_bar(shared);
                abandon(shared, cause);
                return;
            }
        } else if let Ok(mut bar) = shared.bar.try_lock()
            && !shared.finished.load(Ordering::Acquire)
        {
            bar.draw(&shared.progress, elapsed);
        }
    }
}

/// Takes the bar off the screen, unless the worker has done so and is writing.
fn clear_bar(shared: &Shared) {
    if let Ok(mut bar) = shared.bar.try_lock() {
        bar.clear();
    }
}

/// Ends the process, unless the worker has the last word.
fn abandon(shared: &Shared, cause: Cause) {
    let Ok(_last_word) = shared.last_word.try_lock() else { return };
    let failure = Failure::stopped_while(cause, &shared.progress.words());
    if let Some(path) = lock(&shared.temporary).take() {
        // There is nowhere left to report a failure.
        let _ = std::fs::remove_file(path);
    }
    Reporter::new(false).failure(&failure);
    if let Some(last) = lock(&shared.on_abandon).take() {
        last(&failure);
    }
    std::process::exit(failure.exit().code().into());
}

/// Raises the flag on Ctrl-C and termination. Without a handler, where none can be set, a signal still ends the process, only less tidily.
pub(crate) fn raise_on_signal(flag: &Arc<AtomicBool>) {
    let flag = Arc::clone(flag);
    // The handler itself raises the flag: no thread has to wait for signals.
    #[cfg(unix)]
    for signal in SIGNALS {
        let _ = signal_hook::flag::register(signal, Arc::clone(&flag));
    }
    #[cfg(not(unix))]
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
}

/// The same for what takes a while to end, since others are told: a second signal ends the process at once, whatever it waits for.
pub(crate) fn raise_then_end(flag: &Arc<AtomicBool>) {
    // Handlers are called in the order in which they were set: this one first, when the flag is not raised yet.
    #[cfg(unix)]
    for signal in SIGNALS {
        let code = Exit::Interrupted.code().into();
        let _ = signal_hook::flag::register_conditional_shutdown(signal, code, Arc::clone(flag));
    }
    raise_on_signal(flag);
}

#[cfg(unix)]
const SIGNALS: [i32; 3] =
    [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP];
