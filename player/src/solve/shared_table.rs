//! A table of states that several threads share.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::table::{StateBounds, Table, hash};

/// With several threads the table has so many parts, each with a lock of its own: they seldom wait for each other.
const PARTS: usize = 256;

/// States and what is known of them, in bounded memory.
#[derive(Debug)]
pub(crate) struct SharedTable {
    parts: Vec<Mutex<Table>>,
}

impl SharedTable {
    /// A table for states of so many words that takes at most so many bytes, for so many threads.
    pub(crate) fn new(words: usize, bytes: u64, threads: usize) -> Self {
        let parts = if threads > 1 { PARTS } else { 1 };
        let part = |_| Mutex::new(Table::new(words, bytes / parts as u64));
        SharedTable { parts: (0..parts).map(part).collect() }
    }

    /// Where a state belongs. The table within a part looks at the low bits of the same hash.
    fn part(&self, state: &[u64]) -> MutexGuard<'_, Table> {
        let part = match self.parts.len() {
            1 => 0,
            parts => (hash(state) >> 48) as usize % parts,
        };
        self.parts[part].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of a state.
    pub(crate) fn get(&self, state: &[u64]) -> Option<StateBounds> {
        self.part(state).get(state)
    }

    /// Notes what is known of a state now, by what was known.
    pub(crate) fn update(
        &self,
        state: &[u64],
        change: impl FnOnce(Option<StateBounds>) -> StateBounds,
    ) {
        let mut part = self.part(state);
        let known = change(part.get(state));
        part.put(state, known);
    }

    /// Bytes that it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let bytes = self.parts.iter().map(|it| it.lock().map_or(0, |table| table.bytes()));
        bytes.sum()
    }
}
