//! Ctrl-C and termination.
#![cfg(unix)]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{Folder, Run, program, run};

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
