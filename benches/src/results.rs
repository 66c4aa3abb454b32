//! Files of records: one a line, appended as they come.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::record::{Record, SCHEMA};
use crate::error::MeasureError;
use groundfrog::visible::visible_path;

/// What is in a file of records.
#[derive(Debug, Default)]
pub struct Contents {
    /// The lines that could be read.
    pub records: Vec<Record>,
    /// Bytes of the whole lines; what follows was cut off while it was written.
    pub whole: u64,
    /// Whether anything follows.
    pub is_torn: bool,
}

/// Reads a file of records. Its last line may have been cut off.
pub fn read(path: &Path) -> Result<Contents, MeasureError> {
    let text = contents(path).map_err(|source| MeasureError::io("cannot read", path, source))?;
    let mut contents = Contents::default();
    let mut rest = &text[..];
    for number in 1.. {
        let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
            contents.is_torn = !rest.is_empty();
            break;
        };
        let (line, tail) = rest.split_at(end + 1);
        let record = serde_json::from_slice::<Record>(line).map_err(|error| error.to_string());
        let record = record.and_then(|record| match record.schema {
            SCHEMA => Ok(record),
            other => Err(format!("its schema is {other}, and this program knows {SCHEMA}")),
        });
        match record {
            Ok(record) => contents.records.push(record),
            Err(error) => {
                let what =
                    format!("line {number} of `{}` is no result of bench", visible_path(path));
                return Err(MeasureError::Io { what, source: io::Error::other(error) });
            }
        }
        contents.whole += line.len() as u64;
        rest = tail;
    }
    Ok(contents)
}

/// Bytes of results that are read.
const LONGEST: u64 = 1 << 30;

/// What is in a regular file: a pipe may have no end.
fn contents(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() || metadata.len() > LONGEST {
        let message = format!("it is not a regular file of at most {LONGEST} bytes");
        return Err(io::Error::other(message));
    }
    fs::read(path)
}

/// A file that records are appended to.
#[derive(Debug)]
pub struct Results {
    path: PathBuf,
    file: File,
}

/// What to do with results that are there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Leave them alone: it is an error if there are any.
    Keep,
    /// Go on after them.
    Resume,
    /// Remove them.
    Replace,
}

impl Results {
    /// Opens or creates a file, and the folder that it is in. Returns the records that are in it.
    pub fn open(path: PathBuf, existing: Existing) -> Result<(Self, Contents), MeasureError> {
        let fail = |source| MeasureError::io("cannot write to", &path, source);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .map_err(|source| MeasureError::io("cannot create", folder, source))?;
        }
        let mut options = OpenOptions::new();
        let file = options.append(true).create(true).open(&path).map_err(fail)?;
        let metadata = file.metadata().map_err(fail)?;
        // A device has nothing to go on after.
        let has_results = metadata.is_file() && metadata.len() > 0;
        let mut contents = Contents::default();
        match existing {
            Existing::Keep if has_results => {
                return Err(MeasureError::Usage(format!(
                    "there are results in `{}` already: --resume goes on after them, --replace \
                     removes them",
                    visible_path(&path)
                )));
            }
            Existing::Resume if has_results => {
                contents = read(&path)?;
                if contents.is_torn {
                    file.set_len(contents.whole).map_err(fail)?;
                }
            }
            Existing::Replace if has_results => file.set_len(0).map_err(fail)?,
            _ => {}
        }
        Ok((Results { path, file }, contents))
    }

    /// Where the records are.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a record. If that fails, what was written of it is taken back, as far as that is possible.
    pub fn append(&mut self, record: &Record) -> Result<(), MeasureError> {
        let line =
            serde_json::to_string(record).expect("numbers and strings can always be written");
        let before = self.file.metadata().ok().filter(fs::Metadata::is_file).map(|it| it.len());
        self.file.write_all((line + "\n").as_bytes()).map_err(|source| {
            if let Some(before) = before {
                // If this fails as well, --resume cuts the line off.
                let _ = self.file.set_len(before);
            }
            MeasureError::io("cannot write to", &self.path, source)
        })
    }
}
