//! A player that listens for a game server.
//!
//! Each connection has a thread, of which there are so many, and so has the strategy of each match, so that neither a peer that says half a word nor a strategy that
//! hangs or panics keeps anybody waiting. Beside the strategy another thread knows the legal moves: it checks what the strategy
//! answers, and answers at random when the strategy does not in time.

mod connection;
mod connections;
mod game;

use std::fmt::{self, Debug, Formatter};
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use web_time::Instant;

use groundfrog::{Description, Stop};

use crate::PeerText;
use crate::belief::Opponents;
use crate::clock::Margin;
use crate::memory::ProcessMemory;
use crate::protocol::listen;
use crate::strategy::{BestSoFar, Decision, Strategy, StrategyError, StrategyOptions, Turn};
use crate::{StrategyKind, build_strategy};
use connection::Matches;
use connections::Connections;

/// Strategies and followers of matches that are over may still work; if more than this do, further matches are played without one.
const MOST_STRAYS: usize = 8;
/// How often what was to stop is looked at.
const INTERVAL: Duration = Duration::from_millis(20);

/// Takes an entry for each message.
pub type LogTaker = Arc<dyn Fn(&LogEntry) + Send + Sync>;

/// What a player is.
#[derive(Clone)]
pub struct ServerOptions {
    /// The name that INFO tells.
    pub name: String,
    /// What makes a strategy for each match.
    pub strategy: StrategySource,
    /// How many matches are played at once.
    pub matches: usize,
    /// How many threads a strategy may use; 0 takes all processors.
    pub threads: usize,
    /// Bytes for all matches together, if that is limited.
    pub memory: Option<u64>,
    /// The memory of the process: while it is short, matches are refused and evaluations end.
    pub process: Arc<ProcessMemory>,
    /// Seed of what is drawn at random.
    pub seed: u64,
    /// How the other roles are assumed to play, where a role does not see what they do.
    pub opponents: Opponents,
    /// Bytes that a message may have.
    pub most_bytes: usize,
    /// Sites whose pages may ask, such as `http://localhost:8000`; `*` is any.
    pub allowed_origins: Vec<String>,
    /// Told of each message that was answered.
    pub log: Option<LogTaker>,
}

impl Default for ServerOptions {
    /// One match at a time by plain Monte Carlo, messages of 4 MiB at most, no pages.
    fn default() -> Self {
        ServerOptions {
            name: "groundfrog".to_owned(),
            strategy: StrategySource::Kind(StrategyKind::MonteCarlo),
            matches: 1,
            threads: 1,
            memory: Some(4 << 30),
            process: ProcessMemory::unlimited(),
            seed: 1,
            opponents: Opponents::default(),
            most_bytes: 4 << 20,
            allowed_origins: Vec::new(),
            log: None,
        }
    }
}

impl ServerOptions {
    /// How many threads of strategies share a processor when all matches are played.
    fn crowd(&self) -> u32 {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let threads = if self.threads == 0 { processors } else { self.threads };
        u32::try_from((threads * self.matches).div_ceil(processors)).unwrap_or(u32::MAX)
    }
}

impl Debug for ServerOptions {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.debug_struct("ServerOptions")
            .field("name", &self.name)
            .field("matches", &self.matches)
            .finish_non_exhaustive()
    }
}

/// Makes strategies.
pub type StrategyFunction = dyn Fn(&Arc<Description>, &str, &StrategyOptions) -> Result<Box<dyn Strategy>, StrategyError>
    + Send
    + Sync;

/// Where the strategies of a player come from.
#[derive(Clone)]
pub enum StrategySource {
    /// One of those that are built in.
    Kind(StrategyKind),
    /// Another one, for a description and a role.
    Other(Arc<StrategyFunction>),
}

/// Makes a strategy, and counts it for as long as it lives.
pub(crate) struct MakesStrategies {
    source: StrategySource,
    alive: Arc<AtomicUsize>,
}

impl MakesStrategies {
    fn make(
        &self,
        description: &Arc<Description>,
        role: &str,
        options: &StrategyOptions,
    ) -> Result<Box<dyn Strategy>, StrategyError> {
        let strategy = match &self.source {
            StrategySource::Kind(kind) => build_strategy(*kind, description, role, options)?,
            StrategySource::Other(make) => make(description, role, options)?,
        };
        Ok(Box::new(Counted::new(strategy, &self.alive)))
    }
}

/// What is counted as alive: a strategy, or what the threads hold that follow a match.
#[derive(Debug)]
struct Counted<T> {
    inner: T,
    alive: Arc<AtomicUsize>,
}

impl<T> Counted<T> {
    fn new(inner: T, alive: &Arc<AtomicUsize>) -> Self {
        alive.fetch_add(1, Ordering::Relaxed);
        Counted { inner, alive: Arc::clone(alive) }
    }
}

impl Stop for Counted<Arc<dyn Stop>> {
    fn is_raised(&self) -> bool {
        self.inner.is_raised()
    }

    fn shortage(&self, bytes: u64, since: Instant) -> Option<(u64, u64)> {
        self.inner.shortage(bytes, since)
    }
}

impl<T> Drop for Counted<T> {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Strategy for Counted<Box<dyn Strategy>> {
    fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError> {
        self.inner.prepare(deadline)
    }

    fn choose(&mut self, deadline: Instant) -> Result<Decision, StrategyError> {
        self.inner.choose(deadline)
    }

    fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        self.inner.observe(turn)
    }

    fn ponder(&mut self, until: Instant, called: Arc<dyn Stop>) -> Result<(), StrategyError> {
        self.inner.ponder(until, called)
    }

    fn leave_best_in(&mut self, best: BestSoFar) {
        self.inner.leave_best_in(best);
    }
}

/// What was answered to a message.
#[derive(Clone, Debug, serde::Serialize)]
pub struct LogEntry {
    /// `start`, `play`, `stop`, `abort`, `preview`, or `refused` for what is no message or cannot be answered.
    pub event: &'static str,
    /// The match, if it is about one.
    #[serde(rename = "match", skip_serializing_if = "str::is_empty")]
    pub id: PeerText,
    /// Joint moves made before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// The answer, or the beginning of one that is long.
    pub answer: PeerText,
    /// Why the answer is not the strategy's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<PeerText>,
    /// Seconds from connecting until the answer was written.
    pub seconds: f64,
    /// Seconds of the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<f64>,
    /// Seconds before the end of the clock at which the strategy was to have chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// What the strategy knows about its move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
}

/// What all connections share.
struct Shared {
    options: ServerOptions,
    matches: Mutex<Matches>,
    margin: Mutex<Margin>,
    connections: Arc<Connections>,
    /// Held while a long message is understood: one after the other.
    understanding: Mutex<()>,
    alive: Arc<AtomicUsize>,
    stop: AtomicBool,
}

impl Shared {
    fn matches(&self) -> MutexGuard<'_, Matches> {
        self.matches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn margin(&self) -> MutexGuard<'_, Margin> {
        self.margin.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What makes the strategy of a new match, unless too many do not end.
    fn makes(&self) -> Option<MakesStrategies> {
        let alive = self.alive.load(Ordering::Relaxed);
        (alive < 2 * self.options.matches + MOST_STRAYS).then(|| MakesStrategies {
            source: self.options.strategy.clone(),
            alive: Arc::clone(&self.alive),
        })
    }
}

/// A player that listens, until it is dropped.
pub struct PlayerServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<thread::JoinHandle<()>>,
}

impl PlayerServer {
    /// Listens on an address; with port 0 on any that is free.
    ///
    /// # Errors
    /// The address is taken or not of this machine.
    pub fn start(address: SocketAddr, options: ServerOptions) -> io::Result<Self> {
        let listener = listen(address)?;
        let address = listener.local_addr()?;
        let margin = Margin::measure(options.crowd());
        let connections = Connections::new(options.matches, options.most_bytes);
        let shared = Arc::new(Shared {
            options,
            matches: Mutex::default(),
            margin: Mutex::new(margin),
            connections: Arc::new(connections),
            understanding: Mutex::default(),
            alive: Arc::default(),
            stop: AtomicBool::new(false),
        });
        let own = Arc::clone(&shared);
        let builder = thread::Builder::new().name("accept".to_owned());
        let accepting = builder.spawn(move || accept(&listener, &own))?;
        Ok(PlayerServer { address, shared, accepting: Some(accepting) })
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

impl Drop for PlayerServer {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.shared.matches().clear();
        // Wakes up who waits for a connection.
        let woken = TcpStream::connect_timeout(&reachable(self.address), Duration::from_secs(1));
        if let (Ok(_), Some(accepting)) = (woken, self.accepting.take()) {
            let _ = accepting.join();
        }
    }
}

/// An address to connect to, where the one that is listened on stands for all.
fn reachable(address: SocketAddr) -> SocketAddr {
    let own = match address {
        SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
        SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
    };
    let ip = if address.ip().is_unspecified() { own } else { address.ip() };
    SocketAddr::new(ip, address.port())
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for number in 0.. {
        let accepted = listener.accept();
        let arrived = Instant::now();
        while !shared.connections.has_thread() && !shared.stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(1));
        }
        if shared.stop.load(Ordering::Relaxed) {
            return;
        }
        let Ok((stream, _)) = accepted else {
            // Too many open files, for one: it may get better.
            thread::sleep(Duration::from_millis(5));
            continue;
        };
        let has_match = |peer| shared.matches().are_with(peer);
        let Some(place) = shared.connections.enter(number, stream, has_match) else { continue };
        let own = Arc::clone(shared);
        let serve = move || connection::serve(&place, arrived, &own);
        // Without a thread the connection is closed.
        let _ = thread::Builder::new().name("connection".to_owned()).spawn(serve);
    }
}
