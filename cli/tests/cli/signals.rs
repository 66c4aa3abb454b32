//! Ctrl-C and termination.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{Folder, Run, corpus, program, run};

/// Starts grounding what would take for ever, sends a signal when the work has begun, and returns the
/// end with how long it took.
fn interrupted(signal: &str, folder: &Folder) -> (Run, Duration) {
    let game = folder.text_path("product.kif");
    run(["generate", "domain-product", "--wheels", "9", "--values", "40", "-o", &game]).succeeds();
    let mut command = program();
    command.args(["ground", &game, "--flat", "-o", &folder.text_path("out.kif")]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_millis(300));
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
    let start = Instant::now();
    let run = child.wait_with_output().expect("it ends").into();
    (run, start.elapsed())
}

/// Starts the program, sends it Ctrl-C once it has printed a line or after a time, and returns the end.
fn interrupted_after(words: &[&str], wait: Option<Duration>) -> Run {
    let mut command = program();
    let child = command.args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("it starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut text = String::new();
    match wait {
        Some(time) => std::thread::sleep(time),
        None => drop(stdout.read_line(&mut text).expect("it prints a line")),
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
    stdout.read_to_string(&mut text).expect("text");
    let run: Run = child.wait_with_output().expect("it ends").into();
    Run { stdout: text, ..run }
}

#[test]
fn an_interruption_is_how_servers_end() {
    for words in [&["player", "--port", "0"][..], &["serve", "--port", "0"]] {
        let run = interrupted_after(words, None).succeeds();
        assert!(run.stdout.contains("http://127.0.0.1:"), "{}", run.stdout);
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
        let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
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
