//! Listening, and the connections that are open: so many at once, with so many bytes that are being read.
//!
//! Nobody is kept waiting by those who open connections and do not go on: where a place, a descriptor or bytes are short, the
//! connection goes that has been unfinished for longest. Connections of peers that somebody knows go last.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio::time::sleep;

/// Bytes of a message that count for nothing: all that most messages have.
const FREE: usize = 16 << 10;
/// How many descriptors are left to others where the system gives no more.
const SPARE: usize = 8;

/// How often a flag is looked at.
const INTERVAL: Duration = Duration::from_millis(20);

/// A place, and what tells that it is taken away again.
pub type Entered = (Place, oneshot::Receiver<()>);

/// All connections that are open.
pub struct Connections {
    open: Mutex<Open>,
    most_bytes: usize,
}

struct Open {
    /// By number; numbers grow with time.
    entries: BTreeMap<u64, Entry>,
    entered: u64,
    most: usize,
}

struct Entry {
    take: oneshot::Sender<()>,
    peer: IpAddr,
    /// Whether something is waited for from the peer: all of its message, or that it takes the answer.
    is_unfinished: bool,
    /// Bytes beyond those that are free.
    bytes: usize,
}

impl Open {
    fn oldest(&self, counts: impl Fn(&Entry) -> bool) -> Option<u64> {
        self.entries.iter().find(|it| counts(it.1)).map(|it| *it.0)
    }

    /// Takes the place away from a connection.
    fn give_up(&mut self, number: u64) {
        if let Some(entry) = self.entries.remove(&number) {
            let _ = entry.take.send(());
        }
    }

    /// Gives places up until there are no more than so many. Says whether that was possible.
    fn shrink(&mut self, most: usize, is_known: impl Fn(IpAddr) -> bool) -> bool {
        while self.entries.len() > most {
            let stranger = self.oldest(|it| it.is_unfinished && !is_known(it.peer));
            match stranger.or_else(|| self.oldest(|it| it.is_unfinished)) {
                Some(found) => self.give_up(found),
                None => return false,
            }
        }
        true
    }
}

impl Connections {
    /// For so many connections, and messages of so many bytes in all.
    pub fn new(most: usize, most_bytes: usize) -> Arc<Self> {
        let open = Open { entries: BTreeMap::new(), entered: 0, most };
        Arc::new(Connections { open: Mutex::new(open), most_bytes })
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a connection: a free one, or that of another one which is
    /// unfinished. `None` if all are being answered.
    fn enter(self: &Arc<Self>, peer: IpAddr, is_known: impl Fn(IpAddr) -> bool) -> Option<Entered> {
        let mut open = self.lock();
        let others = open.most.saturating_sub(1);
        if !open.shrink(others, is_known) {
            return None;
        }
        open.entered += 1;
        let number = open.entered;
        let (take, taken) = oneshot::channel();
        let entry = Entry { take, peer, is_unfinished: true, bytes: 0 };
        open.entries.insert(number, entry);
        Some((Place { all: Arc::clone(self), number }, taken))
    }

    /// The next one who connects, and its place if there is one.
    pub async fn accept(
        self: &Arc<Self>,
        listener: &tokio::net::TcpListener,
        is_known: impl Fn(IpAddr) -> bool,
    ) -> (TcpStream, IpAddr, Option<Entered>) {
        loop {
            if let Ok((stream, peer)) = listener.accept().await {
                // Small answers are not to wait for others.
                let _ = stream.set_nodelay(true);
                return (stream, peer.ip(), self.enter(peer.ip(), &is_known));
            }
            // Too many open files, for one: who does not go on makes way.
            self.make_way(&is_known);
            sleep(Duration::from_millis(1)).await;
        }
    }

    /// The system has no descriptor for a further connection: from now on there are somewhat fewer at once.
    fn make_way(&self, is_known: impl Fn(IpAddr) -> bool) {
        let mut open = self.lock();
        open.most = open.most.min(open.entries.len().saturating_sub(SPARE).max(SPARE));
        let most = open.most;
        open.shrink(most, is_known);
    }
}

/// The place of a connection, until this is dropped.
pub struct Place {
    all: Arc<Connections>,
    number: u64,
}

impl Place {
    /// Makes room for so many bytes of the message in all; `false` where there is none.
    pub fn has_room(&self, bytes: usize) -> bool {
        let counted = bytes.saturating_sub(FREE);
        let mut open = self.all.lock();
        match open.entries.get(&self.number) {
            None => return false,
            Some(own) if own.bytes >= counted => return true,
            Some(_) => {}
        }
        let others = |open: &Open| -> usize {
            open.entries.iter().filter(|it| *it.0 != self.number).map(|it| it.1.bytes).sum()
        };
        while others(&open) + counted > self.all.most_bytes {
            let counts =
                |it: (&u64, &Entry)| it.1.is_unfinished && it.1.bytes > 0 && *it.0 != self.number;
            let Some(found) = open.entries.iter().find(|it| counts(*it)).map(|it| *it.0) else {
                return false;
            };
            open.give_up(found);
        }
        if let Some(own) = open.entries.get_mut(&self.number) {
            own.bytes = counted;
        }
        true
    }

    /// Notes whether something is waited for from the peer. Returns whether the place is still this connection's.
    pub fn set_unfinished(&self, is_unfinished: bool) -> bool {
        let mut open = self.all.lock();
        let Some(own) = open.entries.get_mut(&self.number) else { return false };
        own.is_unfinished = is_unfinished;
        true
    }

    /// The message has been understood, and its bytes are no longer kept.
    pub fn forget_message(&self) {
        if let Some(own) = self.all.lock().entries.get_mut(&self.number) {
            own.bytes = 0;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.all.lock().entries.remove(&self.number);
    }
}

/// How many connections wait at most until they are accepted; the system may allow fewer. Who finds no place is tried again by
/// its system after a second, which would be the whole clock of a move: the standard library's 128 are too few in a flood.
const WAITING: i32 = 4096;

/// Listens on an address, as [`TcpListener::bind`] does, with room for so many who connect at once that nobody is turned away.
///
/// # Errors
/// The address is taken or not of this machine.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    use socket2::{Domain, Protocol, Socket, Type};
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // An address that was in use a moment ago can be had at once. On Windows it would be taken from who uses it.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(WAITING)?;
    Ok(socket.into())
}

/// Serves all who connect, in a thread of its own, until it is dropped.
pub struct ServingThread {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl ServingThread {
    /// Starts the thread, which is called so.
    ///
    /// # Errors
    /// The system does not give the thread.
    pub fn start<F: Future<Output = ()>>(
        name: &str,
        listener: TcpListener,
        serve: impl FnOnce(tokio::net::TcpListener) -> F + Send + 'static,
    ) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = oneshot::channel::<()>();
        let work = move || {
            runtime.block_on(async {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                tokio::select! {
                    () = serve(listener) => {}
                    _ = stopped => {}
                }
            });
            // Nobody waits for what is still at work.
            runtime.shutdown_background();
        };
        let thread = thread::Builder::new().name(name.to_owned()).spawn(work)?;
        Ok(ServingThread { stop: Some(stop), thread: Some(thread) })
    }

    /// Waits until a flag is raised.
    pub fn run_until(&self, flag: &AtomicBool) {
        while !flag.load(Ordering::Relaxed) {
            thread::park_timeout(INTERVAL);
        }
    }
}

impl Drop for ServingThread {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const STRANGER: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));
    const KNOWN: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn enter(all: &Arc<Connections>, peer: IpAddr) -> Option<Entered> {
        all.enter(peer, |it| it == KNOWN)
    }

    fn is_kept(entered: &mut Entered) -> bool {
        entered.1.try_recv() == Err(oneshot::error::TryRecvError::Empty)
    }

    #[test]
    fn the_oldest_unfinished_connection_goes() {
        let all = Connections::new(2, 1000);
        let mut open: Vec<Entered> = (0..3).map_while(|_| enter(&all, STRANGER)).collect();
        let kept: Vec<bool> = open.iter_mut().map(is_kept).collect();
        assert_eq!(kept, [false, true, true]);
        assert!(open[1].0.set_unfinished(false) && !open[0].0.set_unfinished(false));
        let fourth = enter(&all, STRANGER).expect("a place");
        assert!(is_kept(&mut open[1]) && !is_kept(&mut open[2]));
        fourth.0.set_unfinished(false);
        assert!(enter(&all, STRANGER).is_none(), "both are being answered");
        drop(fourth);
        assert!(enter(&all, STRANGER).is_some());
    }

    #[test]
    fn those_that_are_known_go_last() {
        let all = Connections::new(2, 1000);
        let mut open = [KNOWN, STRANGER, STRANGER, KNOWN, KNOWN]
            .map(|peer| enter(&all, peer).expect("a place"));
        assert_eq!(open.each_mut().map(is_kept), [false, false, false, true, true]);
    }

    #[test]
    fn where_descriptors_are_short_there_are_fewer() {
        let all = Connections::new(100, 1000);
        let mut open: Vec<Entered> = (0..30).map_while(|_| enter(&all, STRANGER)).collect();
        open[0].0.set_unfinished(false);
        all.make_way(|_| false);
        let kept: Vec<usize> = (0..30).filter(|&it| is_kept(&mut open[it])).collect();
        assert_eq!(kept, [&[0], &Vec::from_iter(9..30)[..]].concat());
        open.push(enter(&all, STRANGER).expect("a place"));
        assert!(!is_kept(&mut open[9]) && is_kept(&mut open[30]));
    }

    #[test]
    fn bytes_are_taken_from_who_has_been_longest() {
        let all = Connections::new(8, 4000);
        let mut open: Vec<Entered> = (0..5).map_while(|_| enter(&all, STRANGER)).collect();
        assert!(open.iter().all(|it| it.0.has_room(FREE)), "small messages count for nothing");
        assert!(open[1..].iter().all(|it| it.0.has_room(FREE + 1000)));
        assert!(open[0].0.has_room(FREE + 1000));
        let kept: Vec<bool> = open.iter_mut().map(is_kept).collect();
        assert_eq!(kept, [true, false, true, true, true]);
        assert_eq!(open.iter().filter(|it| it.0.set_unfinished(false)).count(), 4);
        assert!(!open[0].0.has_room(FREE + 1001), "all others are being understood");
        open[2].0.forget_message();
        assert!(open[0].0.has_room(FREE + 1001));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn many_connect_at_once_before_anybody_is_accepted() {
        let allowed = std::fs::read_to_string("/proc/sys/net/core/somaxconn");
        let allowed: usize = allowed.expect("Linux tells").trim().parse().expect("a number");
        let listener = listen((Ipv4Addr::LOCALHOST, 0).into()).expect("a free port");
        let address = listener.local_addr().expect("it has one");
        let patience = Duration::from_secs(10);
        let connect = |_| std::net::TcpStream::connect_timeout(&address, patience);
        // More than the standard library has room for.
        let waiting: Result<Vec<std::net::TcpStream>, io::Error> =
            (0..allowed.min(300)).map(connect).collect();
        assert_eq!(waiting.map(|them| them.len()).ok(), Some(allowed.min(300)));
    }
}
