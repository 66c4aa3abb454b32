//! A player that listens for a game server.
//!
//! One thread speaks with all peers, so that a connection costs no thread and a peer that says half a word keeps nobody waiting. Work has
//! threads, of which there are so many: for a message that is understood, and for what matches answer. So has the strategy of each
//! match, so that none that hangs or panics keeps anybody waiting. Beside the strategy another thread knows the legal moves: it checks
//! what the strategy answers, and answers at random when the strategy does not in time.

mod connection;
mod game;
mod matches;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use groundfrog::Description;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use web_time::Instant;

use crate::PeerText;
use crate::belief::Opponents;
use crate::clock::Margin;
use crate::memory::ProcessMemory;
use crate::protocol::connections::{Connections, ServingThread, listen};
use crate::strategy::{Decision, Strategy, StrategyError, StrategyOptions};
use crate::{StrategyKind, build_strategy};
use matches::Matches;

/// How many connections are open at once besides one for each match.
const MOST_CONNECTIONS: usize = 256;
/// How many messages of the greatest length may be read at once.
const MOST_LARGE: usize = 4;
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

impl StrategySource {
    fn make(
        &self,
        description: &Arc<Description>,
        role: &str,
        options: &StrategyOptions,
    ) -> Result<Box<dyn Strategy>, StrategyError> {
        match self {
            StrategySource::Kind(kind) => build_strategy(*kind, description, role, options),
            StrategySource::Other(make) => make(description, role, options),
        }
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
    understanding: Arc<Semaphore>,
    /// Held while the rules of a PREVIEW are read.
    previewing: Arc<Semaphore>,
    /// Held while a match begins: as many as there are matches.
    beginning: Arc<Semaphore>,
    /// For work: a message that is understood, a preview, and for each match one that begins and one that is played.
    workers: ThreadPool,
    /// Held by strategies, and by what follows matches.
    alive: Arc<()>,
}

impl Shared {
    fn matches(&self) -> MutexGuard<'_, Matches> {
        self.matches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn margin(&self) -> MutexGuard<'_, Margin> {
        self.margin.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_match_with(&self, peer: IpAddr) -> bool {
        self.matches().are_with(peer)
    }

    /// Does something that takes its time in a thread for work, which has a permit for it. None if it panics.
    async fn work<T: Send + 'static>(
        &self,
        permit: Option<OwnedSemaphorePermit>,
        act: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (sender, result) = oneshot::channel();
        self.workers.spawn_fifo(move || {
            let done = act();
            drop(permit);
            let _ = sender.send(done);
        });
        result.await.ok()
    }
}

/// A player that listens, until it is dropped.
pub struct PlayerServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    serving: ServingThread,
}

impl PlayerServer {
    /// Listens on an address; with port 0 on any that is free.
    ///
    /// # Errors
    /// The address is taken or not of this machine, or the system does not give the threads.
    pub fn start(address: SocketAddr, options: ServerOptions) -> io::Result<Self> {
        let listener = listen(address)?;
        let address = listener.local_addr()?;
        let margin = Margin::measure(options.crowd());
        let most = MOST_CONNECTIONS + options.matches;
        let most_bytes = options.most_bytes.saturating_mul(MOST_LARGE);
        let workers = ThreadPoolBuilder::new()
            .num_threads(2 * options.matches + 2)
            .thread_name(|_| "work".to_owned())
            .panic_handler(|_| {})
            .build();
        let shared = Arc::new(Shared {
            matches: Mutex::default(),
            margin: Mutex::new(margin),
            connections: Connections::new(most, most_bytes),
            understanding: Arc::new(Semaphore::new(1)),
            previewing: Arc::new(Semaphore::new(1)),
            beginning: Arc::new(Semaphore::new(options.matches)),
            workers: workers.map_err(io::Error::other)?,
            alive: Arc::default(),
            options,
        });
        let own = Arc::clone(&shared);
        let serve = |listener| accept(listener, own);
        let serving = ServingThread::start("connections", listener, serve)?;
        Ok(PlayerServer { address, shared, serving })
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

impl Drop for PlayerServer {
    fn drop(&mut self) {
        self.shared.matches().clear();
    }
}

/// Serves all who connect.
async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        let is_known = |it| shared.has_match_with(it);
        let (stream, peer, entered) = shared.connections.accept(&listener, is_known).await;
        if let Some(place) = entered {
            let own = Arc::clone(&shared);
            tokio::spawn(connection::serve(stream, peer, place, Instant::now(), own));
        }
    }
}
