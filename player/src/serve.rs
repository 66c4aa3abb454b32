//! A page that shows games and matches in a browser, and lets persons play.
//!
//! [`PageServer`] listens for browsers. It has games: those that it is given, and those that are pasted; and matches: those
//! that are begun on the page, whose roles are played by persons, built-in strategies or players over HTTP, and those
//! whose records lie in a folder that is watched. The page itself is plain HTML, CSS and JavaScript, built into the program; it asks for
//! JSON below `/api`:
//!
//! | Request | Answer |
//! | --- | --- |
//! | `GET /api/games` | the games that are offered, the strategies that are built in, and limits |
//! | `POST /api/check` | `{"text"}`: the findings of a check, as in [`json`](groundfrog_reasoner::check::json) |
//! | `POST /api/games` | `{"name"}` or `{"text", "title"}`: opens a game: `id`, `roles`, `boards` |
//! | `GET /api/games/ID` | the same of a game that is open |
//! | `GET /api/matches?version=N` | all matches, once their version is no longer N |
//! | `POST /api/matches` | `{"game", "players", "start_clock", "play_clock", "person_clock"}`: begins a match: `id` |
//! | `GET /api/matches/ID?version=N&from=T&role=R` | the match, once its version is no longer N, with the moves from turn T on |
//! | `GET /api/matches/ID/positions/T?role=R` | the state after T joint moves: places, facts, legal moves, what players thought |
//! | `POST /api/matches/ID/moves` | `{"role", "turn", "move"}`: a person's move |
//! | `POST /api/matches/ID/abort` | gives the match up |
//! | `GET /api/matches/ID/record` | the [record](crate::record) of a match that is over |
//!
//! What cannot be done is answered with `{"error"}` and a status of 400 or more.

mod answer;
mod connections;
mod folder;
mod game;
mod games;
mod guard;
mod matches;
mod page;
mod requests;
mod routes;
mod shown_match;
mod view;

use std::borrow::Cow;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use groundfrog::Stop;

use crate::memory::{MatchStop, ProcessMemory};
use answer::Refusal;
use connections::Connections;
use games::Games;
use matches::Matches;

/// How often what was to stop is looked at.
const INTERVAL: Duration = Duration::from_millis(20);

/// A game that the page offers.
#[derive(Clone, Debug)]
pub struct OfferedGame {
    /// Its name, by which it is chosen.
    pub name: String,
    /// What it is, in a sentence; may be empty.
    pub summary: String,
    /// The description.
    pub text: Cow<'static, [u8]>,
    /// Whether it was requested, and so is shown first.
    pub given: bool,
}

/// What the page has, and what it may use.
#[derive(Clone, Debug)]
pub struct PageOptions {
    /// The games that are offered.
    pub games: Vec<OfferedGame>,
    /// A folder with records of matches that are shown, also while they grow.
    pub watch: Option<PathBuf>,
    /// Names that browsers may know this machine by, besides `localhost` and its numbers.
    pub hosts: Vec<String>,
    /// Time to ground a game; then its rules are interpreted.
    pub ground_time: Duration,
    /// Bytes for the rules of a game, and for the built-in strategies of a match together.
    pub memory: u64,
    /// The memory of the process: while it is short, nothing is begun and evaluations end.
    pub process: Arc<ProcessMemory>,
    /// How many threads a strategy may use; 0 takes all processors.
    pub threads: usize,
    /// Seed of what is drawn at random.
    pub seed: u64,
}

impl Default for PageOptions {
    /// No games; 10 seconds to ground one, 1 GiB, one thread.
    fn default() -> Self {
        PageOptions {
            games: Vec::new(),
            watch: None,
            hosts: Vec::new(),
            ground_time: Duration::from_secs(10),
            memory: 1 << 30,
            process: ProcessMemory::unlimited(),
            threads: 1,
            seed: 1,
        }
    }
}

/// What all requests share.
struct Shared {
    options: PageOptions,
    games: Mutex<Games>,
    matches: Mutex<Matches>,
    /// Grows when a match is begun, goes on, or ends.
    version: tokio::sync::watch::Sender<u64>,
    /// No more descriptions are looked at at the same time.
    work: tokio::sync::Semaphore,
    stop: Arc<AtomicBool>,
}

impl Shared {
    /// Ends work when a flag is raised, or memory is short.
    fn bounds(&self, flag: &Arc<AtomicBool>) -> Arc<dyn Stop> {
        MatchStop::shared(flag, &self.options.process)
    }

    /// Refuses to begin anything while memory is short.
    fn check_memory(&self) -> Result<(), Refusal> {
        match self.options.process.is_short() {
            true => Err(Refusal::busy("there is no memory left: give a match up, or try later")),
            false => Ok(()),
        }
    }

    fn games(&self) -> MutexGuard<'_, Games> {
        lock(&self.games)
    }

    fn matches(&self) -> MutexGuard<'_, Matches> {
        lock(&self.matches)
    }
}

/// What a thread that has panicked has left is still worth showing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A page that is served, until it is dropped.
pub struct PageServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    end: Option<tokio::sync::oneshot::Sender<()>>,
    serving: Option<thread::JoinHandle<()>>,
}

impl PageServer {
    /// Listens on an address; with port 0 on any that is free.
    ///
    /// # Errors
    /// The address is taken or not of this machine, or there is no thread.
    pub fn start(address: SocketAddr, options: PageOptions) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            games: Mutex::default(),
            matches: Mutex::default(),
            version: tokio::sync::watch::Sender::new(1),
            work: tokio::sync::Semaphore::new(2),
            stop: Arc::default(),
            options,
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (end, ended) = tokio::sync::oneshot::channel::<()>();
        let own = Arc::clone(&shared);
        let serve = move || {
            runtime.block_on(async move {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                let serving = axum::serve(Connections::new(listener), routes::router(own));
                tokio::select! {
                    _ = serving => {}
                    _ = ended => {}
                }
            });
            // Work on a description heeds its flag; nobody waits for the answer any more.
            runtime.shutdown_background();
        };
        let serving = thread::Builder::new().name("page".to_owned()).spawn(serve)?;
        if let Some(folder) = shared.options.watch.clone() {
            let own = Arc::clone(&shared);
            let watch = move || folder::watch(&folder, &own);
            thread::Builder::new().name("records".to_owned()).spawn(watch)?;
        }
        Ok(PageServer { address, shared, end: Some(end), serving: Some(serving) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits until a flag is raised.
    pub fn run_until(&self, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            thread::park_timeout(INTERVAL);
        }
    }
}

impl Drop for PageServer {
    /// Gives up all matches.
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.shared.matches().abort_all();
        if let Some(end) = self.end.take() {
            let _ = end.send(());
        }
        if let Some(serving) = self.serving.take() {
            let _ = serving.join();
        }
    }
}
