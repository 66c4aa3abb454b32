//! Small texts that stand for far more than there is room or time for: each command stays within its limits, gives a reason and ends
//! as documented.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use groundfrog_benches::peak_memory;

use super::{Run, program};

/// The limit of memory, and how much more the process may have.
const MEMORY: &str = "64MiB";
const MOST_BYTES: u64 = (64 + 64) << 20;
/// What a server has that does nothing.
const MOST_KEPT: u64 = 48 << 20;
/// The limit of time, and how much later it may end where others use the processors too.
const TIME: &str = "500ms";
const LATEST: Duration = Duration::from_secs(3);

/// All texts.
fn texts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exploding");
    let files = std::fs::read_dir(folder).expect("the folder with texts");
    let mut files: Vec<PathBuf> = files.map(|it| it.expect("a file").path()).collect();
    files.sort();
    assert!(files.len() >= 20);
    files
}

fn name(text: &Path) -> String {
    text.file_stem().expect("a name").to_string_lossy().into_owned()
}

/// A process that is watched: it never has more memory than it may.
struct Watched {
    process: Child,
    peak: u64,
}

impl Watched {
    fn look(&mut self) {
        self.peak = self.peak.max(peak_memory::peak_of(self.process.id()).unwrap_or(0));
    }

    /// Waits for the end, for so long at most.
    fn end(mut self, latest: Duration, what: &str) -> (Run, Duration) {
        let start = Instant::now();
        while self.process.try_wait().expect("it is a child").is_none() {
            self.look();
            if start.elapsed() > latest * 10 {
                self.process.kill().expect("it runs");
                panic!("{what}: it does not end");
            }
            sleep(Duration::from_millis(2));
        }
        let time = start.elapsed();
        let mebibytes = self.peak >> 20;
        assert!(self.peak <= MOST_BYTES, "{what}: {mebibytes} MiB");
        (self.process.wait_with_output().expect("it has ended").into(), time)
    }
}

/// Runs a command on a text. Returns what it says.
fn run_within(command: &[&str], latest: Duration) -> Run {
    let mut process = program();
    process.args(command).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = process.spawn().expect("the program starts");
    // For `play`: the first move of the list, then no more.
    let mut input = process.stdin.take().expect("it is piped");
    let _ = input.write_all(b"1\nquit\n");
    drop(input);
    // Answers are short: nothing is to be lost in a pipe that nobody reads.
    let (run, time) = Watched { process, peak: 0 }.end(latest, &command.join(" "));
    assert!(time <= latest, "{}: {time:?}", command.join(" "));
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    match run.code {
        Some(0) => {}
        // The description, a limit, a player without a legal move, terms without bound: all with a reason.
        Some(1 | 3 | 4 | 5) => {
            let has_reason = [&run.stdout, &run.stderr].iter().any(|it| it.contains("error"));
            assert!(has_reason, "{command:?}: {run:?}");
        }
        _ => panic!("{command:?}: {run:?}"),
    }
    run
}

/// Commands that end by themselves.
const COMMANDS: [&[&str]; 9] = [
    &["ground", "-o", "/dev/null"],
    &["explain", "-o", "/dev/null"],
    &["check"],
    &["simulate"],
    &["simulate", "--reasoner", "interpreted"],
    &["simulate", "--reasoner", "bit-parallel"],
    &["verify"],
    &["solve"],
    &["play"],
];

fn single_shot(command: &[&str], text: &Path) {
    let limits = ["--time-limit", TIME, "--max-memory", MEMORY];
    let text = text.to_str().expect("the path is UTF-8");
    run_within(&[command, &limits, &[text]].concat(), LATEST);
}

/// Each text with some of the commands, and each command with some of the texts.
#[test]
fn by_commands_that_end() {
    for (number, text) in texts().iter().enumerate() {
        for step in 0..2 {
            single_shot(COMMANDS[(number + step * 4) % COMMANDS.len()], text);
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn by_all_commands_that_end() {
    for text in texts() {
        COMMANDS.iter().for_each(|command| single_shot(command, &text));
    }
}

/// How many players the text needs.
fn players(text: &Path) -> usize {
    match name(text).as_str() {
        "joint_moves" => 16,
        "percepts" => 2,
        _ => 1,
    }
}

#[test]
fn by_match() {
    for (number, text) in texts().iter().enumerate() {
        let strategy = ["random", "uct", "mcts"][number % 3];
        let players: Vec<String> =
            (0..players(text)).map(|it| format!("--player=p{it}={strategy}")).collect();
        let mut words = vec!["match", text.to_str().expect("the path is UTF-8")];
        words.extend(players.iter().map(String::as_str));
        words.extend(["--start-clock", "0.5", "--play-clock", "0.5", "--max-length", "2"]);
        words.extend(["--max-memory", MEMORY]);
        // Two clocks, and what interpreting takes that is not ground in time.
        run_within(&words, LATEST * 2);
    }
}

/// A server that listens, and what it says of it.
fn listening(arguments: &[&str]) -> (Watched, String) {
    let mut process = program();
    process.args(arguments).args(["--port", "0", "--max-memory", MEMORY]);
    let mut process =
        process.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    let mut line = String::new();
    let stdout = process.stdout.as_mut().expect("it is piped");
    BufReader::new(stdout).read_line(&mut line).expect("it tells where it listens");
    let address = line.trim().rsplit("//").next().expect("an address").to_owned();
    (Watched { process, peak: 0 }, address)
}

/// Sends a request and returns the answer and the time that it took.
fn post(address: &str, path: &str, kind: &str, body: &str) -> (String, Duration) {
    let start = Instant::now();
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(LATEST * 5)).expect("a time");
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    );
    stream.write_all((head + body).as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    (answer, start.elapsed())
}

fn threads(process: u32) -> usize {
    std::fs::read_dir(format!("/proc/{process}/task")).map_or(0, Iterator::count)
}

/// Bytes of memory that a process has at the moment.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:")).expect("its memory");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") << 10
}

/// Ends a server by one signal.
fn interrupt(server: Watched, what: &str) {
    let id = server.process.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("kill is there").success());
    let (run, _) = server.end(LATEST, what);
    assert!(matches!(run.code, Some(0 | 130)), "{what}: {run:?}");
    assert!(!run.stderr.contains("panicked"), "{what}: {}", run.stderr);
}

/// One player for all texts: it neither dies nor keeps what is over.
#[test]
fn by_player() {
    let (mut server, address) = listening(&["player"]);
    let quiet = threads(server.process.id());
    for text in texts() {
        let rules = std::fs::read_to_string(&text).expect("the text");
        let role = if name(&text) == "joint_moves" { "r0" } else { "r" };
        let say = |message: String| post(&address, "/", "text/acl", &message);
        let (answer, time) = say(format!("(START m {role} ({rules}\n) 1 1)"));
        assert!(time < LATEST, "{text:?}: {time:?}");
        assert!(answer.starts_with("HTTP/1.0 200") || answer.contains("400"), "{text:?}: {answer}");
        if answer.ends_with("ready") {
            let (answer, time) = say("(PLAY m NIL)".to_owned());
            assert!(time < LATEST, "{text:?}: {time:?}");
            assert!(answer.contains("\r\n\r\n"), "{text:?}: {answer}");
            let (answer, _) = say("(ABORT m)".to_owned());
            assert!(answer.ends_with("aborted"), "{text:?}: {answer}");
        }
        server.look();
        let mebibytes = server.peak >> 20;
        assert!(server.peak <= MOST_BYTES, "{text:?}: {mebibytes} MiB");
        // What was for this match ends, and its memory is given back.
        let (process, over) = (server.process.id(), Instant::now());
        let is_kept = || threads(process) > quiet || resident(process) > MOST_KEPT;
        while is_kept() && over.elapsed() < LATEST {
            sleep(Duration::from_millis(10));
        }
        let (left, mebibytes) = (threads(process), resident(process) >> 20);
        assert!(!is_kept(), "{text:?}: {left} threads, {quiet} before, and {mebibytes} MiB");
    }
    interrupt(server, "player");
}

/// One page for all texts.
#[cfg(feature = "serve")]
#[test]
fn by_serve() {
    let (mut server, address) = listening(&["serve", "--time-limit", "0.5"]);
    for text in texts() {
        let rules = std::fs::read_to_string(&text).expect("the text");
        let say = |path: &str, body: serde_json::Value| {
            let (answer, time) = post(&address, path, "application/json", &body.to_string());
            assert!(time < LATEST * 2, "{path} {text:?}: {time:?}");
            let body = answer.split("\r\n\r\n").nth(1).unwrap_or_default();
            let body: Option<serde_json::Value> = serde_json::from_str(body).ok();
            body.unwrap_or_else(|| panic!("{path} {text:?}: {answer}"))
        };
        let opened = say("/api/games", serde_json::json!({ "text": rules, "title": name(&text) }));
        if let Some(id) = opened["id"].as_str() {
            let player = serde_json::json!({ "kind": "built_in", "strategy": "random" });
            let players = vec![player; opened["players"].as_array().map_or(0, Vec::len)];
            let clocks = (1, 1);
            let begun = say(
                "/api/matches",
                serde_json::json!({ "game": id, "players": players, "start_clock": clocks.0,
                    "play_clock": clocks.1, "person_clock": 1 }),
            );
            if let Some(id) = begun["id"].as_str() {
                sleep(Duration::from_millis(300));
                say(&format!("/api/matches/{id}/abort"), serde_json::json!({}));
            }
        } else {
            assert!(opened["error"].is_string(), "{text:?}: {opened}");
        }
        server.look();
        let mebibytes = server.peak >> 20;
        assert!(server.peak <= MOST_BYTES, "{text:?}: {mebibytes} MiB");
    }
    interrupt(server, "serve");
}
