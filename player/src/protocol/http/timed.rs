//! A socket with a deadline for everything.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;
use web_time::Instant;

/// Bytes that there is room for when more is read.
const BLOCK: usize = 8 << 10;

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
        bytes.reserve(BLOCK);
        timeout(self.left()?, self.stream.read_buf(bytes)).await?
    }

    /// The same, but no longer than this; `None` if nothing has come by then.
    pub(super) async fn read_within(
        &mut self,
        most: Duration,
        bytes: &mut Vec<u8>,
    ) -> io::Result<Option<usize>> {
        bytes.reserve(BLOCK);
        let read = timeout(self.left()?.min(most), self.stream.read_buf(bytes)).await;
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
