//! The folder with the records of a tournament: a file for each match that was played.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::record::{MatchRecord, RecordError, files};
use groundfrog::visible::visible_path;

/// What to do with records that are there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Leave them alone: it is an error if there are any.
    Keep,
    /// Go on after them.
    Resume,
    /// Remove them.
    Replace,
}

/// Why records cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The system says no.
    #[error("{what} `{path}`: {source}", path = visible_path(path))]
    Io {
        /// What could not be done.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There are records, and the caller did not choose what becomes of them.
    #[error("there are records of matches in `{path}` already", path = visible_path(.0))]
    Records(PathBuf),
    /// A file is no record.
    #[error("`{path}` is no record: {source}", path = visible_path(path))]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: RecordError,
    },
    /// A record is about another match than the one that is called so.
    #[error("`{path}` is of another tournament: its {what} differ", path = visible_path(path))]
    Other {
        /// The file.
        path: PathBuf,
        /// In what.
        what: &'static str,
    },
    /// What a record says cannot be by the rules of its game.
    #[error("`{path}` is of another tournament or damaged: {what}", path = visible_path(path))]
    Contradiction {
        /// The file.
        path: PathBuf,
        /// What cannot be.
        what: String,
    },
}

/// The folder with the records of a tournament. A record is there as a whole or not at all. As long as this is there, no other
/// process opens the folder.
#[derive(Debug)]
pub struct RecordFolder {
    path: PathBuf,
    _lock: Option<File>,
}

impl RecordFolder {
    /// Opens a folder, which is made if it is not there.
    ///
    /// # Errors
    /// It cannot be read or written, another process has it, or there are records in it that are to be kept.
    pub fn open(path: PathBuf, existing: Existing) -> Result<Self, FolderError> {
        let fail = |what, path: &Path| {
            let path = path.to_owned();
            move |source| FolderError::Io { what, path, source }
        };
        fs::create_dir_all(&path).map_err(fail("cannot make the folder", &path))?;
        let lock = lock(&path).map_err(fail("cannot lock the folder", &path))?;
        for entry in fs::read_dir(&path).map_err(fail("cannot read the folder", &path))? {
            let file = entry.map_err(fail("cannot read the folder", &path))?.path();
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let is_torn = files::is_temporary(&name);
            let is_record = name.ends_with(".json");
            if is_record && existing == Existing::Keep {
                return Err(FolderError::Records(path));
            }
            if is_torn || (is_record && existing == Existing::Replace) {
                fs::remove_file(&file).map_err(fail("cannot remove", &file))?;
            }
        }
        Ok(RecordFolder { path, _lock: lock })
    }

    /// The file of a match.
    fn file(&self, id: &str) -> PathBuf {
        self.path.join(format!("{id}.json"))
    }

    /// The record of a match that should be like another one, and given up after so many turns at the latest; none if the match was
    /// not played. `contradiction` finds what cannot be by the rules.
    ///
    /// # Errors
    /// The file cannot be read, or is about something else.
    pub(super) fn read(
        &self,
        like: &MatchRecord,
        most_turns: u32,
        contradiction: &mut dyn FnMut(&MatchRecord) -> Option<String>,
    ) -> Result<Option<MatchRecord>, FolderError> {
        let path = self.file(&like.match_id);
        let text = match files::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(FolderError::Io { what: "cannot read", path, source }),
        };
        let record = match MatchRecord::parse(&text) {
            Ok(record) => record,
            Err(source) => return Err(FolderError::Record { path, source }),
        };
        let turns = record.moves.len() as u64;
        let same = [
            ("names", record.match_id == like.match_id),
            ("tournaments", record.tournament_name_from_host == like.tournament_name_from_host),
            ("players", record.player_names_from_host == like.player_names_from_host),
            ("games", record.game_meta_url == like.game_meta_url),
            ("seeds", record.random_token == like.random_token),
            ("start clocks", record.start_clock == like.start_clock),
            ("play clocks", record.play_clock == like.play_clock),
            ("greatest lengths", turns <= u64::from(most_turns)),
            ("greatest lengths", record.is_completed || turns == u64::from(most_turns)),
        ];
        if let Some((what, _)) = same.into_iter().find(|(_, same)| !same) {
            return Err(FolderError::Other { path, what });
        }
        match contradiction(&record) {
            Some(what) => Err(FolderError::Contradiction { path, what }),
            None => Ok(Some(record)),
        }
    }

    /// Writes a record, in one step.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn write(&self, record: &MatchRecord) -> Result<(), FolderError> {
        let path = self.file(&record.match_id);
        let line = record.to_json() + "\n";
        let written = files::replace(&path, line.as_bytes());
        written.map_err(|source| FolderError::Io { what: "cannot write", path, source })
    }
}

/// Keeps other processes out of a folder as long as what is returned lives. Where folders cannot be locked there is no lock.
fn lock(folder: &Path) -> io::Result<Option<File>> {
    if !cfg!(unix) {
        return Ok(None);
    }
    let file = File::open(folder)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(fs::TryLockError::WouldBlock) => {
            Err(io::Error::new(io::ErrorKind::WouldBlock, "another tournament is played there"))
        }
        // Not all file systems have locks.
        Err(fs::TryLockError::Error(_)) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_whole_and_kept_apart() {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let at = folder.path().join("new/matches");
        let open = |existing| RecordFolder::open(at.clone(), existing);
        let record = |id: &str, game: &str| MatchRecord {
            match_id: id.to_owned(),
            game_meta_url: game.to_owned(),
            is_completed: true,
            ..MatchRecord::default()
        };
        let matches = open(Existing::Keep).expect("it is made");
        matches.write(&record("cup.1.1", "nim")).expect("it can be written");
        if cfg!(unix) {
            let error = open(Existing::Resume).expect_err("it is in use").to_string();
            assert!(error.ends_with("another tournament is played there"), "{error}");
        }
        drop(matches);
        fs::write(at.join(".groundfrog-x.tmp"), "{\"mat").expect("what a killed process leaves");
        assert!(matches!(open(Existing::Keep), Err(FolderError::Records(_))));
        let matches = open(Existing::Resume).expect("it goes on");
        assert_eq!(fs::read_dir(&at).expect("a folder").count(), 1, "nothing torn is left");
        assert!(
            matches.read(&record("cup.1.2", "nim"), 9, &mut |_| None).expect("nothing").is_none()
        );
        assert!(
            matches.read(&record("cup.1.1", "nim"), 9, &mut |_| None).expect("a record").is_some()
        );
        let other = matches
            .read(&record("cup.1.1", "chess"), 9, &mut |_| None)
            .expect_err("another tournament");
        assert!(
            other.to_string().ends_with("is of another tournament: its games differ"),
            "{other}"
        );
        let cup = record("cup.1.1", "nim");
        fs::write(at.join("cup.1.1.json"), "{").expect("it can be broken");
        assert!(matches!(matches.read(&cup, 9, &mut |_| None), Err(FolderError::Record { .. })));
        drop(matches);
        open(Existing::Replace).expect("it begins again");
        assert_eq!(fs::read_dir(&at).expect("a folder").count(), 0);
    }
}
