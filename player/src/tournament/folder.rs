//! The folder with the records of a tournament: a file for each match that was played.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::record::{MatchRecord, RecordError};

/// How files begin and end that are not whole yet.
const TEMPORARY: (&str, &str) = (".match-", ".tmp");

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
    #[error("{what} `{path}`: {source}", path = path.display())]
    Io {
        /// What could not be done.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There are records, and the caller did not choose what becomes of them.
    #[error("there are records of matches in `{path}` already", path = .0.display())]
    Records(PathBuf),
    /// A file is no record.
    #[error("`{path}` is no record: {source}", path = path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: RecordError,
    },
    /// A record is about another match than the one that is called so.
    #[error("`{path}` is of another tournament: its {what} differ", path = path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// In what.
        what: &'static str,
    },
}

/// The folder with the records of a tournament. A record is there as a whole or not at all.
#[derive(Debug)]
pub struct RecordFolder {
    path: PathBuf,
}

impl RecordFolder {
    /// Opens a folder, which is made if it is not there.
    ///
    /// # Errors
    /// It cannot be read or written, or there are records in it that are to be kept.
    pub fn open(path: PathBuf, existing: Existing) -> Result<Self, FolderError> {
        let fail = |what, path: &Path| {
            let path = path.to_owned();
            move |source| FolderError::Io { what, path, source }
        };
        fs::create_dir_all(&path).map_err(fail("cannot make the folder", &path))?;
        for entry in fs::read_dir(&path).map_err(fail("cannot read the folder", &path))? {
            let file = entry.map_err(fail("cannot read the folder", &path))?.path();
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let is_torn = name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1);
            let is_record = name.ends_with(".json");
            if is_record && existing == Existing::Keep {
                return Err(FolderError::Records(path));
            }
            if is_torn || (is_record && existing == Existing::Replace) {
                fs::remove_file(&file).map_err(fail("cannot remove", &file))?;
            }
        }
        Ok(RecordFolder { path })
    }

    /// The file of a match.
    fn file(&self, id: &str) -> PathBuf {
        self.path.join(format!("{id}.json"))
    }

    /// The record of a match that should be like another one; none if the match was not played.
    ///
    /// # Errors
    /// The file cannot be read, or is about something else.
    pub(super) fn read(&self, like: &MatchRecord) -> Result<Option<MatchRecord>, FolderError> {
        let path = self.file(&like.match_id);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(FolderError::Io { what: "cannot read", path, source }),
        };
        let record = match MatchRecord::parse(&text) {
            Ok(record) => record,
            Err(source) => return Err(FolderError::Record { path, source }),
        };
        let same = [
            ("players", record.player_names_from_host == like.player_names_from_host),
            ("games", record.game_meta_url == like.game_meta_url),
            ("seeds", record.random_token == like.random_token),
            ("start clocks", record.start_clock == like.start_clock),
            ("play clocks", record.play_clock == like.play_clock),
        ];
        match same.into_iter().find(|(_, same)| !same) {
            Some((what, _)) => Err(FolderError::Other { path, what }),
            None => Ok(Some(record)),
        }
    }

    /// Writes a record, in one step.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn write(&self, record: &MatchRecord) -> Result<(), FolderError> {
        let path = self.file(&record.match_id);
        let write = || {
            let mut builder = tempfile::Builder::new();
            let mut file =
                builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1).tempfile_in(&self.path)?;
            file.write_all(record.to_json().as_bytes())?;
            file.write_all(b"\n")?;
            file.persist(&path).map(drop).map_err(|error| error.error)
        };
        write().map_err(|source| FolderError::Io {
            what: "cannot write",
            path: path.clone(),
            source,
        })
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
            ..MatchRecord::default()
        };
        let matches = open(Existing::Keep).expect("it is made");
        matches.write(&record("cup.1.1", "nim")).expect("it can be written");
        fs::write(at.join(".match-x.tmp"), "{\"mat").expect("what a killed process leaves");
        assert!(matches!(open(Existing::Keep), Err(FolderError::Records(_))));
        let matches = open(Existing::Resume).expect("it goes on");
        assert_eq!(fs::read_dir(&at).expect("a folder").count(), 1, "nothing torn is left");
        assert!(matches.read(&record("cup.1.2", "nim")).expect("nothing").is_none());
        assert!(matches.read(&record("cup.1.1", "nim")).expect("a record").is_some());
        let other = matches.read(&record("cup.1.1", "chess")).expect_err("another tournament");
        assert!(
            other.to_string().ends_with("is of another tournament: its games differ"),
            "{other}"
        );
        fs::write(at.join("cup.1.1.json"), "{").expect("it can be broken");
        assert!(matches!(matches.read(&record("cup.1.1", "nim")), Err(FolderError::Record { .. })));
        open(Existing::Replace).expect("it begins again");
        assert_eq!(fs::read_dir(&at).expect("a folder").count(), 0);
    }
}
