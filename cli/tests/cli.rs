//! The program as a user runs it: what it prints, what it leaves behind, how it ends.

#[path = "cli/analyse.rs"]
mod analyse;
#[path = "cli/analyse_match.rs"]
mod analyse_match;
#[path = "cli/bad_input.rs"]
mod bad_input;
#[path = "cli/beliefs.rs"]
mod beliefs;
#[path = "cli/bench.rs"]
mod bench;
#[path = "cli/check.rs"]
mod check;
#[path = "cli/compare.rs"]
mod compare;
#[path = "cli/documents.rs"]
mod documents;
#[path = "cli/explain.rs"]
mod explain;
#[path = "cli/exploding.rs"]
mod exploding;
#[path = "cli/export.rs"]
mod export;
#[path = "cli/generate.rs"]
mod generate;
#[path = "cli/ground.rs"]
mod ground;
#[path = "cli/json.rs"]
mod json;
#[path = "cli/large_input.rs"]
mod large_input;
#[path = "cli/limits.rs"]
mod limits;
#[path = "cli/matches.rs"]
mod matches;
#[cfg(unix)]
#[path = "cli/names.rs"]
mod names;
#[path = "cli/notation.rs"]
mod notation;
#[path = "cli/output.rs"]
mod output;
#[path = "cli/play.rs"]
mod play;
#[path = "cli/propnet.rs"]
mod propnet;
#[path = "cli/relatives.rs"]
mod relatives;
#[path = "cli/report.rs"]
mod report;
#[cfg(target_os = "linux")]
#[path = "cli/scarce.rs"]
mod scarce;
#[path = "cli/signals.rs"]
mod signals;
#[path = "cli/simulate.rs"]
mod simulate;
#[path = "cli/solve.rs"]
mod solve;
#[cfg(unix)]
#[path = "cli/start.rs"]
mod start;
#[path = "cli/tournament.rs"]
mod tournament;
#[path = "cli/verify.rs"]
mod verify;
#[path = "cli/wide_rules.rs"]
mod wide_rules;
#[path = "cli/wrapped.rs"]
mod wrapped;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The end of a run.
#[derive(Debug)]
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }
}

impl Run {
    /// Checks the exit code and that each text is part of the messages.
    #[track_caller]
    fn fails(self, code: i32, messages: &[&str]) -> Self {
        assert_eq!(self.code, Some(code), "{}", self.stderr);
        for message in messages {
            assert!(self.stderr.contains(message), "no `{message}` in:\n{}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }

    /// Checks that all went well.
    #[track_caller]
    fn succeeds(self) -> Self {
        self.fails(0, &[])
    }
}

/// The program, with nothing on standard input and no colours.
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_groundfrog"));
    command.stdin(Stdio::null()).env_remove("CLICOLOR_FORCE").env_remove("RUST_BACKTRACE");
    command
}

fn run<I: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = I>) -> Run {
    program().args(arguments).output().expect("the program starts").into()
}

/// Runs the program with a text on standard input.
fn run_with(arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
    let mut command = program();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.as_ref().to_vec();
    // The program may end before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer does not panic");
    output.into()
}

/// `groundfrog ground -` with a description on standard input.
fn ground(description: impl AsRef<[u8]>) -> Run {
    run_with(&["ground", "-"], description)
}

/// A game of the corpus.
fn corpus(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(name);
    path.with_extension("kif").to_str().expect("the path is UTF-8").to_owned()
}

/// A game without an end: one role switches a lamp.
const ENDLESS: &str = "(role ann) (init (lamp on))
(legal ann push) (legal ann wait)
(<= (next (lamp off)) (does ann push))
(<= (next (lamp on)) (does ann wait))
";

/// A folder that goes away in the end.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().expect("a folder for temporary files"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and returns its path.
    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path(name), text).expect("the folder can be written to");
        self.text_path(name)
    }

    fn text_path(&self, name: &str) -> String {
        self.path(name).to_str().expect("the path is UTF-8").to_owned()
    }

    /// The names of all files, sorted.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("the folder can be read");
        let name = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.expect("an entry").file_name().to_string_lossy().into_owned()
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }
}
