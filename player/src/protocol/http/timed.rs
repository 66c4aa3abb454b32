//! A socket with a deadline for everything.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use web_time::Instant;

/// A socket that gives up when a deadline has passed, however slowly the other side speaks or listens.
pub struct Timed<'s> {
    stream: &'s TcpStream,
    deadline: Instant,
}

impl<'s> Timed<'s> {
    /// A socket with a deadline.
    pub fn new(stream: &'s TcpStream, deadline: Instant) -> Self {
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

    /// As reading, but no longer than this; `None` if nothing has come by then.
    pub(super) fn read_within(
        &mut self,
        most: Duration,
        buffer: &mut [u8],
    ) -> io::Result<Option<usize>> {
        let left = self.left()?;
        self.stream.set_read_timeout(Some(left.min(most)))?;
        match self.stream.read(buffer) {
            Err(error)
                if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) =>
            {
                Ok(None)
            }
            result => result.map(Some),
        }
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(buffer)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
