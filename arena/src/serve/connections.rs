//! Connections of browsers: no more than so many, and none that is silent for ever.
//!
//! Where places are short, the connection goes that has waited longest for its peer: for a request, or for an answer to be taken. If
//! all are at work, a new one is answered with status 429.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
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
use tokio::sync::Semaphore;
use tokio::time::{Instant, Sleep, sleep, timeout};

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
