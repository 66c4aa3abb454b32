//! The record of a match that is under way.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use web_time::Instant;

use super::MatchObserver;
use crate::record::{MatchRecord, files};

/// How often the file is written at most: who looks on is in no hurry, the match may be.
const INTERVAL: Duration = Duration::from_millis(300);

/// Keeps a file with the record of a match while it is under way, so that others can look on. Each time all of it is replaced in one
/// step. What cannot be written is left out: looking on is not to disturb the match.
#[derive(Debug)]
pub struct LiveRecord {
    path: PathBuf,
    written: Option<Instant>,
    /// Whether the file is left there in the end.
    is_kept: bool,
}

impl LiveRecord {
    /// Keeps it in a folder that is there, under the name of the match, and removes it when this is dropped: the record of
    /// a match that is over is elsewhere.
    pub fn new(folder: &Path, id: &str) -> Self {
        let name: String = id
            .chars()
            .map(|it| if it.is_alphanumeric() || ".-_".contains(it) { it } else { '_' })
            .collect();
        let path = folder.join(format!("{name}.json"));
        LiveRecord { path, written: None, is_kept: false }
    }

    /// Keeps it in a file, which is left there.
    pub fn at(path: PathBuf) -> Self {
        LiveRecord { path, written: None, is_kept: true }
    }

    /// Writes all of it or nothing.
    fn write(&self, record: &MatchRecord) -> io::Result<()> {
        files::replace(&self.path, record.to_json().as_bytes())
    }
}

impl MatchObserver for LiveRecord {
    fn recorded(&mut self, record: &MatchRecord) {
        if self.written.is_some_and(|it| it.elapsed() < INTERVAL) {
            return;
        }
        self.written = Some(Instant::now());
        let _ = self.write(record);
    }
}

impl Drop for LiveRecord {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = fs::remove_file(&self.path);
        }
    }
}
