//! Messages over the network: lists in KIF, one a line, over TCP.
//!
//! In real-time games and markets both sides speak when they like, so that connections stay open; who plays or trades connects, and
//! needs to listen nowhere. Each connection has a thread that reads and one that writes, so that nobody who is slow keeps the
//! others, or the clock, waiting. Lines, queues and connections are bounded.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use groundfrog::kif::{Lexer, TokenKind, decode};

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

/// What has come over a connection, by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// Somebody has connected.
    Opened,
    /// A line has come.
    Line(String),
    /// The connection is no more: the other side has closed it, or has sent a line that is too long or no text.
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

/// Where a connection's lines to be written wait.
struct Outbox {
    lines: SyncSender<String>,
    stream: TcpStream,
}

#[derive(Default)]
struct Outboxes {
    outboxes: Mutex<Vec<Option<Outbox>>>,
    /// How many threads write.
    writing: Arc<AtomicUsize>,
}

impl Outboxes {
    fn lock(&self) -> MutexGuard<'_, Vec<Option<Outbox>>> {
        self.outboxes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Listens for connections, until it is dropped.
pub struct Hub {
    address: SocketAddr,
    received: Receiver<Received>,
    outboxes: Arc<Outboxes>,
    stop: Arc<AtomicBool>,
}

impl Hub {
    /// Listens on an address, with port 0 on any that is free, for so many connections at the most, over all the time.
    ///
    /// # Errors
    /// The address is taken or not of this machine.
    pub fn start(address: SocketAddr, most_peers: usize) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let (sender, received) = sync_channel(MOST_WAITING);
        let outboxes = Arc::<Outboxes>::default();
        let stop = Arc::<AtomicBool>::default();
        let (own, is_over) = (Arc::clone(&outboxes), Arc::clone(&stop));
        let accept = move || accept(&listener, most_peers, &sender, &own, &is_over);
        thread::Builder::new().name("accept".to_owned()).spawn(accept)?;
        Ok(Hub { address, received, outboxes, stop })
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

    /// Sends a line, without waiting. A connection on which too much waits is closed.
    pub fn send(&self, peer: usize, line: &str) {
        let mut outboxes = self.outboxes.lock();
        let Some(place) = outboxes.get_mut(peer) else { return };
        let is_sent = place.as_ref().is_some_and(|it| it.lines.try_send(line.to_owned()).is_ok());
        if !is_sent && let Some(outbox) = place.take() {
            let _ = outbox.stream.shutdown(Shutdown::Both);
        }
    }

    /// Closes a connection when what waits is written.
    pub fn close(&self, peer: usize) {
        if let Some(place) = self.outboxes.lock().get_mut(peer) {
            *place = None;
        }
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.outboxes.lock().clear();
        // The last lines are still to be written, unless somebody does not read.
        let deadline = Instant::now() + LAST_WORDS;
        while self.outboxes.writing.load(Ordering::Relaxed) > 0 && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        // Wakes up who waits for a connection.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
    }
}

fn accept(
    listener: &TcpListener,
    most_peers: usize,
    sender: &SyncSender<Received>,
    outboxes: &Arc<Outboxes>,
    stop: &AtomicBool,
) {
    for peer in 0..most_peers {
        let stream = loop {
            let accepted = listener.accept();
            if stop.load(Ordering::Relaxed) {
                return;
            }
            match accepted {
                Ok((stream, _)) => break stream,
                // Too many open files, for one: it may get better.
                Err(_) => thread::sleep(Duration::from_millis(5)),
            }
        };
        let outbox = open(&stream, format!("write {peer}"), Arc::clone(&outboxes.writing));
        outboxes.lock().push(outbox.ok());
        let sender = sender.clone();
        let read = move || {
            let tell = |at, arrival| sender.send(Received { peer, at, arrival }).is_ok();
            if tell(Instant::now(), Arrival::Opened) {
                read_lines(stream, MOST_BYTES, &mut |at, line| tell(at, Arrival::Line(line)));
                tell(Instant::now(), Arrival::Closed);
            }
        };
        let _ = thread::Builder::new().name(format!("read {peer}")).spawn(read);
    }
}

/// Begins to write what is put into the outbox.
fn open(stream: &TcpStream, name: String, writing: Arc<AtomicUsize>) -> io::Result<Outbox> {
    // Small messages are not to wait for others.
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE))?;
    let (sender, lines) = sync_channel::<String>(MOST_WAITING);
    let counted = Arc::clone(&writing);
    let (mut out, own) = (stream.try_clone()?, stream.try_clone()?);
    let write = move || {
        for mut line in lines {
            line.push('\n');
            if out.write_all(line.as_bytes()).is_err() {
                break;
            }
        }
        let _ = out.shutdown(Shutdown::Write);
        writing.fetch_sub(1, Ordering::Relaxed);
    };
    counted.fetch_add(1, Ordering::Relaxed);
    thread::Builder::new().name(name).spawn(write).inspect_err(|_| {
        counted.fetch_sub(1, Ordering::Relaxed);
    })?;
    Ok(Outbox { lines: sender, stream: own })
}

/// Reads lines until the other side ends, or says what is no line; `take` returns whether to go on.
fn read_lines(stream: TcpStream, most: usize, take: &mut dyn FnMut(Instant, String) -> bool) {
    let mut reader = BufReader::new(stream);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let mut limited = (&mut reader).take(most as u64 + 1);
        let read = limited.read_until(b'\n', &mut bytes);
        let at = Instant::now();
        if read.is_err() || !bytes.ends_with(b"\n") {
            return;
        }
        let Ok(line) = str::from_utf8(&bytes) else { return };
        let line = line.trim();
        if !line.is_empty() && !take(at, line.to_owned()) {
            return;
        }
    }
}

/// The side of a player or trader.
pub struct Connection {
    received: Receiver<(Instant, String)>,
    outbox: Outbox,
}

impl Connection {
    /// Connects.
    ///
    /// # Errors
    /// Nobody listens there.
    pub fn open(address: SocketAddr, within: Duration) -> io::Result<Self> {
        let stream = TcpStream::connect_timeout(&address, within)?;
        let outbox = open(&stream, "write".to_owned(), Arc::default())?;
        let (sender, received) = sync_channel(MOST_WAITING);
        let read = move || {
            read_lines(stream, MOST_RULES, &mut |at, line| sender.send((at, line)).is_ok());
        };
        thread::Builder::new().name("read".to_owned()).spawn(read)?;
        Ok(Connection { received, outbox })
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
        self.outbox.lines.try_send(line).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let _ = self.outbox.stream.shutdown(Shutdown::Both);
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

    #[test]
    fn descriptions_fit_a_line() {
        let text = "(role a) ; a comment\n(<= (p ?x)\n  (q ?x b))";
        assert_eq!(one_line(text).as_deref(), Some("(role a)(<=(p ?x)(q ?x b))"));
    }

    #[test]
    fn lines_go_both_ways_and_what_is_too_long_ends_the_connection() {
        let hub = Hub::start(([127, 0, 0, 1], 0).into(), 3).expect("a free port");
        let second = Duration::from_secs(5);
        let one = Connection::open(hub.address(), second).expect("it listens");
        let arrival = |hub: &Hub| hub.receive(second).map(|it| (it.peer, it.arrival));
        assert_eq!(arrival(&hub), Some((0, Arrival::Opened)));
        one.send("(hello 1)".to_owned()).expect("it is open");
        assert_eq!(arrival(&hub), Some((0, Arrival::Line("(hello 1)".to_owned()))));
        hub.send(0, "(answer)");
        let (_, answer) = one.receive(second).expect("it is open").expect("an answer");
        assert_eq!(answer, "(answer)");
        one.send("x".repeat(MOST_BYTES + 1)).expect("it is open");
        assert_eq!(arrival(&hub), Some((0, Arrival::Closed)));
        let other = Connection::open(hub.address(), second).expect("it listens");
        assert_eq!(arrival(&hub), Some((1, Arrival::Opened)));
        hub.close(1);
        let ended = (0..50).any(|_| other.receive(Duration::from_millis(100)).is_err());
        assert!(ended);
    }
}
