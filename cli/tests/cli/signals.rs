//! Ctrl-C and termination.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{ENDLESS, Folder, Run, corpus, program, run, signal, started};

/// Starts grounding what would take for ever, sends a signal when the work has begun, and returns the
/// end with how long it took.
fn interrupted(signal: &str, folder: &Folder) -> (Run, Duration) {
    let game = folder.text_path("product.kif");
    run(["generate", "domain-product", "--wheels", "9", "--values", "40", "-o", &game]).succeeds();
    let child = started(&["ground", &game, "--flat", "-o", &folder.text_path("out.kif")]);
    std::thread::sleep(Duration::from_millis(300));
    super::signal(signal, &child);
    let start = Instant::now();
    let run = child.wait_with_output().expect("it ends").into();
    (run, start.elapsed())
}

/// Starts the program, sends it Ctrl-C once it has printed a line or after a time, and returns the end.
fn interrupted_after(words: &[&str], wait: Option<Duration>) -> Run {
    let mut child = started(words);
    let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut text = String::new();
    match wait {
        Some(time) => std::thread::sleep(time),
        None => drop(stdout.read_line(&mut text).expect("it prints a line")),
    }
    signal("-INT", &child);
    stdout.read_to_string(&mut text).expect("text");
    let run: Run = child.wait_with_output().expect("it ends").into();
    Run { stdout: text, ..run }
}

#[test]
fn an_interruption_is_how_servers_end() {
    for words in [&["player", "--port", "0"][..], &["serve", "--port", "0"]] {
        let run = interrupted_after(words, None).succeeds();
        run.says(&["http://127.0.0.1:"]);
        assert_eq!(run.stderr, "", "{words:?}");
    }
}

#[test]
fn simulate_prints_what_it_has_measured_until_then() {
    for reasoner in ["ground", "bit-parallel", "interpreted"] {
        let game = corpus("tictactoe");
        let words = ["simulate", &game, "--seconds", "60", "--reasoner", reasoner, "--json"];
        let run = interrupted_after(&words, Some(Duration::from_secs(1)));
        let run = run.fails(130, &["error: interrupted\n"]);
        let report = run.json();
        assert!(report["playouts"].as_u64() > Some(0), "{report}");
        assert!(report["seconds"].as_f64() < Some(30.0), "{report}");
    }
}

#[test]
fn stop_cleanly() {
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::new();
        let (run, time) = interrupted(signal, &folder);
        run.fails(130, &["error: interrupted\n"]);
        assert!(time < Duration::from_secs(5), "{time:?}");
        assert_eq!(folder.names(), ["product.kif"], "nothing is left behind");
    }
}

#[test]
fn what_a_killed_run_left_is_removed_by_the_next() {
    let folder = Folder::new();
    let (run, _) = interrupted("-KILL", &folder);
    assert_eq!(run.code, None, "it is killed");
    // As if it had been killed while it wrote.
    folder.file(".groundfrog-dead.tmp", "(role");
    let out = folder.text_path("out.kif");
    super::run(["ground", &corpus("nim"), "-o", &out]).succeeds();
    assert_eq!(folder.names(), ["out.kif", "product.kif"]);
}

/// Waits for the end of a process, and says how long it took.
fn end(mut child: Child) -> (Option<i32>, Duration) {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(20) {
        if let Some(status) = child.try_wait().expect("it is a child") {
            return (status.code(), start.elapsed());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it runs");
    panic!("it does not end");
}

fn fifo(folder: &Folder, name: &str) -> String {
    let path = folder.text_path(name);
    assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo is there").success());
    path
}

/// The arguments of a match of random moves that lasts.
fn long_match(game: &str) -> Vec<&str> {
    let rest = "--player p=random --start-clock 1 --play-clock 1 --max-length 4000000000";
    [&["match", game][..], &rest.split(' ').collect::<Vec<_>>()].concat()
}

#[test]
fn a_second_one_ends_at_once_though_nobody_reads() {
    let folder = Folder::new();
    let game = folder.file("endless.kif", ENDLESS);
    let mut command = program();
    command.args(long_match(&game)).stdout(Stdio::piped()).stderr(Stdio::null());
    let child = command.spawn().expect("it starts");
    // The pipe is full by then.
    std::thread::sleep(Duration::from_millis(1500));
    signal("-INT", &child);
    std::thread::sleep(Duration::from_millis(300));
    signal("-INT", &child);
    let (code, time) = end(child);
    assert_eq!(code, Some(130));
    assert!(time < Duration::from_secs(2), "{time:?}");
}

#[test]
fn a_second_one_ends_at_once_though_the_record_is_a_pipe() {
    let folder = Folder::new();
    let record = fifo(&folder, "record");
    let mut command = program();
    command.args(["match", &corpus("nim"), "--player", "a=random", "--player", "b=random"]);
    command.args(["--start-clock", "1", "--play-clock", "1", "--record", &record]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_millis(1500));
    signal("-INT", &child);
    std::thread::sleep(Duration::from_millis(300));
    signal("-INT", &child);
    assert_eq!(end(child).0, Some(130));
}

#[test]
fn the_result_is_printed_though_the_record_cannot_be_written() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("gone")).expect("a folder");
    let game = folder.file("endless.kif", ENDLESS);
    let record = folder.text_path("gone/record.json");
    let mut words = long_match(&game);
    words.pop();
    words.extend(["100000", "--quiet", "--record", &record]);
    let child = started(&words);
    std::thread::sleep(Duration::from_millis(700));
    std::fs::remove_dir_all(folder.path("gone")).expect("it can be removed");
    signal("-INT", &child);
    let run: Run = child.wait_with_output().expect("it ends").into();
    assert!(run.stdout.contains("The match is given up after"), "{run:?}");
    run.fails(4, &["cannot write to"]);
}

#[test]
fn pipes_are_no_records() {
    let folder = Folder::new();
    fifo(&folder, "tictactoe.jsonl");
    let traces = folder.text_path("");
    run(["verify", &corpus("tictactoe"), "--traces", &traces]).fails(4, &["not a regular file"]);
    let results = fifo(&folder, "results");
    run(["compare", &results, &results]).fails(4, &["not a regular file"]);
}

#[test]
fn a_log_whose_reader_stalls_keeps_nobody_waiting() {
    let folder = Folder::new();
    let log = fifo(&folder, "log");
    // It listens although nobody reads the log.
    let player = super::matches::player(&["--port", "0", "--log", &log]);
    let reader = std::fs::File::open(&log).expect("the log");
    // More lines than there is room for in the pipe and in the player.
    let many = 3000;
    (0..many).for_each(|_| assert_eq!(player.say("(ABORT nothing)"), "busy"));
    let mut lines = BufReader::new(reader).lines();
    let mut whole = 0;
    let dropped = loop {
        let line = lines.next().expect("a line says so").expect("text");
        let line: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        match line["event"].as_str() {
            Some("dropped") => break line["lines"].as_u64().expect("a number"),
            _ => whole += 1,
        }
    };
    assert!(dropped > 0 && whole + dropped <= many, "{whole} and {dropped}");
}

#[test]
fn records_have_the_mode_of_new_files_and_follow_no_link() {
    let folder = Folder::new();
    let (kept, record) = (folder.file("kept", "kept"), folder.path("record.json"));
    // The name that was fixed once.
    symlink(&kept, folder.path("record.json.tmp")).expect("a link");
    let words = ["match", &corpus("nim"), "--player", "a=random", "--player", "b=random"];
    let record_path = record.to_str().expect("the path is UTF-8");
    run([&words[..], &["--record", record_path, "--start-clock", "1"]].concat()).succeeds();
    assert_eq!(std::fs::read_to_string(&kept).expect("it is there"), "kept");
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).expect("is there").permissions().mode();
    assert_eq!(mode(&record), mode(kept.as_ref()));
    assert_eq!(folder.names(), ["kept", "record.json", "record.json.tmp"]);
}

/// With less address space than the text takes there is a message and no abort.
#[test]
fn out_of_memory_while_reading_is_told() {
    let folder = Folder::new();
    let game = folder.path("large.kif");
    let file = std::fs::File::create(&game).expect("the folder can be written to");
    // As long as a description may be, with nothing in it that takes room on the disk.
    file.set_len(groundfrog::description::MAX_SOURCE_BYTES).expect("it is sparse");
    let program = env!("CARGO_BIN_EXE_groundfrog");
    let script = "ulimit -v $(( 1300 * 1024 )); \"$0\" ground \"$1\"";
    let output = Command::new("sh").args(["-c", script, program]).arg(&game).output();
    let run: Run = output.expect("sh is there").into();
    run.fails(4, &["cannot read", "memory"]);
}
