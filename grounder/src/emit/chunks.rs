//! One large buffer before a writer.

use std::io::{self, Write};

/// The buffer is handed on when it holds this many bytes.
const CHUNK: usize = 64 << 10;
/// What the buffer has at first: the text of a small game needs no more.
const FIRST: usize = 16 << 10;

/// Gathers text and writes it in large pieces.
pub(super) struct Chunks<'out> {
    buffer: Vec<u8>,
    out: &'out mut dyn Write,
}

impl<'out> Chunks<'out> {
    pub(super) fn new(out: &'out mut dyn Write) -> Self {
        Chunks { buffer: Vec::with_capacity(FIRST), out }
    }

    #[inline]
    pub(super) fn push(&mut self, text: &[u8]) {
        self.buffer.extend_from_slice(text);
    }

    /// The buffer itself, to write into.
    pub(super) fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Marks a place where the buffer may be handed on.
    #[inline]
    pub(super) fn may_flush(&mut self) -> io::Result<()> {
        if self.buffer.len() < CHUNK { Ok(()) } else { self.flush() }
    }

    #[cold]
    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Writes what is left.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.out.flush()
    }
}
