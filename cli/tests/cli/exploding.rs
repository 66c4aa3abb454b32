//! Small texts that stand for far more than there is room or time for: each command stays within its limits, gives a reason and ends
//! as documented.
#![cfg(target_os = "linux")]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use groundfrog_benches::machine;

use super::{Listening, Run, program, signal};

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

/// Waits for the end of a process that never has more memory than it may, and returns how long it took.
fn end(process: &mut Child, latest: Duration, what: &str) -> Duration {
    let (start, mut peak) = (Instant::now(), 0);
    while process.try_wait().expect("it is a child").is_none() {
        peak = peak.max(machine::peak_memory_of(process.id()).unwrap_or(0));
        if start.elapsed() > latest * 10 {
            process.kill().expect("it runs");
            panic!("{what}: it does not end");
        }
        sleep(Duration::from_millis(2));
    }
    let time = start.elapsed();
    assert!(peak <= MOST_BYTES, "{what}: {} MiB", peak >> 20);
    time
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
    let time = end(&mut process, latest, &command.join(" "));
    let run = Run::from(process.wait_with_output().expect("it has ended"));
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

/// A server that listens.
fn listening(arguments: &[&str]) -> Listening {
    let mut process = program();
    process.args(arguments).args(["--port", "0", "--max-memory", MEMORY]);
    Listening::start(process.stderr(Stdio::piped()))
}

/// Sends a request and returns the answer and the time that it took.
fn post(server: &Listening, path: &str, kind: &str, body: &str) -> (String, Duration) {
    let start = Instant::now();
    let answer = server.post(path, kind, body);
    (answer, start.elapsed())
}

/// Checks that a server has not had more memory than it may.
fn look(server: &Listening, text: &Path) {
    let peak = machine::peak_memory_of(server.process.id()).unwrap_or(0);
    assert!(peak <= MOST_BYTES, "{text:?}: {} MiB", peak >> 20);
}

/// The names of the threads of a process.
fn threads(process: u32) -> Vec<String> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    tasks.filter_map(|it| std::fs::read_to_string(it.path().join("comm")).ok()).collect()
}

/// Bytes of memory that a process has at the moment.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:")).expect("its memory");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") << 10
}

/// Ends a server by one signal.
fn interrupt(mut server: Listening, what: &str) {
    signal("-INT", &server.process);
    end(&mut server.process, LATEST, what);
    let code = server.process.wait().expect("it has ended").code();
    let mut told = String::new();
    server.process.stderr.as_mut().expect("it is piped").read_to_string(&mut told).expect("text");
    assert!(matches!(code, Some(0 | 130)), "{what}: {code:?} {told}");
    assert!(!told.contains("panicked"), "{what}: {told}");
}

/// One player for all texts: it neither dies nor keeps what is over.
#[test]
fn by_player() {
    let server = listening(&["player"]);
    let quiet = threads(server.process.id()).len();
    for text in texts() {
        let rules = std::fs::read_to_string(&text).expect("the text");
        let role = if name(&text) == "joint_moves" { "r0" } else { "r" };
        let say = |message: String| post(&server, "/", "text/acl", &message);
        let (answer, time) = say(format!("(START m {role} ({rules}\n) 1 1)"));
        assert!(time < LATEST, "{text:?}: {time:?}");
        assert!(answer.contains(" 200 ") || answer.contains("400"), "{text:?}: {answer}");
        if answer.ends_with("ready") {
            let (answer, time) = say("(PLAY m NIL)".to_owned());
            assert!(time < LATEST, "{text:?}: {time:?}");
            assert!(answer.contains("\r\n\r\n"), "{text:?}: {answer}");
            let (answer, _) = say("(ABORT m)".to_owned());
            assert!(answer.ends_with("aborted"), "{text:?}: {answer}");
        }
        look(&server, &text);
        // What was for this match ends, and its memory is given back.
        let (process, over) = (server.process.id(), Instant::now());
        let is_kept = || threads(process).len() > quiet || resident(process) > MOST_KEPT;
        // A thread that has nothing to do any more may wait for a processor.
        while is_kept() && over.elapsed() < LATEST * 5 {
            sleep(Duration::from_millis(10));
        }
        let (left, mebibytes) = (threads(process), resident(process) >> 20);
        assert!(!is_kept(), "{text:?}: {left:?}, {quiet} threads before, and {mebibytes} MiB");
    }
    interrupt(server, "player");
}

/// One page for all texts.
#[cfg(feature = "serve")]
#[test]
fn by_serve() {
    let server = listening(&["serve", "--time-limit", "0.5"]);
    for text in texts() {
        let rules = std::fs::read_to_string(&text).expect("the text");
        let say = |path: &str, body: serde_json::Value| {
            let (answer, time) = post(&server, path, "application/json", &body.to_string());
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
        look(&server, &text);
    }
    interrupt(server, "serve");
}
