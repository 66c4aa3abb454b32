//! A socket with a deadline for everything.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::task::yield_now;
use tokio::time::timeout;
use web_time::Instant;

/// Bytes that are read of a peer before it is the turn of the others.
const BLOCK: usize = 16 << 10;

/// A socket that gives up when a deadline has passed, however slowly the other side speaks or listens.
pub struct Timed<'s, S> {
    stream: &'s mut S,
    deadline: Instant,
}

impl<'s, S: AsyncRead + AsyncWrite + Unpin> Timed<'s, S> {
    /// A socket with a deadline.
    pub fn new(stream: &'s mut S, deadline: Instant) -> Self {
        Timed { stream, deadline }
    }

    /// Sets another deadline.
    pub(super) fn set_deadline(&mut self, deadline: Instant) {
        self.deadline = deadline;
    }

    fn left(&self) -> io::Result<Duration> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
    }

    /// Reads what comes behind what has come already. Returns how many bytes there are more: none where the other side has ended.
    ///
    /// # Errors
    /// The connection breaks or the deadline passes.
    pub async fn read_more(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        timeout(self.left()?, read_block(self.stream, bytes)).await?
    }

    /// The same, but no longer than this; `None` if nothing has come by then.
    pub(super) async fn read_within(
        &mut self,
        most: Duration,
        bytes: &mut Vec<u8>,
    ) -> io::Result<Option<usize>> {
        let read = timeout(self.left()?.min(most), read_block(self.stream, bytes)).await;
        read.ok().transpose()
    }

    /// Writes all.
    ///
    /// # Errors
    /// The connection breaks or the deadline passes.
    pub async fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        timeout(self.left()?, self.stream.write_all(bytes)).await?
    }
}

/// Reads a block when it is its turn.
async fn read_block(
    stream: &mut (impl AsyncRead + Unpin),
    bytes: &mut Vec<u8>,
) -> io::Result<usize> {
    yield_now().await;
    bytes.reserve(BLOCK);
    stream.take(BLOCK as u64).read_buf(bytes).await
}
