//! Where a result goes: standard output, a regular file (replaced in one step), or anything else that can
//! be written to.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use groundfrog::visible::{visible_json, visible_lines};
use groundfrog_arena::record::files::{folder, remove_left, temporary_beside};
use serde::Serialize;
use tempfile::NamedTempFile;

use crate::arguments::ReportChoice;
use crate::failure::Failure;
use crate::progress::Activity;
use crate::supervisor::Supervisor;

/// The last stage, which is the program's own: the result is written.
pub(crate) const EMIT: &str = "emit";

/// Bytes that are collected before they are written. Ground rules come in larger pieces already.
const BUFFER: usize = 1 << 13;
/// How many symbolic links are followed.
const MOST_LINKS: usize = 40;

/// Where a result goes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// Standard output, as it comes.
    Stdout,
    /// A file that is or will be a regular one: the path behind all symbolic links.
    Regular(PathBuf),
    /// A device or a pipe, written straight.
    Other(PathBuf),
}

impl Destination {
    /// Where `-o` says, standard output if it says nothing. Finds what can be found wrong before the work
    /// begins, and removes what runs that were killed have left there.
    pub(crate) fn new(output: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = output.filter(|&path| path != Path::new("-")) else {
            return Ok(Destination::Stdout);
        };
        let fail = |source| Failure::io("cannot write to", path, source);
        // What stands for an open file, such as /dev/stdout, is never replaced, whatever is behind it.
        if ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder)) {
            return Ok(Destination::Other(path.into()));
        }
        let target = follow(path).map_err(fail)?;
        match fs::metadata(&target) {
            Ok(metadata) if metadata.is_dir() => Err(fail(io::ErrorKind::IsADirectory.into())),
            Ok(metadata) if metadata.is_file() => {
                // Replacing a file must not get round its permissions.
                OpenOptions::new().write(true).open(&target).map_err(fail)?;
                remove_left(folder(&target));
                Ok(Destination::Regular(target))
            }
            Ok(_) => Ok(Destination::Other(path.into())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::metadata(folder(&target)).map_err(fail)?;
                remove_left(folder(&target));
                Ok(Destination::Regular(target))
            }
            Err(error) => Err(fail(error)),
        }
    }

    /// Whether writing there may wait for somebody.
    pub(crate) fn may_block(&self) -> bool {
        let metadata = match self {
            Destination::Regular(_) => return false,
            Destination::Stdout => stdout_metadata(),
            Destination::Other(path) => fs::metadata(path),
        };
        !metadata.is_ok_and(|it| it.is_file() || is_null_device(&it))
    }

    /// Writes a text for people. What is not seen in it, as in names of files, is written out.
    pub(crate) fn show(&self, supervisor: &Supervisor, text: &str) -> Result<(), Failure> {
        self.write(supervisor, |out| out.write_all(visible_lines(text).as_bytes()))
    }

    /// Writes a report, as [`report`] lays it out.
    pub(crate) fn report(
        &self,
        supervisor: &Supervisor,
        format: ReportChoice,
        fields: &impl Serialize,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.write(supervisor, |out| out.write_all(report(format, fields, text)?.as_bytes()))
    }

    /// Writes the result as it is, but on a terminal what is not seen is written out. If that fails, or the work is stopped, a regular file is left as it was.
    pub(crate) fn write(
        &self,
        supervisor: &Supervisor,
        emit: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        supervisor.watch_if_it_lasts();
        if self.may_block() {
            supervisor.watch();
        }
        supervisor.progress().enter(Activity::Writing);
        let written = match self {
            Destination::Stdout if io::stdout().is_terminal() => {
                let shown = ShownLines { out: io::stdout().lock(), begun: Vec::new() };
                stream(shown, supervisor, emit)
            }
            Destination::Stdout => stream(io::stdout().lock(), supervisor, emit),
            Destination::Other(path) => {
                // Behind /dev/stdout there may be a file that others write to as well.
                let file = OpenOptions::new().append(true).open(path);
                file.and_then(|file| stream(file, supervisor, emit))
            }
            Destination::Regular(path) => replace(path, supervisor, emit),
        };
        // Where the work was stopped, that is what matters, not the error that it led to.
        supervisor.check()?;
        written.map_err(|source| match self {
            Destination::Stdout => Failure::standard_output(source),
            Destination::Regular(path) | Destination::Other(path) => {
                Failure::io("cannot write to", path, source)
            }
        })
    }
}

/// What standard output is.
#[cfg(unix)]
fn stdout_metadata() -> io::Result<Metadata> {
    use std::os::fd::AsFd;
    File::from(io::stdout().as_fd().try_clone_to_owned()?).metadata()
}

/// What standard output is, which is not known here.
#[cfg(not(unix))]
fn stdout_metadata() -> io::Result<Metadata> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether this is the device that takes everything at once.
#[cfg(unix)]
fn is_null_device(metadata: &Metadata) -> bool {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    metadata.file_type().is_char_device()
        && fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == metadata.rdev())
}

/// Whether this is the device that takes everything at once, of which there is no path here.
#[cfg(not(unix))]
fn is_null_device(_: &Metadata) -> bool {
    false
}

/// The version of the fields of all reports; it grows when one changes its meaning or goes away. `docs/formats.md` describes them.
const SCHEMA: u32 = 1;

/// A report with the version of its fields.
#[derive(Serialize)]
struct Versioned<'f, F> {
    schema: u32,
    #[serde(flatten)]
    fields: &'f F,
}

/// A report for people, by `text`, or as a line of JSON. What is not seen in it is written out, in JSON as JSON has it.
pub(crate) fn report(
    format: ReportChoice,
    fields: &impl Serialize,
    text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<String> {
    if format == ReportChoice::Json {
        let line = serde_json::to_string(&Versioned { schema: SCHEMA, fields })? + "\n";
        return Ok(visible_json(&line).into_owned());
    }
    let mut bytes = Vec::new();
    text(&mut bytes)?;
    Ok(visible_lines(&String::from_utf8_lossy(&bytes)).into_owned())
}

/// Writes out what is not seen.
struct ShownLines<W> {
    out: W,
    /// The bytes of a character that has begun.
    begun: Vec<u8>,
}

impl<W: Write> Write for ShownLines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.begun) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.begun.len(),
        };
        let rest = self.begun.split_off(whole);
        let text = String::from_utf8_lossy(&self.begun);
        let written = self.out.write_all(visible_lines(&text).as_bytes());
        self.begun = rest;
        written.map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Fails as soon as the work has to stop.
struct Stoppable<W> {
    out: W,
    stop: Arc<AtomicBool>,
}

impl<W: Write> Write for Stoppable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped"));
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn stream(
    out: impl Write,
    supervisor: &Supervisor,
    emit: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let out = Stoppable { out, stop: Arc::clone(supervisor.stop_flag()) };
    let mut buffer = BufWriter::with_capacity(BUFFER, out);
    emit(&mut buffer)?;
    buffer.flush()
}

/// Writes a file beside the target and puts it in its place.
fn replace(
    target: &Path,
    supervisor: &Supervisor,
    emit: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let temporary = temporary_beside(target)?;
    supervisor.set_temporary(Some(temporary.path().to_path_buf()));
    let written = stream(temporary.as_file(), supervisor, emit);
    let written = written.and_then(|()| put(temporary, target));
    supervisor.set_temporary(None);
    written
}

/// Replaces or creates a regular file in one step. If that fails, it is left as it was.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let replace = || {
        let target = follow(path)?;
        let mut temporary = temporary_beside(&target)?;
        temporary.write_all(bytes)?;
        put(temporary, &target)
    };
    replace().map_err(|source| Failure::io("cannot write to", path, source))
}

/// Puts a file where another one may be, whose permissions it gets.
fn put(temporary: NamedTempFile, target: &Path) -> io::Result<()> {
    if let Ok(before) = fs::metadata(target) {
        temporary.as_file().set_permissions(before.permissions())?;
    }
    temporary.persist(target).map(drop).map_err(|error| error.error)
}

/// The path behind all symbolic links; the last one may lead to what does not exist yet.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_symlink() => {
                let link = fs::read_link(&path)?;
                path = folder(&path).join(link);
            }
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Writes a line to where a path says, such as that of `--json-stats`: a regular file is replaced in one step.
pub(crate) fn write_line(path: &Path, line: &str) -> Result<(), Failure> {
    let line = format!("{line}\n");
    match Destination::new(Some(path))? {
        Destination::Regular(path) => replace_file(&path, line.as_bytes()),
        Destination::Stdout | Destination::Other(_) => {
            let file = OpenOptions::new().append(true).open(path);
            let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
            written.map_err(|source| Failure::io("cannot write to", path, source))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn only_pipes_terminals_and_the_like_may_block() {
        let file = tempfile::NamedTempFile::new().expect("a folder for temporary files");
        let other = |path: &Path| Destination::Other(path.into());
        assert!(!other(file.path()).may_block());
        assert!(!other(Path::new("/dev/null")).may_block());
        assert!(other(Path::new("/dev/zero")).may_block(), "nothing is known of other devices");
        assert!(other(Path::new("/dev/none")).may_block());
    }

    #[test]
    fn what_is_not_seen_is_written_out_on_a_terminal() {
        let mut shown = ShownLines { out: Vec::new(), begun: Vec::new() };
        for byte in "(a \u{1b}[1mé\u{202e}\t)\n".bytes() {
            shown.write_all(&[byte]).expect("there is room");
        }
        shown.write_all(b"\xffb").expect("there is room");
        let text = String::from_utf8(shown.out).expect("whole characters");
        assert_eq!(text, "(a \\u{1b}[1mé\\u{202e}\t)\n\u{fffd}b");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_to_their_end() {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let at = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("b", at("a")).expect("a link");
        std::os::unix::fs::symlink(at("c"), at("b")).expect("a link");
        assert_eq!(follow(&at("a")).expect("a path"), at("c"));
        std::os::unix::fs::symlink("e", at("d")).expect("a link");
        std::os::unix::fs::symlink("d", at("e")).expect("a link");
        assert!(follow(&at("d")).is_err());
    }
}
