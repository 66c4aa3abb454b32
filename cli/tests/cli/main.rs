//! The program as a user runs it: what it prints, what it leaves behind, how it ends.

mod analyse;
mod bad_input;
mod bench;
mod check;
mod compare;
mod documents;
mod exploding;
mod ground;
mod json;
mod limits;
mod matches;
#[cfg(unix)]
mod names;
mod output;
mod play;
mod relatives;
#[cfg(target_os = "linux")]
mod scarce;
mod signals;
mod solve;
#[cfg(unix)]
mod start;
mod texts;
mod tournament;
mod verify;
mod wrapped;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
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

    /// All of this has to be on standard output.
    #[track_caller]
    fn says(&self, parts: &[&str]) {
        for part in parts {
            assert!(self.stdout.contains(part), "no `{part}` in:\n{}", self.stdout);
        }
    }

    /// What is on standard output, a line of JSON.
    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
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

/// The program with pipes behind its standard files but the input.
fn started(arguments: &[&str]) -> Child {
    let mut command = program();
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// Sends a signal to a process.
fn signal(name: &str, process: &Child) {
    let sent = Command::new("kill").args([name, &process.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
}

/// A process that listens, and is ended when this is dropped.
struct Listening {
    process: Child,
    address: String,
    /// What it says after that.
    out: BufReader<ChildStdout>,
}

impl Listening {
    /// Starts a process and waits until it says where it listens.
    fn start(command: &mut Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut out = BufReader::new(process.stdout.take().expect("it is piped"));
        let mut line = String::new();
        out.read_line(&mut line).expect("it tells where it listens");
        let address = line.trim().rsplit([' ', '/']).next().unwrap_or_default().to_owned();
        assert!(address.starts_with("127.0.0.1:"), "{line}");
        Listening { process, address, out }
    }

    /// Sends a message to a player, or a request to a page, and returns the answer with its head.
    fn post(&self, path: &str, kind: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time");
        let (address, length) = (&self.address, body.len());
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n"
        );
        stream.write_all((head + body).as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    }

    /// The answer of a player.
    fn say(&self, message: &str) -> String {
        let answer = self.post("/", "text/acl", message);
        answer.rsplit("\r\n").next().unwrap_or_default().to_owned()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
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
