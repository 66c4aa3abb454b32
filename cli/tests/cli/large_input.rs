//! Files of 50 MB: they are grounded, or refused in few words, with less memory than the limit.

use std::fmt::Write;

use super::{Folder, Run, run};

const SIZE: usize = 50_000_000;
const MEMORY: u64 = 4 << 30;

/// A file of this size, all facts.
fn file(folder: &Folder, start: &str, separator: char) -> String {
    let mut text = String::with_capacity(SIZE + 100);
    text.push_str(start);
    let mut number = 0;
    while text.len() < SIZE {
        write!(text, "(cell c{number} d{} e{}){separator}", number % 1000, number % 77)
            .expect("a string takes everything");
        number += 1;
    }
    folder.file("large.kif", text)
}

fn peak_memory(run: &Run) -> u64 {
    let line = run.stderr.lines().last().expect("statistics");
    let statistics: serde_json::Value = serde_json::from_str(line).expect("JSON");
    statistics["peak_memory_bytes"].as_u64().unwrap_or(0)
}

#[test]
fn facts_that_the_game_needs() {
    let folder = Folder::new();
    let start = "(role x)\n(<= (legal x (go ?a)) (cell ?a ?b e7))\n(<= terminal (true done))\n";
    let path = file(&folder, start, '\n');
    let run = run(["ground", &path, "--json-stats", "-o", &folder.text_path("out")]).succeeds();
    assert!(run.stderr.contains("\"status\":\"ok\""), "{}", run.stderr);
    assert!(peak_memory(&run) < MEMORY, "{}", run.stderr);
    let written = std::fs::read_to_string(folder.path("out")).expect("the result");
    assert!(written.contains("(legal x (go c84))\n"));
    assert!(!written.contains("(go c85)"));
}

#[test]
fn an_error_at_the_end_of_a_single_line() {
    let folder = Folder::new();
    let path = file(&folder, "", ' ');
    let mut text = std::fs::read(&path).expect("just written");
    text.extend_from_slice(b"(next)");
    let path = folder.file("large.kif", text);
    let run =
        run(["ground", &path]).fails(1, &["error[GF0109]: `next` takes 1 argument", ") (next)"]);
    assert!(run.stderr.len() < 1000, "the line is clipped");
}

#[cfg(target_os = "linux")]
#[test]
fn a_memory_limit_that_is_too_small() {
    let folder = Folder::new();
    let path = file(&folder, "(role x)\n", '\n');
    run(["ground", &path, "--max-memory", "100M"]).fails(
        3,
        &["error: the memory limit of 100 MiB was exceeded (", "while parsing the description"],
    );
}

#[test]
fn a_time_limit_that_is_too_short() {
    let folder = Folder::new();
    let path = file(&folder, "(role x)\n", '\n');
    // Nothing in the parser looks at the clock: the work is ended from outside, statistics and all.
    run(["ground", &path, "--time-limit", "50ms", "--json-stats"]).fails(
        3,
        &[
            "error: the time limit of 50 ms was exceeded, while ",
            "\"status\":\"limit\",\"exit_code\":3",
        ],
    );
}
