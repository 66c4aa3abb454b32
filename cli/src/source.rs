//! Reading a description from a file or from standard input.
//!
//! What is packed by gzip is unpacked, and of JSON with a `rulesheet`, as game servers have it, that is read. (What is in a
//! message of the protocol the parser of descriptions finds itself.)

mod rulesheet;
mod unpack;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use groundfrog::GroundError;
use groundfrog::description::{Description, MAX_SOURCE_BYTES};
use groundfrog::visible::visible;
use groundfrog_benches::files;

use crate::arguments::ReadingArguments;
use crate::failure::{Cause, Failure};
use crate::progress::Activity;
use crate::supervisor::Supervisor;

/// What is longer than a description may be is not read to its end.
const LONGEST: u64 = MAX_SOURCE_BYTES + 1;
/// A text of so many bytes is parsed in a few milliseconds.
const SHORT: u64 = 1 << 18;

/// Reads and parses a description in whatever it is packed and written: all commands open descriptions so.
pub(crate) fn description(
    path: &Path,
    reading: &ReadingArguments,
    supervisor: &Supervisor,
) -> Result<Description, Failure> {
    if !is_short(path) {
        supervisor.watch();
    }
    supervisor.progress().enter(Activity::Reading);
    let (name, bytes) = read(path, supervisor)?;
    supervisor.check()?;
    supervisor.progress().enter(Activity::Parsing);
    let description = Description::parse(&bytes, &reading.options(name));
    supervisor.check()?;
    description.map_err(|error| GroundError::from(error.by_language()).into())
}

/// Whether reading and parsing what is there takes no time to speak of.
pub(crate) fn is_short(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| it.is_file() && it.len() <= SHORT)
}

/// What a file or standard input is called, and the rules in it.
pub(crate) fn read(path: &Path, supervisor: &Supervisor) -> Result<(String, Vec<u8>), Failure> {
    read_within(path, None, supervisor)
}

/// The same, until a time that is limited for this file alone.
pub(crate) fn read_within(
    path: &Path,
    until: Option<(Instant, Duration)>,
    supervisor: &Supervisor,
) -> Result<(String, Vec<u8>), Failure> {
    let (name, bytes) = contents(path)?;
    let bytes = if unpack::is_packed(&bytes) {
        supervisor.watch();
        let is_over = || match until.filter(|it| it.0 <= Instant::now()) {
            Some((_, time)) => Err(Failure::stopped(Cause::Time(time), Activity::Reading)),
            None => supervisor.check(),
        };
        unpack::unpack(&bytes, supervisor.memory_limit(), &is_over)
            .map_err(|it| it.in_file(&name))?
    } else {
        bytes
    };
    match rulesheet::of_json(&bytes) {
        None => Ok((name, bytes)),
        Some(Ok(rules)) => Ok((name, rules.into_bytes())),
        Some(Err(message)) => {
            Err(Failure::Source(format!("`{}` is no description: {message}", visible(&name))))
        }
    }
}

/// What a file or standard input is called, and what is in it.
pub(crate) fn contents(path: &Path) -> Result<(String, Vec<u8>), Failure> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        let read = io::stdin().lock().take(LONGEST).read_to_end(&mut bytes);
        read.map_err(|source| Failure::Io { what: "cannot read standard input".into(), source })?;
        return Ok(("<stdin>".into(), bytes));
    }
    let fail = |source| Failure::io("cannot read", path, source);
    let file = File::open(path).map_err(fail)?;
    let metadata = file.metadata().map_err(fail)?;
    if metadata.is_dir() {
        return Err(fail(io::ErrorKind::IsADirectory.into()));
    }
    let length = metadata.len().min(LONGEST) as usize + 1;
    bytes.try_reserve(length).map_err(|_| fail(io::ErrorKind::OutOfMemory.into()))?;
    file.take(LONGEST).read_to_end(&mut bytes).map_err(fail)?;
    Ok((path.to_string_lossy().into_owned(), bytes))
}

/// Files as they are named, and in the place of a folder all descriptions in it and in its folders, sorted.
pub(crate) fn games(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut games = Vec::new();
    for path in paths {
        if path.is_dir() {
            games.append(&mut files::in_folder(path)?);
        } else {
            games.push(path.clone());
        }
    }
    Ok(games)
}
