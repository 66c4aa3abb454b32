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
//! | `POST /api/check` | `{"text"}`: the findings of a check, as in [`json`](groundfrog_check::json) |
//! | `POST /api/games` | `{"name"}` or `{"text", "title"}`: opens a game: `id`, `roles`, `boards` |
//! | `GET /api/games/ID` | the same of a game that is open, or of its file as it is now |
//! | `GET /api/games/ID/rules` | its `title` and `text` |
//! | `GET /api/games/ID/knowledge` | what is proved of it and what it is made of, as `known`; `null` of one without a board |
//! | `GET /api/pictures?name=NAME` | a game that is offered, for a picture of its first state |
//! | `GET /api/matches?version=N` | all matches, once their version is no longer N |
//! | `POST /api/matches` | `{"game", "players", "start_clock", "play_clock", "person_clock"}`: begins a match: `id` |
//! | `GET /api/matches/ID?version=N&from=T&role=R` | the match, once its version is no longer N, with the moves and percepts from turn T on |
//! | `GET /api/matches/ID/positions/T?role=R` | the state after T joint moves, or where it is hidden what a person's role knows of it: places, facts, legal moves, what players thought |
//! | `POST /api/matches/ID/moves` | `{"role", "turn", "move"}`: a person's move |
//! | `POST /api/matches/ID/abort` | gives the match up |
//! | `POST /api/matches/ID/undo` | goes back to where a person chose last: `id` of the match that goes on from there |
//! | `POST /api/matches/ID/hint` | `{"role", "turn"}`: the `move` that a search would make, and its `value` |
//! | `GET /api/matches/ID/record` | the [record](crate::record) of a match that is over |
//!
//! What cannot be done is answered with `{"error"}` and a status of 400 or more.

mod advice;
mod answer;
mod connections;
mod folder;
mod game;
mod guard;
mod matches;
mod routes;
mod shown_match;
mod view;

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use web_time::Instant;

use groundfrog::Stop;
use groundfrog_player::protocol::connections::{ServingThread, listen};

use crate::board::Look;
use answer::{Refusal, Room};
use connections::WorkPlaces;
use game::{Games, Pictures};
use groundfrog_player::memory::ProcessMemory;
use matches::Matches;

/// How often what was to stop is looked at.
const INTERVAL: Duration = Duration::from_millis(20);
/// How long memory is waited for that is being given back.
const MEMORY_PATIENCE: Duration = Duration::from_secs(2);
/// Bytes of all requests that are read at once, and of all answers that are not taken yet.
const MOST_AT_ONCE: usize = 16 << 20;

/// A game that the page offers.
#[derive(Clone, Debug)]
pub struct OfferedGame {
    /// Its name, by which it is chosen.
    pub name: String,
    /// What it is, in a sentence; may be empty.
    pub summary: String,
    /// The description.
    pub text: GameText,
    /// The text of its hint file, if there is one: see [`Look`].
    pub look: Option<GameText>,
    /// Whether it was requested, and so is shown first.
    pub given: bool,
}

impl OfferedGame {
    /// What its hint file says; nothing if it has none.
    fn read_look(&self) -> Result<Look, String> {
        let Some(text) = &self.look else { return Ok(Look::default()) };
        let text = text.read()?;
        Look::parse(&String::from_utf8_lossy(&text)).map_err(|error| error.to_string())
    }
}

/// The description of a game that is offered.
#[derive(Clone)]
pub enum GameText {
    /// What does not change.
    Fixed(Cow<'static, [u8]>),
    /// What is read each time that the game is opened, such as a file; or why it cannot be read.
    Read(Arc<dyn Fn() -> Result<Vec<u8>, String> + Send + Sync>),
}

impl GameText {
    /// The text as it is now.
    fn read(&self) -> Result<Cow<'_, [u8]>, String> {
        match self {
            GameText::Fixed(text) => Ok(Cow::Borrowed(text)),
            GameText::Read(read) => Ok(Cow::Owned(read()?)),
        }
    }
}

impl fmt::Debug for GameText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameText::Fixed(text) => write!(out, "Fixed({} bytes)", text.len()),
            GameText::Read(_) => out.write_str("Read"),
        }
    }
}

/// What the page has, and what it may use.
#[derive(Clone, Debug)]
pub struct PageOptions {
    /// The games that are offered.
    pub games: Vec<OfferedGame>,
    /// A folder with records of matches that are shown, also while they grow.
    pub watch: Option<PathBuf>,
    /// Names that browsers may know this machine by, besides `localhost` and its numbers; with a port, or with the page's.
    pub hosts: Vec<String>,
    /// What whoever asks has to know, if anything.
    pub token: Option<String>,
    /// The addresses of players over HTTP that may be chosen; `None` lets all.
    pub remote_players: Option<Vec<String>>,
    /// Bytes that a request may have; a description has a quarter of them at most.
    pub most_bytes: usize,
    /// Time to open a game. What is not ground after two thirds of it is interpreted.
    pub open_time: Duration,
    /// Bytes for the rules of a game, and for the built-in strategies of a match together.
    pub memory: u64,
    /// The memory of the process: while it is short, nothing is begun and evaluations end.
    pub process: Arc<ProcessMemory>,
    /// How many threads a strategy may use; 0 takes all processors.
    pub threads: usize,
    /// Seed of what is drawn at random.
    pub seed: u64,
    /// A match at which nobody has looked for so long is given up.
    pub abandoned_after: Duration,
}

impl Default for PageOptions {
    /// No games; 10 seconds to open one, 1 GiB, one thread; requests of 4 MiB, from whoever connects; matches are abandoned after 10 minutes.
    fn default() -> Self {
        PageOptions {
            games: Vec::new(),
            watch: None,
            hosts: Vec::new(),
            token: None,
            remote_players: None,
            most_bytes: 4 << 20,
            open_time: Duration::from_secs(10),
            memory: 1 << 30,
            process: ProcessMemory::unlimited(),
            threads: 1,
            seed: 1,
            abandoned_after: Duration::from_secs(600),
        }
    }
}

/// What all requests share.
struct Shared {
    options: PageOptions,
    /// Where the page listens.
    address: SocketAddr,
    games: Mutex<Games>,
    pictures: Pictures,
    matches: Mutex<Matches>,
    /// Grows when a match is begun, goes on, or ends.
    version: tokio::sync::watch::Sender<u64>,
    /// For work on descriptions.
    work: WorkPlaces,
    /// No more answers are made at the same time.
    views: Arc<tokio::sync::Semaphore>,
    /// For bodies of requests.
    bodies: Room,
    /// For answers until they are taken.
    answers: Room,
    stop: Arc<AtomicBool>,
}

impl Shared {
    /// Ends work when a flag is raised, or memory is short.
    fn bounds(&self, flag: &Arc<AtomicBool>) -> Arc<dyn Stop> {
        Arc::new(self.options.process.bounds(flag))
    }

    /// What looking at a text may use: the other half is for matches.
    fn memory_of_text(&self) -> u64 {
        self.options.memory / 2
    }

    /// Refuses to begin anything while memory is short and remains so although games that nobody plays are closed.
    fn check_memory(&self) -> Result<(), Refusal> {
        self.check_memory_by(|| {})
    }

    /// The same, where something else makes room besides.
    fn check_memory_by(&self, make_room: impl Fn()) -> Result<(), Refusal> {
        let end = Instant::now() + MEMORY_PATIENCE;
        loop {
            if self.options.process.is_short() {
                self.games().forget();
                make_room();
            }
            let soon = Instant::now() + MEMORY_PATIENCE / 10;
            if self.options.process.wait(end.min(soon)) {
                return Ok(());
            }
            if Instant::now() > end {
                return Err(Refusal::busy(
                    "there is no memory left: give a match up, or try later",
                ));
            }
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
    serving: ServingThread,
}

impl PageServer {
    /// Listens on an address; with port 0 on any that is free.
    ///
    /// # Errors
    /// The address is taken or not of this machine, or there is no thread.
    pub fn start(address: SocketAddr, options: PageOptions) -> io::Result<Self> {
        let listener = listen(address)?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            address,
            games: Mutex::default(),
            pictures: Pictures::default(),
            matches: Mutex::default(),
            version: tokio::sync::watch::Sender::new(1),
            work: WorkPlaces::default(),
            views: Arc::new(tokio::sync::Semaphore::new(4)),
            bodies: Room::new(MOST_AT_ONCE.max(options.most_bytes)),
            answers: Room::new(MOST_AT_ONCE),
            stop: Arc::default(),
            options,
        });
        let own = Arc::clone(&shared);
        let serve = async move |listener| {
            let abandoned = matches::end_abandoned(Arc::clone(&own));
            tokio::select! {
                () = connections::serve(listener, routes::router(own)) => {}
                () = abandoned => {}
            }
        };
        let serving = ServingThread::start("page", listener, serve)?;
        if let Some(folder) = shared.options.watch.clone() {
            let own = Arc::clone(&shared);
            let watch = move || folder::watch(&folder, &own);
            thread::Builder::new().name("records".to_owned()).spawn(watch)?;
        }
        Ok(PageServer { address, shared, serving })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits until a flag is raised.
    pub fn run_until(&self, stop: &AtomicBool) {
        self.serving.run_until(stop);
    }
}

impl Drop for PageServer {
    /// Gives up all matches.
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.shared.matches().abort_all();
    }
}
