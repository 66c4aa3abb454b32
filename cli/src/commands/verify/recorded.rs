//! Which files have recorded playouts of a game.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use groundfrog_arena::record::{MatchRecord, files};
use groundfrog_check::verify::Trace;

use crate::failure::Failure;

/// How deep folders are searched.
const DEPTH: usize = 3;
/// Bytes of the record of a match.
const LONGEST: u64 = 32 << 20;

/// Files with recorded playouts.
pub(super) struct Recordings {
    path: PathBuf,
    files: Vec<RecordedFile>,
    /// Whether one file was named, which is about any game.
    is_file: bool,
}

/// A file with the endings of recorded playouts (`.jsonl`) or of the record of a match (`.json`).
struct RecordedFile {
    path: PathBuf,
    /// Without the ending, in lower case.
    name: String,
    /// The game that the record of a match names, in lower case.
    game: Option<String>,
}

/// What a file has recorded of a game.
pub(super) struct Recorded {
    pub(super) path: PathBuf,
    text: String,
}

impl Recordings {
    /// What there is in a folder and its folders, or a file.
    ///
    /// # Errors
    /// The folder or the file cannot be read.
    pub(super) fn at(path: &Path) -> Result<Self, Failure> {
        let fail = |source| Failure::io("cannot read", path, source);
        let is_file = !fs::metadata(path).map_err(fail)?.is_dir();
        let mut files = Vec::new();
        if is_file {
            files.push(RecordedFile { path: path.to_owned(), name: String::new(), game: None });
        } else {
            fs::read_dir(path).map_err(fail)?;
            list(path, DEPTH, &mut files);
            files.sort_by(|one, other| one.path.cmp(&other.path));
        }
        Ok(Recordings { path: path.to_owned(), files, is_file })
    }

    /// Everything that was recorded of a game: what has its name, and records of matches that name it.
    ///
    /// # Errors
    /// Nothing was recorded, or it cannot be read.
    pub(super) fn of(&self, game: &Path) -> Result<Vec<Recorded>, Failure> {
        // A name may have further dots, so what comes after the last is no extension once that of the game is gone.
        let name = game.file_stem().unwrap_or(game.as_os_str()).to_string_lossy();
        let folded = name.to_lowercase();
        let is_meant = |file: &&RecordedFile| {
            self.is_file || file.name == folded || file.game.as_deref() == Some(&folded)
        };
        let found: Vec<&RecordedFile> = self.files.iter().filter(is_meant).collect();
        if found.is_empty() {
            let looked = format!(
                "neither `{name}.jsonl` nor `{name}.json` is there, in letters of any case, nor the record of a match whose \
                 `gameMetaURL` names `{name}`"
            );
            let what = format!("no recorded playouts of `{name}`: cannot find them in");
            return Err(Failure::io(
                &what,
                &self.path,
                io::Error::new(io::ErrorKind::NotFound, looked),
            ));
        }
        let read = |file: &RecordedFile| {
            let text = files::read(&file.path);
            let text = text.map_err(|source| Failure::io("cannot read", &file.path, source))?;
            Ok(Recorded { path: file.path.clone(), text })
        };
        found.into_iter().map(read).collect()
    }
}

fn list(folder: &Path, depth: usize, found: &mut Vec<RecordedFile>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (path, Ok(data)) = (entry.path(), fs::metadata(entry.path())) else { continue };
        if data.is_dir() && depth > 0 {
            list(&path, depth - 1, found);
            continue;
        }
        let ending = path.extension().map(|it| it.to_string_lossy().to_lowercase());
        let name = path.file_stem().map(|it| it.to_string_lossy().to_lowercase());
        let (Some(ending), Some(name)) = (ending, name) else { continue };
        let game = match ending.as_str() {
            "json" if data.len() <= LONGEST => files::read(&path).ok().and_then(|it| named(&it)),
            "json" | "jsonl" => None,
            _ => continue,
        };
        found.push(RecordedFile { path, name, game });
    }
}

/// The game that a record names, in lower case.
fn named(text: &str) -> Option<String> {
    MatchRecord::parse(text).ok()?.game_name().map(str::to_lowercase)
}

impl Recorded {
    /// The playouts of a game with these roles.
    ///
    /// # Errors
    /// It is neither recorded playouts nor the record of a match, or its parts do not fit together.
    pub(super) fn trace(&self, roles: &[String]) -> Result<Trace, Failure> {
        let invalid = |error: Box<dyn std::error::Error + Send + Sync>| {
            Failure::io(
                "cannot read",
                &self.path,
                io::Error::new(io::ErrorKind::InvalidData, error),
            )
        };
        // A line of recorded playouts has a single `state`; all of the states of a record are in one value.
        match MatchRecord::parse(&self.text) {
            Ok(record) if !record.states.is_empty() => {
                record.trace(roles).map_err(|it| invalid(it.into()))
            }
            _ => Trace::parse(&self.text).map_err(|it| invalid(it.into())),
        }
    }
}
