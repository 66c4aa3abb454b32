//! Files of records: one a line, appended as they come.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::record::{Record, SCHEMA};
use crate::error::MeasureError;
use groundfrog::visible::visible_path;

/// Bytes of results that are read.
const LONGEST: u64 = 1 << 30;
/// Of one file, more bad lines than this are only counted.
const MOST_REPORTED: usize = 10;

/// What is in a file of records.
#[derive(Debug, Default)]
pub struct Contents {
    /// The lines that could be read.
    pub records: Vec<Record>,
    /// What there is to report about lines that are no records, which are left out.
    pub warnings: Vec<String>,
    /// Bytes of the whole lines; what follows was cut off while it was written.
    whole: u64,
}

/// What a line says about itself before anything else of it is looked at.
#[derive(Deserialize)]
struct Versioned {
    schema: u32,
    /// Statistics of other commands have a schema of their own, but no worker.
    #[serde(rename = "machine")]
    _machine: IgnoredAny,
}

/// Reads a file of records, or standard input for `-`. Lines that are no records are left out with a warning.
///
/// # Errors
/// The file cannot be read, or was written by another version in a way that is not known here.
pub fn read(path: &Path) -> Result<Contents, MeasureError> {
    let fail = |source| MeasureError::io("cannot read", path, source);
    let (name, text) = match path == Path::new("-") {
        true => ("<stdin>".to_owned(), bytes(io::stdin().lock())),
        false => (visible_path(path), file(path).and_then(bytes)),
    };
    contents(&name, &text.map_err(fail)?).map_err(fail)
}

/// Opens a regular file: a pipe may have no end.
fn file(path: &Path) -> io::Result<File> {
    let metadata = fs::metadata(path)?;
    match metadata.is_file() {
        true => File::open(path),
        false if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        false => Err(io::Error::other("it is not a regular file")),
    }
}

fn bytes(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(LONGEST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LONGEST {
        true => Err(io::Error::other(format!("it has more than {LONGEST} bytes"))),
        false => Ok(bytes),
    }
}

fn contents(name: &str, text: &[u8]) -> io::Result<Contents> {
    let mut contents = Contents::default();
    let mut bad = 0;
    for (number, line) in (1..).zip(text.split_inclusive(|&byte| byte == b'\n')) {
        let is_whole = line.ends_with(b"\n");
        if is_whole {
            contents.whole += line.len() as u64;
        }
        let reason = match serde_json::from_slice::<Versioned>(line) {
            Ok(Versioned { schema, .. }) if schema != SCHEMA => {
                return Err(io::Error::other(format!(
                    "line {number} has schema {schema}, and this version of groundfrog knows {SCHEMA} only"
                )));
            }
            Ok(_) => match serde_json::from_slice(line) {
                Ok(record) => {
                    contents.records.push(record);
                    continue;
                }
                Err(error) => format!("it is not what `groundfrog bench` writes: {error}"),
            },
            Err(_) if line.trim_ascii().is_empty() => continue,
            Err(error) if error.is_data() => "it is not what `groundfrog bench` writes".to_owned(),
            Err(_) => "it is torn or no JSON".to_owned(),
        };
        bad += 1;
        if bad <= MOST_REPORTED {
            contents.warnings.push(format!("{name}:{number}: left out: {reason}"));
        }
    }
    if bad > MOST_REPORTED {
        contents.warnings.push(format!("{name}: {} more lines left out", bad - MOST_REPORTED));
    }
    Ok(contents)
}

/// One record a game, the last one, by name. Games are distinguished by their content, or where nobody could read that, by their paths.
pub fn last_of_each(records: &[Record]) -> Vec<&Record> {
    let key = |record: &Record| match &record.sha256 {
        Some(hash) => hash.to_ascii_lowercase(),
        None => format!("file {}", record.file),
    };
    let last: HashMap<String, &Record> = records.iter().map(|it| (key(it), it)).collect();
    let mut records: Vec<&Record> = last.into_values().collect();
    records.sort_by_cached_key(|it| {
        (it.game.to_lowercase(), it.game.clone(), it.file.clone(), it.sha256.clone())
    });
    records
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
    ///
    /// # Errors
    /// It cannot be written to, or is no file of records, or not empty against what `existing` says.
    pub fn open(path: PathBuf, existing: Existing) -> Result<(Self, Vec<Record>), MeasureError> {
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
        let mut records = Vec::new();
        match existing {
            Existing::Keep if has_results => {
                return Err(MeasureError::Usage(format!(
                    "there are results in `{}` already: --resume goes on after them, --replace \
                     removes them",
                    visible_path(&path)
                )));
            }
            Existing::Resume if has_results => {
                let contents = read(&path)?;
                let is_torn = contents.whole < metadata.len();
                if contents.warnings.len() > usize::from(is_torn) {
                    let message = contents.warnings.join("; ");
                    return Err(fail(io::Error::new(io::ErrorKind::InvalidData, message)));
                }
                // A last line that was cut off while it was written.
                file.set_len(contents.whole).map_err(fail)?;
                records = contents.records;
            }
            Existing::Replace if has_results => file.set_len(0).map_err(fail)?,
            _ => {}
        }
        Ok((Results { path, file }, records))
    }

    /// Where the records are.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a record. If that fails, what was written of it is taken back, as far as that is possible.
    ///
    /// # Errors
    /// It cannot be written.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::records;

    #[test]
    fn the_last_record_of_a_game_counts_whatever_their_order() {
        let all = records(9, 1);
        let turned: Vec<Record> = all.iter().rev().cloned().collect();
        assert_eq!(last_of_each(&all), last_of_each(&turned));
        let renamed = Record { game: "copy".into(), ..all[1].clone() };
        let last = [all[0].clone(), all[1].clone(), renamed.clone()];
        assert_eq!(last_of_each(&last), [&renamed, &all[0]]);
        let unread: Vec<Record> =
            all.iter().map(|it| Record { sha256: None, ..it.clone() }).collect();
        assert_eq!(last_of_each(&unread).len(), 9, "they are told apart by their files");
    }

    #[test]
    fn torn_and_foreign_lines_are_left_out() {
        let all = records(1, 1);
        let whole = serde_json::to_string(&all[0]).expect("a record") + "\n";
        let torn = &whole[..whole.len() / 2];
        let text = format!("{{\"schema\":1,\"seconds\":2}}\n\n{whole}[1,2]\nhello\n{torn}");
        let read = contents("part", text.as_bytes()).expect("readable");
        assert_eq!((read.records, read.whole as usize), (all, text.len() - torn.len()));
        let starts = ["1: left out: it is not what", "4: left out: it is not what"];
        let torn = ["5: left out: it is torn", "6: left out: it is torn"];
        assert_eq!(read.warnings.len(), 4, "{:?}", read.warnings);
        for (warning, start) in read.warnings.iter().zip(starts.iter().chain(&torn)) {
            assert!(warning.starts_with(&format!("part:{start}")), "{warning}");
        }
        let many = contents("part", "x\n".repeat(500).as_bytes()).expect("readable").warnings;
        assert_eq!(many.len(), MOST_REPORTED + 1);
        assert_eq!(many.last().map(String::as_str), Some("part: 490 more lines left out"));
    }
}
