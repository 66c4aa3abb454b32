//! Connections of browsers: no more than so many, and none that is silent for ever; and places for work.
//!
//! Where places are short, the connection goes that has waited longest for its peer: for a request, or for an answer to be taken. If
//! all are at work, a new one is answered with status 429.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use groundfrog_player::protocol::connections::{Connections, Entered, Place};
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf, copy, sink};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep, timeout};

use super::lock;

/// How many connections are open at once.
const MOST_CONNECTIONS: usize = 256;
/// A connection on which nothing moves for so long is closed. An answer that waits for something new takes less.
const SILENCE: Duration = Duration::from_secs(60);
/// How long the head of a request may take to come, or the next request to begin.
const HEAD: Duration = Duration::from_secs(10);
/// Bytes of a head.
const MOST_HEAD: usize = 64 << 10;
/// How many refusals are written at once. Others are closed without one.
const MOST_REFUSALS: usize = 16;

/// Who asks: an extension of each request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) IpAddr);

/// Serves all who connect, for ever.
pub(super) async fn serve(listener: TcpListener, router: Router) {
    let places = Connections::new(MOST_CONNECTIONS, 0);
    let refusals = Arc::new(Semaphore::new(MOST_REFUSALS));
    loop {
        let (stream, peer, entered) = places.accept(&listener, |_| false).await;
        if let Some(place) = entered {
            tokio::spawn(converse(stream, Peer(peer), router.clone(), place));
        } else if let Ok(permit) = Arc::clone(&refusals).try_acquire_owned() {
            tokio::spawn(async move {
                let _ = timeout(Duration::from_millis(500), refuse(stream)).await;
                drop(permit);
            });
        }
    }
}

/// Answers the requests of a connection until it ends or its place is taken.
async fn converse(stream: TcpStream, peer: Peer, router: Router, (place, taken): Entered) {
    let place = Arc::new(place);
    let router = TowerToHyperService::new(router);
    let own = Arc::clone(&place);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        let at_work = AtWork::begin(&own);
        let answer = router.call(request);
        async move {
            let answer = answer.await;
            drop(at_work);
            answer
        }
    });
    let io = TokioIo::new(Connection { stream, silence: Box::pin(sleep(SILENCE)) });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(MOST_HEAD)
        .serve_connection(io, service);
    tokio::select! {
        _ = connection => {}
        _ = taken => {}
    }
}

/// Tells that there is no place.
async fn refuse(mut stream: TcpStream) -> io::Result<()> {
    let body = r#"{"error":"all connections of the page are at work: try again"}"#;
    let answer = format!(
        "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Retry-After: 1\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    // Closing while something is unread would take the answer away.
    copy(&mut stream, &mut sink()).await.map(drop)
}

/// A request that is being answered; there is one at a time on each connection.
struct AtWork(Arc<Place>);

impl AtWork {
    fn begin(place: &Arc<Place>) -> Self {
        place.set_unfinished(false);
        AtWork(Arc::clone(place))
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        self.0.set_unfinished(true);
    }
}

/// A connection that breaks when it is silent for too long.
struct Connection {
    stream: TcpStream,
    silence: Pin<Box<Sleep>>,
}

impl Connection {
    /// What came of reading or writing: an error after too long a silence.
    fn heard<T>(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.silence.as_mut().reset(Instant::now() + SILENCE);
            return result;
        }
        self.silence.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        room: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_read(context, room);
        self.heard(context, result)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.heard(context, result)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

// Places for work on descriptions: reading, grounding, drawing and checking them. One person, and one text, has one place at a time; texts that persons give never have the last one, which is left for the games that are offered. Who waits stands in line.

/// So much work is done at the same time,
const MOST: usize = 3;
/// and so much of it for texts that persons give.
const MOST_GIVEN: usize = MOST - 1;

/// For whom work is done, and on what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Errand {
    /// Who asks, or, where all who ask may have one address, what is worked on.
    whose: u64,
    /// Whether somebody gave the text.
    is_given: bool,
}

impl Errand {
    /// Work on a text for a peer. All persons behind loopback, a proxy for one, have one address: there each text has a place of its own.
    pub(super) fn new(peer: IpAddr, text: &[u8], is_given: bool) -> Self {
        let hasher = fxhash::FxBuildHasher;
        let whose = match peer.to_canonical() {
            it if it.is_loopback() => hasher.hash_one(text),
            it => hasher.hash_one(it),
        };
        Errand { whose, is_given }
    }
}

/// The places.
#[derive(Debug)]
pub(super) struct WorkPlaces {
    all: Arc<Semaphore>,
    given: Arc<Semaphore>,
    own: Mutex<HashMap<u64, Weak<Semaphore>>>,
}

/// A place, until this is dropped.
#[derive(Debug)]
pub(super) struct WorkPlace {
    _own: OwnedSemaphorePermit,
    _given: Option<OwnedSemaphorePermit>,
    _one: OwnedSemaphorePermit,
}

impl Default for WorkPlaces {
    fn default() -> Self {
        WorkPlaces {
            all: Arc::new(Semaphore::new(MOST)),
            given: Arc::new(Semaphore::new(MOST_GIVEN)),
            own: Mutex::default(),
        }
    }
}

impl WorkPlaces {
    /// Waits for a place.
    pub(super) async fn enter(&self, errand: Errand) -> Result<WorkPlace, AcquireError> {
        // In this order, so that who waits behind oneself keeps nobody else waiting.
        let own = self.own(errand.whose).acquire_owned().await?;
        let given = match errand.is_given {
            true => Some(Arc::clone(&self.given).acquire_owned().await?),
            false => None,
        };
        let one = Arc::clone(&self.all).acquire_owned().await?;
        Ok(WorkPlace { _own: own, _given: given, _one: one })
    }

    fn own(&self, whose: u64) -> Arc<Semaphore> {
        let mut all = lock(&self.own);
        all.retain(|_, it| it.strong_count() > 0);
        if let Some(own) = all.get(&whose).and_then(Weak::upgrade) {
            return own;
        }
        let own = Arc::new(Semaphore::new(1));
        all.insert(whose, Arc::downgrade(&own));
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A place, if there is one now.
    fn enter(places: &WorkPlaces, peer: &str, text: &str, is_given: bool) -> Option<WorkPlace> {
        let errand = Errand::new(peer.parse().expect("an address"), text.as_bytes(), is_given);
        let mut entering = std::pin::pin!(places.enter(errand));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match entering.as_mut().poll(&mut context) {
            std::task::Poll::Ready(place) => Some(place.expect("the places are open")),
            std::task::Poll::Pending => None,
        }
    }

    #[test]
    fn one_text_or_person_never_takes_the_last_place() {
        let places = WorkPlaces::default();
        let here = |text, is_given| enter(&places, "127.0.0.1", text, is_given);
        let there = |text| enter(&places, "10.0.0.7", text, true);
        let first = here("hard", true).expect("a place");
        assert!(here("hard", true).is_none(), "of one text");
        let second = there("harder").expect("a place");
        assert!(there("another").is_none(), "of one person");
        assert!(here("third", true).is_none(), "of texts that are given");
        let offered = here("chess", false).expect("the last place");
        assert!(here("lamps", false).is_none());
        drop(second);
        assert!(there("another").is_some());
        drop((first, offered));
        assert!(here("hard", true).is_some());
        assert!(lock(&places.own).len() <= 2, "who is gone is forgotten");
    }
}
