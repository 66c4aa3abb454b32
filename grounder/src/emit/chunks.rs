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

    /// Writes a text for each item. `most` says how many bytes an item needs at most; `write` puts its text into memory from a
    /// position on, and returns where it ends.
    ///
    /// The memory is there from the start, so that nothing grows for each piece of text.
    pub(super) fn for_each<T>(
        &mut self,
        items: impl Iterator<Item = T>,
        most: impl Fn(&T) -> usize,
        write: impl Fn(T, &mut [u8], usize) -> usize,
    ) -> io::Result<()> {
        let mut room = std::mem::take(&mut self.buffer);
        let mut end = room.len();
        for item in items {
            let most = most(&item);
            if room.len() - end < most {
                if end >= CHUNK {
                    self.out.write_all(&room[..end])?;
                    end = 0;
                }
                let size = (2 * end).clamp(FIRST, 2 * CHUNK).max(end + most);
                room.resize(size.max(room.len()), 0);
            }
            end = write(item, &mut room, end);
        }
        room.truncate(end);
        self.buffer = room;
        Ok(())
    }

    /// Writes what is left.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_any_length_follow_what_was_written_before() {
        let lengths =
            || [1, 70_000, 0, 5, 200_000, CHUNK, 3].into_iter().chain((0..900).map(|it| it * 7));
        let mut out = Vec::new();
        let mut chunks = Chunks::new(&mut out);
        chunks.push(b"before ");
        let put = |length: usize, room: &mut [u8], start| {
            room[start..start + length].fill(b'a' + (length % 26) as u8);
            start + length
        };
        chunks.for_each(lengths(), |&length| length + 16, put).expect("memory takes everything");
        chunks.push(b" behind");
        chunks.finish().expect("memory takes everything");
        let items = lengths().flat_map(|length| vec![b'a' + (length % 26) as u8; length]);
        let expected: Vec<u8> =
            b"before ".iter().copied().chain(items).chain(*b" behind").collect();
        assert_eq!(out, expected);
    }
}
