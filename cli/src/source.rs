//! Reading a description from a file or from standard input.
//!
//! What is packed by gzip is unpacked, and of JSON with a `rulesheet`, as game servers have it, that is read. (What is in a
//! message of the protocol the parser of descriptions finds itself.)

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flate2::bufread::GzDecoder;
use groundfrog::GroundError;
use groundfrog::description::{Description, MAX_SOURCE_BYTES, ParseOptions};
use groundfrog::visible::visible;
use groundfrog_benches::files;
use serde_json::Value;

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

/// The game of the program's own that is called so.
pub(crate) fn own(name: &str) -> Option<Result<Description, Failure>> {
    let own = groundfrog_corpus::game(name)?;
    let options = ParseOptions { name: name.to_owned(), ..ParseOptions::default() };
    let description = Description::parse(own.text.as_bytes(), &options);
    Some(description.map_err(|error| GroundError::from(error).into()))
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
    let bytes = if is_packed(&bytes) {
        supervisor.watch();
        let is_over = || match until.filter(|it| it.0 <= Instant::now()) {
            Some((_, time)) => Err(Failure::stopped(Cause::Time(time), Activity::Reading)),
            None => supervisor.check(),
        };
        unpack(&bytes, supervisor.memory_limit(), &is_over).map_err(|it| it.in_file(&name))?
    } else {
        bytes
    };
    match of_json(&bytes) {
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

// Unpacking what gzip has packed, within limits: a few bytes may unpack to any number.

/// No more than this is unpacked: some millions of rules.
const LONGEST_UNPACKED: u64 = 1 << 28;
/// Which part of the memory that the process may have is for what is unpacked: to read it takes more.
const SHARE: u64 = 4;
/// So much is unpacked between two looks at the limits.
const PIECE: u64 = 1 << 20;

/// Why something could not be unpacked.
enum UnpackError {
    /// It is damaged.
    Damaged(io::Error),
    /// It would be longer than so many bytes.
    TooLong(u64),
    /// A limit was exceeded.
    Stopped(Failure),
}

impl UnpackError {
    /// The failure to report about a file.
    fn in_file(self, name: &str) -> Failure {
        match self {
            UnpackError::Damaged(source) => Failure::Io {
                what: format!("cannot unpack `{name}`, which gzip has packed"),
                source,
            },
            UnpackError::TooLong(most) => Failure::TooLong(format!(
                "`{name}` would unpack to more than {most} bytes: unpack it, and give what comes of it"
            )),
            UnpackError::Stopped(failure) => failure,
        }
    }
}

/// Whether bytes begin as what gzip writes does.
fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1F, 0x8B])
}

/// Unpacks all members of what gzip has packed, in a process that may have so much memory. `check` is asked for each piece and each
/// member, however empty.
///
/// # Errors
/// It is damaged, too long, or a limit was exceeded meanwhile.
fn unpack(
    mut packed: &[u8],
    memory: Option<u64>,
    check: &dyn Fn() -> Result<(), Failure>,
) -> Result<Vec<u8>, UnpackError> {
    let most = memory.map_or(LONGEST_UNPACKED, |it| LONGEST_UNPACKED.min(it / SHARE));
    let mut bytes = Vec::new();
    while !packed.is_empty() {
        let mut member = GzDecoder::new(&mut packed);
        loop {
            check().map_err(UnpackError::Stopped)?;
            let piece = (&mut member).take(PIECE).read_to_end(&mut bytes);
            if piece.map_err(UnpackError::Damaged)? == 0 {
                break;
            }
            if bytes.len() as u64 > most {
                return Err(UnpackError::TooLong(most));
            }
        }
    }
    Ok(bytes)
}

// The rules in JSON, as game servers and their archives keep them: `{"rulesheet": "(role robot) ..."}`.

/// The rules in a text, if it looks like JSON: `None` if it does not.
///
/// # Errors
/// Why there are none in it.
fn of_json(bytes: &[u8]) -> Option<Result<String, String>> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    // A word of KIF may begin so, but no statement does.
    let is_object =
        text.strip_prefix(b"{").is_some_and(|it| it.trim_ascii_start().starts_with(b"\""));
    is_object.then(|| rules(text))
}

fn rules(text: &[u8]) -> Result<String, String> {
    let json: Value = serde_json::from_slice(text)
        .map_err(|error| format!("it begins like JSON, but is none ({error})"))?;
    let Some(rules) = json.get("rulesheet") else {
        return Err("it is JSON, but has no `rulesheet`".to_owned());
    };
    let Some(rules) = rules.as_str() else {
        return Err("it is JSON whose `rulesheet` is no text".to_owned());
    };
    match rules.contains('(') {
        true => Ok(rules.to_owned()),
        false => Err(format!("it is JSON whose rules are elsewhere, in `{rules}`: give that file")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_json_is_left_alone() {
        for text in ["(role r)", "; {\"rulesheet\": 1}\n(role r)", "{odd} (role r)", ""] {
            assert_eq!(of_json(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn json_without_rules_says_what_is_missing() {
        for (text, expected) in [
            ("{\"rulesheet\": ", "but is none"),
            ("{\"rules\": \"(role r)\"}", "no `rulesheet`"),
            ("{\"rulesheet\": 3}", "no text"),
            (" {\"rulesheet\": \"nim.kif\"}", "in `nim.kif`: give that file"),
        ] {
            let error = of_json(text.as_bytes()).expect("it is JSON").expect_err("without rules");
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
