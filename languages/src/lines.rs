//! Messages over the network: lists in KIF, one a line, over TCP.
//!
//! In real-time games and markets both sides speak when they like, so that connections stay open; who plays or trades connects, and
//! needs to listen nowhere. One thread reads and writes all connections, so that nobody who is slow keeps the others, or the clock,
//! waiting. Lines and queues are bounded, and so are strangers, who have not joined: they are few at once, have some seconds to join,
//! and make way for who comes after them. What has joined is never cut for them.

use std::collections::BTreeMap;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use groundfrog::kif::{Lexer, TokenKind, decode};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// Bytes that a line may have which a player or trader sends.
pub const MOST_BYTES: usize = 64 << 10;
/// Bytes that a line may have which is sent to them: it may hold the rules.
const MOST_RULES: usize = 64 << 20;
/// Lines that may wait to be written to a connection; more, and it is closed.
const MOST_WAITING: usize = 4096;
/// How long the last lines may take when everything ends.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// How long writing a line may take.
const WRITE: Duration = Duration::from_secs(5);
/// How many strangers are connected at once.
const MOST_STRANGERS: usize = 64;
/// How long a stranger has to join.
const JOIN: Duration = Duration::from_secs(10);
/// Lines that are read from a stranger.
const STRANGE_LINES: usize = 16;
/// How often it is looked whether there is room again, or a stranger has joined.
const INTERVAL: Duration = Duration::from_millis(1);

/// What has come over a connection, by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// A line has come.
    Line(String),
    /// The connection of one who had joined is no more: the other side has closed it, or has sent a line that is too long or no text.
    Closed,
}

/// Something that has come, with the time when it did.
#[derive(Clone, Debug)]
pub struct Received {
    /// The number of the connection, in the order in which they were opened.
    pub peer: usize,
    /// When it came, however long it waited here.
    pub at: Instant,
    /// What came.
    pub arrival: Arrival,
}

/// The other side of a connection.
struct Peer {
    /// Its lines to be written. When this is dropped they are written, and the connection ends.
    lines: mpsc::Sender<String>,
    has_joined: Arc<AtomicBool>,
    has_spoken: bool,
}

/// All that are connected, by their numbers, which grow with time.
#[derive(Default)]
struct Peers(Mutex<BTreeMap<usize, Peer>>);

impl Peers {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<usize, Peer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a stranger in, in the place of another one if there are many.
    fn enter(&self, number: usize, lines: mpsc::Sender<String>) -> Arc<AtomicBool> {
        let strangers = |it: &&Peer| !it.has_joined.load(Ordering::Relaxed);
        if self.lock().values().filter(strangers).count() >= MOST_STRANGERS {
            self.make_way();
        }
        let has_joined = Arc::<AtomicBool>::default();
        let peer = Peer { lines, has_joined: Arc::clone(&has_joined), has_spoken: false };
        self.lock().insert(number, peer);
        has_joined
    }

    /// Ends the connection of the stranger that has been silent for longest, or else of the one that has been here for longest.
    fn make_way(&self) {
        let mut all = self.lock();
        let strangers = all.iter().filter(|it| !it.1.has_joined.load(Ordering::Relaxed));
        let found = strangers.min_by_key(|it| (it.1.has_spoken, *it.0)).map(|it| *it.0);
        found.and_then(|it| all.remove(&it));
    }
}

/// Listens for connections, until it is dropped.
pub struct Hub {
    address: SocketAddr,
    received: Receiver<Received>,
    peers: Arc<Peers>,
    /// Dropped when all is to end.
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Hub {
    /// Listens on an address, with port 0 on any that is free.
    ///
    /// # Errors
    /// The address is taken or not of this machine, or the system gives no thread.
    pub fn start(address: SocketAddr) -> io::Result<Self> {
        let runtime = runtime()?;
        let listener = runtime.block_on(TcpListener::bind(address))?;
        let address = listener.local_addr()?;
        let (sender, received) = sync_channel(MOST_WAITING);
        let (stop, stopped) = oneshot::channel::<()>();
        let peers = Arc::<Peers>::default();
        let own = Arc::clone(&peers);
        let work = move || runtime.block_on(serve(&listener, &own, &sender, stopped));
        let thread = Some(thread::Builder::new().name("lines".to_owned()).spawn(work)?);
        Ok(Hub { address, received, peers, stop: Some(stop), thread })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What comes next, if anything does within some time.
    pub fn receive(&self, within: Duration) -> Option<Received> {
        match self.received.recv_timeout(within) {
            Ok(received) => Some(received),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                thread::sleep(within);
                None
            }
        }
    }

    /// Makes a stranger one that has joined. Says whether the connection is still there.
    pub fn join(&self, peer: usize) -> bool {
        let peers = self.peers.lock();
        let peer = peers.get(&peer);
        peer.inspect(|it| it.has_joined.store(true, Ordering::Relaxed)).is_some()
    }

    /// Sends a line, without waiting. A connection on which too much waits is closed.
    pub fn send(&self, peer: usize, line: &str) {
        let mut peers = self.peers.lock();
        if peers.get(&peer).is_some_and(|it| it.lines.try_send(line.to_owned()).is_err()) {
            peers.remove(&peer);
        }
    }

    /// Closes a connection when what waits is written.
    pub fn close(&self, peer: usize) {
        self.peers.lock().remove(&peer);
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.stop = None;
        // The last lines are still to be written, unless somebody does not read.
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_io().enable_time().build()
}

/// Serves all who connect, until it is stopped.
async fn serve(
    listener: &TcpListener,
    peers: &Arc<Peers>,
    sender: &SyncSender<Received>,
    mut stopped: oneshot::Receiver<()>,
) {
    let mut connections = JoinSet::new();
    let mut number = 0;
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = connections.join_next() => continue,
            _ = &mut stopped => break,
        };
        let Ok((stream, _)) = accepted else {
            // Too many open files, for one: it may get better.
            peers.make_way();
            sleep(INTERVAL).await;
            continue;
        };
        let (lines, waiting) = mpsc::channel(MOST_WAITING);
        let has_joined = peers.enter(number, lines);
        let (peers, sender) = (Arc::clone(peers), sender.clone());
        connections.spawn(async move {
            let heard = Heard { peer: number, peers: &peers, sender: &sender };
            converse(stream, waiting, |read| heard.hear(read, &has_joined)).await;
            peers.lock().remove(&number);
            if has_joined.load(Ordering::Relaxed) {
                heard.tell(Instant::now(), Arrival::Closed).await;
            }
        });
        number += 1;
    }
    peers.lock().clear();
    let _ = timeout(LAST_WORDS, async { while connections.join_next().await.is_some() {} }).await;
}

/// Hears what a connection says.
struct Heard<'h> {
    peer: usize,
    peers: &'h Peers,
    sender: &'h SyncSender<Received>,
}

impl Heard<'_> {
    async fn tell(&self, at: Instant, arrival: Arrival) -> bool {
        deliver(self.sender, Received { peer: self.peer, at, arrival }).await
    }

    /// Passes lines on until the other side ends, says what is no line, or has not joined in time.
    async fn hear(&self, read: OwnedReadHalf, has_joined: &AtomicBool) {
        let begin = Instant::now();
        let mut lines = Lines::new(read, MOST_BYTES);
        let mut said = 0;
        loop {
            let is_stranger = !has_joined.load(Ordering::Relaxed);
            let left = JOIN.saturating_sub(begin.elapsed());
            if is_stranger && left.is_zero() {
                break;
            }
            let next = if !is_stranger {
                lines.next().await
            } else if said == STRANGE_LINES {
                sleep(INTERVAL).await;
                continue;
            } else {
                let Ok(next) = timeout(left, lines.next()).await else { continue };
                if let Some(peer) = self.peers.lock().get_mut(&self.peer) {
                    peer.has_spoken = true;
                }
                said += 1;
                next
            };
            let Some((at, line)) = next else { break };
            if !self.tell(at, Arrival::Line(line)).await {
                break;
            }
        }
        // What waits for it is still written.
        self.peers.lock().remove(&self.peer);
    }
}

/// Puts something into a queue that a thread empties, when there is room. Says whether anybody does.
async fn deliver<T>(queue: &SyncSender<T>, mut item: T) -> bool {
    loop {
        match queue.try_send(item) {
            Ok(()) => return true,
            Err(TrySendError::Disconnected(_)) => return false,
            Err(TrySendError::Full(back)) => item = back,
        }
        sleep(INTERVAL).await;
    }
}

/// Reads and writes a connection until nothing more is to be read or to be written.
async fn converse<F: Future<Output = ()>>(
    stream: TcpStream,
    waiting: mpsc::Receiver<String>,
    hear: impl FnOnce(OwnedReadHalf) -> F,
) {
    // Small messages are not to wait for others.
    let _ = stream.set_nodelay(true);
    let (read, write) = stream.into_split();
    let mut writing = pin!(write_lines(write, waiting));
    tokio::select! {
        () = hear(read) => {
            let _ = timeout(LAST_WORDS, writing).await;
        }
        () = &mut writing => {}
    }
}

/// Writes lines until there will be no more, or the other side does not read.
async fn write_lines(mut write: OwnedWriteHalf, mut waiting: mpsc::Receiver<String>) {
    while let Some(mut line) = waiting.recv().await {
        line.push('\n');
        if !matches!(timeout(WRITE, write.write_all(line.as_bytes())).await, Ok(Ok(()))) {
            break;
        }
    }
    let _ = write.shutdown().await;
}

/// The lines that come over a connection.
struct Lines {
    reader: BufReader<OwnedReadHalf>,
    bytes: Vec<u8>,
    most: usize,
}

impl Lines {
    fn new(read: OwnedReadHalf, most: usize) -> Self {
        Lines { reader: BufReader::new(read), bytes: Vec::new(), most }
    }

    /// The next line and when it came. None if the other side has ended, or says what is no line. Where it is not waited for to the
    /// end, what has come is kept.
    async fn next(&mut self) -> Option<(Instant, String)> {
        loop {
            let left = (self.most + 1).saturating_sub(self.bytes.len());
            let mut limited = (&mut self.reader).take(left as u64);
            limited.read_until(b'\n', &mut self.bytes).await.ok()?;
            let at = Instant::now();
            if !self.bytes.ends_with(b"\n") {
                return None;
            }
            let line = String::from_utf8(std::mem::take(&mut self.bytes)).ok()?;
            let line = line.trim();
            if !line.is_empty() {
                return Some((at, line.to_owned()));
            }
        }
    }
}

/// The side of a player or trader.
pub struct Connection {
    received: Receiver<(Instant, String)>,
    lines: mpsc::Sender<String>,
}

impl Connection {
    /// Connects.
    ///
    /// # Errors
    /// Nobody listens there, or the system gives no thread.
    pub fn open(address: SocketAddr, within: Duration) -> io::Result<Self> {
        let runtime = runtime()?;
        let stream = runtime.block_on(async { timeout(within, TcpStream::connect(address)).await });
        let stream = stream??;
        let (sender, received) = sync_channel(MOST_WAITING);
        let (lines, waiting) = mpsc::channel(MOST_WAITING);
        let hear = async move |read| {
            let mut lines = Lines::new(read, MOST_RULES);
            while let Some(line) = lines.next().await {
                if !deliver(&sender, line).await {
                    break;
                }
            }
        };
        let work = move || runtime.block_on(converse(stream, waiting, hear));
        thread::Builder::new().name("lines".to_owned()).spawn(work)?;
        Ok(Connection { received, lines })
    }

    /// The next line and when it came, if one comes within some time.
    ///
    /// # Errors
    /// The other side has closed the connection.
    pub fn receive(&self, within: Duration) -> io::Result<Option<(Instant, String)>> {
        match self.received.recv_timeout(within) {
            Ok(received) => Ok(Some(received)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::ConnectionAborted.into()),
        }
    }

    /// Sends a line.
    ///
    /// # Errors
    /// The other side has closed the connection, or does not read.
    pub fn send(&self, line: String) -> io::Result<()> {
        self.lines.try_send(line).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// A text in KIF on one line, without comments. None if the text has a character that KIF does not allow.
pub fn one_line(text: &str) -> Option<String> {
    let text = decode(text.as_bytes()).ok()?;
    let mut out = String::with_capacity(text.len());
    let mut lexer = Lexer::new(&text);
    let mut after_word = false;
    while let Some(token) = lexer.next_token().ok()? {
        let is_word = token.kind == TokenKind::Word;
        if is_word && after_word {
            out.push(' ');
        }
        out.push_str(token.span.text(&text));
        after_word = is_word;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    fn hub() -> Hub {
        Hub::start(([127, 0, 0, 1], 0).into()).expect("a free port")
    }

    fn connect(hub: &Hub) -> Connection {
        Connection::open(hub.address(), PATIENCE).expect("it listens")
    }

    fn say(connection: &Connection, line: &str) {
        connection.send(line.to_owned()).expect("it is open");
    }

    fn line(connection: &Connection) -> String {
        connection.receive(PATIENCE).expect("it is open").expect("a line").1
    }

    fn arrival(hub: &Hub) -> Option<(usize, Arrival)> {
        hub.receive(PATIENCE).map(|it| (it.peer, it.arrival))
    }

    fn is_closed(connection: &Connection) -> bool {
        connection.receive(PATIENCE).is_err()
    }

    #[test]
    fn descriptions_fit_a_line() {
        let text = "(role a) ; a comment\n(<= (p ?x)\n  (q ?x b))";
        assert_eq!(one_line(text).as_deref(), Some("(role a)(<=(p ?x)(q ?x b))"));
    }

    #[test]
    fn lines_go_both_ways_and_what_is_too_long_ends_the_connection() {
        let hub = hub();
        let one = connect(&hub);
        say(&one, "(hello 1)");
        assert_eq!(arrival(&hub), Some((0, Arrival::Line("(hello 1)".to_owned()))));
        assert!(hub.join(0));
        hub.send(0, "(answer)");
        assert_eq!(line(&one), "(answer)");
        say(&one, &"x".repeat(MOST_BYTES + 1));
        assert_eq!(arrival(&hub), Some((0, Arrival::Closed)));
        let other = connect(&hub);
        say(&other, "(hello 2)");
        assert_eq!(arrival(&hub), Some((1, Arrival::Line("(hello 2)".to_owned()))));
        hub.send(1, "(bye)");
        hub.close(1);
        assert_eq!(line(&other), "(bye)", "what waits is written");
        assert!(is_closed(&other) && !hub.join(1));
    }

    #[test]
    fn strangers_make_way_and_who_has_joined_stays() {
        let hub = hub();
        let joined = connect(&hub);
        say(&joined, "(join a)");
        assert_eq!(arrival(&hub), Some((0, Arrival::Line("(join a)".to_owned()))));
        assert!(hub.join(0));
        // Those who go leave nothing behind; of those who stay and say nothing the first ones have to go.
        (0..200).for_each(|_| drop(connect(&hub)));
        let silent: Vec<Connection> = (0..MOST_STRANGERS + 10).map(|_| connect(&hub)).collect();
        assert!(silent[..10].iter().all(is_closed));
        // One that says too much is not listened to, and one that comes after all of them is.
        let talker = connect(&hub);
        (0..1000).for_each(|_| say(&talker, "(hello)"));
        let late = connect(&hub);
        say(&late, "(join b)");
        let mut heard = Vec::new();
        while heard.last().is_none_or(|it| *it != Arrival::Line("(join b)".to_owned())) {
            heard.push(arrival(&hub).expect("a line").1);
        }
        assert!(heard.len() <= STRANGE_LINES + 1, "{}", heard.len());
        say(&joined, "(still here)");
        while heard.last().is_none_or(|it| *it != Arrival::Line("(still here)".to_owned())) {
            heard.push(arrival(&hub).expect("a line").1);
        }
        hub.send(0, "(so it is)");
        assert_eq!(line(&joined), "(so it is)");
    }
}
