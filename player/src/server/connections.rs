//! The connections that are open: so many at once, with so many bytes that are being read.
//!
//! Nobody is kept waiting by those who open connections and do not go on: where a place or bytes are short, the connection goes
//! whose message has been unfinished for longest. The servers of matches under way go last.

use std::collections::BTreeMap;
use std::net::{IpAddr, Shutdown, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many connections are open at once besides one for each match.
const MOST_CONNECTIONS: usize = 256;
/// Bytes of a message that count for nothing: all that most messages have.
const FREE: usize = 16 << 10;
/// How many messages of the greatest length may be read at once.
const MOST_LARGE: usize = 4;

/// All connections that are open.
pub(super) struct Connections {
    open: Mutex<BTreeMap<u64, Entry>>,
    /// Threads that serve one: those whose connection had to go end a moment later.
    threads: AtomicUsize,
    most: usize,
    most_bytes: usize,
}

struct Entry {
    stream: Arc<TcpStream>,
    peer: IpAddr,
    /// Whether the peer has not yet sent all of its message, or not taken the answer.
    is_unfinished: bool,
    /// Bytes beyond those that are free.
    bytes: usize,
}

impl Connections {
    /// For a player of so many matches and messages of so many bytes.
    pub(super) fn new(matches: usize, most_bytes: usize) -> Self {
        Connections {
            open: Mutex::default(),
            threads: AtomicUsize::new(0),
            most: MOST_CONNECTIONS + matches,
            most_bytes: most_bytes.saturating_mul(MOST_LARGE),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Entry>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a further thread may serve a connection.
    pub(super) fn has_thread(&self) -> bool {
        self.threads.load(Ordering::Relaxed) < self.most * 2
    }

    /// A place for a connection: a free one, or that of another one which is unfinished. `None` if all are being answered.
    /// Numbers grow with time. `served` tells whether a peer is the server of a match under way.
    pub(super) fn enter(
        self: &Arc<Self>,
        number: u64,
        stream: TcpStream,
        served: impl Fn(IpAddr) -> bool,
    ) -> Option<Place> {
        let peer = stream.peer_addr().ok()?.ip();
        let stream = Arc::new(stream);
        let mut open = self.lock();
        if open.len() >= self.most {
            let stranger = oldest(&open, |it| it.is_unfinished && !served(it.peer));
            let found = stranger.or_else(|| oldest(&open, |it| it.is_unfinished))?;
            give_up(&mut open, found);
        }
        let entry = Entry { stream: Arc::clone(&stream), peer, is_unfinished: true, bytes: 0 };
        open.insert(number, entry);
        drop(open);
        self.threads.fetch_add(1, Ordering::Relaxed);
        Some(Place { all: Arc::clone(self), number, stream, peer })
    }
}

fn oldest(open: &BTreeMap<u64, Entry>, counts: impl Fn(&Entry) -> bool) -> Option<u64> {
    open.iter().find(|it| counts(it.1)).map(|it| *it.0)
}

/// Takes a place away: whoever reads from the connection finds that nothing more comes.
fn give_up(open: &mut BTreeMap<u64, Entry>, number: u64) {
    if let Some(entry) = open.remove(&number) {
        let _ = entry.stream.shutdown(Shutdown::Read);
    }
}

/// The place of a connection, until this is dropped.
pub(super) struct Place {
    all: Arc<Connections>,
    number: u64,
    pub(super) stream: Arc<TcpStream>,
    pub(super) peer: IpAddr,
}

impl Place {
    /// Whether the place is still this connection's.
    pub(super) fn is_kept(&self) -> bool {
        self.all.lock().contains_key(&self.number)
    }

    /// Makes room for so many bytes of the message in all; `false` where there is none.
    pub(super) fn has_room(&self, bytes: usize) -> bool {
        let counted = bytes.saturating_sub(FREE);
        let mut open = self.all.lock();
        match open.get(&self.number) {
            None => return false,
            Some(own) if own.bytes >= counted => return true,
            Some(_) => {}
        }
        let others = |open: &BTreeMap<u64, Entry>| -> usize {
            open.iter().filter(|it| *it.0 != self.number).map(|it| it.1.bytes).sum()
        };
        while others(&open) + counted > self.all.most_bytes {
            let is_other = |it: &Entry| !Arc::ptr_eq(&it.stream, &self.stream);
            let found = oldest(&open, |it| it.is_unfinished && it.bytes > 0 && is_other(it));
            let Some(found) = found else { return false };
            give_up(&mut open, found);
        }
        if let Some(own) = open.get_mut(&self.number) {
            own.bytes = counted;
        }
        true
    }

    /// Notes whether more is waited for from the peer. Returns whether the place is still this connection's.
    pub(super) fn set_unfinished(&self, is_unfinished: bool) -> bool {
        let mut open = self.all.lock();
        let Some(own) = open.get_mut(&self.number) else { return false };
        own.is_unfinished = is_unfinished;
        true
    }

    /// The message has been understood, and its bytes are no longer kept.
    pub(super) fn forget_message(&self) {
        if let Some(own) = self.all.lock().get_mut(&self.number) {
            own.bytes = 0;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.all.lock().remove(&self.number);
        self.all.threads.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// Both ends of a connection.
    fn pair(listener: &TcpListener) -> (TcpStream, TcpStream) {
        let address = listener.local_addr().expect("an address");
        let near = TcpStream::connect(address).expect("it listens");
        (near, listener.accept().expect("a connection").0)
    }

    #[test]
    fn the_oldest_unfinished_connection_goes() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let mut all = Connections::new(0, 1000);
        all.most = 2;
        let all = Arc::new(all);
        let mut near = Vec::new();
        let mut enter = |number| {
            let (one, other) = pair(&listener);
            near.push(one);
            all.enter(number, other, |_| false)
        };
        let [first, second, third] = [1, 2, 3].map(&mut enter).map(Option::unwrap);
        assert_eq!([&first, &second, &third].map(Place::is_kept), [false, true, true]);
        assert!(second.set_unfinished(false) && !first.set_unfinished(false));
        let fourth = enter(4).expect("a place");
        assert_eq!([&second, &third, &fourth].map(Place::is_kept), [true, false, true]);
        fourth.set_unfinished(false);
        assert!(enter(5).is_none(), "both are being answered");
        drop(second);
        assert!(enter(6).is_some());
        assert_eq!(all.threads.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn servers_of_matches_go_last() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let mut all = Connections::new(0, 1000);
        all.most = 2;
        let all = Arc::new(all);
        let streams: Vec<_> = (0..3).map(|_| pair(&listener)).collect();
        let enter = |number: u64, served: bool| {
            let stream = streams[number as usize].1.try_clone().expect("a socket");
            all.enter(number, stream, |_| served).expect("a place")
        };
        let places = [enter(0, true), enter(1, true), enter(2, true)];
        assert_eq!(places.each_ref().map(Place::is_kept), [false, true, true]);
    }

    #[test]
    fn bytes_are_taken_from_who_has_been_longest() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let all = Arc::new(Connections::new(8, 1000));
        let streams: Vec<_> = (0..5).map(|_| pair(&listener)).collect();
        let places: Vec<Place> = (0u64..)
            .zip(&streams)
            .map(|(number, connection)| {
                let stream = connection.1.try_clone().expect("a socket");
                all.enter(number, stream, |_| false).expect("a place")
            })
            .collect();
        assert!(places.iter().all(|it| it.has_room(FREE)), "small messages count for nothing");
        assert!(places[1..].iter().all(|it| it.has_room(FREE + 1000)));
        assert!(places[0].has_room(FREE + 1000));
        let kept: Vec<bool> = places.iter().map(Place::is_kept).collect();
        assert_eq!(kept, [true, false, true, true, true]);
        assert!(places.iter().filter(|it| it.set_unfinished(false)).count() == 4);
        assert!(!places[0].has_room(FREE + 1001), "all others are being understood");
        places[2].forget_message();
        assert!(places[0].has_room(FREE + 1001));
    }
}
