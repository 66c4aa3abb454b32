//! A game over its limit stops with an exit code of its own and says what is to blame.

use std::fmt::Write;

use super::{Folder, Run, run};

/// A game whose rule for `all_bright` has 20^8 instances.
fn product(folder: &Folder) -> String {
    let path = folder.text_path("product.kif");
    run(["generate", "domain-product", "--wheels", "8", "--values", "40", "-o", &path]).succeeds();
    path
}

/// Checks that the predicate is named and that nothing is left behind. Returns the message.
#[track_caller]
fn stops(limit: &[&str], message: &str) -> String {
    let folder = Folder::new();
    let game = product(&folder);
    let out = folder.text_path("out.kif");
    let run = run([&["ground", &game, "--flat", "-o", &out], limit].concat());
    let run = run.fails(3, &[message, "while deriving `all_bright` ("]);
    let count = run.stderr.split("while deriving `all_bright` (").nth(1).expect("checked above");
    let count: u64 = count.split(' ').next().and_then(|it| it.parse().ok()).expect("a number");
    assert!(count > 1000, "by how much: {}", run.stderr);
    assert_eq!(folder.names(), ["product.kif"], "nothing is left behind");
    run.stderr
}

/// What ends a run need not be what it was spent on.
#[test]
fn the_rule_is_named_that_costs_the_most() {
    let folder = Folder::new();
    let marks: String = (0..300).map(|it| format!("(init (on {it}))")).collect();
    let text = format!(
        "(role a) (legal a go) (goal a 100) {marks} (<= (next (on ?x)) (true (on ?x)))
        (<= (large ?x ?y) (true (on ?x)) (true (on ?y)))
        (<= (later ?y) (large 7 ?y) (true (on ?y)) (true (on ?z)) (not (true (on ?z))))
        (<= terminal (large 1 2) (later 3))"
    );
    let game = folder.file("game.kif", text);
    let message = "more than 95000 ground rules, most of it for `(large _ _)` (90000 so far)";
    let rule = "(<= (large ?x ?y) (true (on ?x)) (true (on ?y)))";
    run(["ground", &game, "--flat", "--max-rules", "95000"]).fails(3, &[message, rule]);
}

#[test]
fn of_ground_rules() {
    let message = stops(&["--max-rules", "50000"], "error[GF0307]: more than 50000 ground rules");
    assert!(message.contains("(<= all_bright"), "{message}");
    assert!(message.contains("this rule, "), "{message}");
}

#[test]
fn of_memory() {
    stops(&["--max-memory", "64M"], "the memory limit of 64 MiB was exceeded");
}

/// Rules in large numbers may take longer to copy or to free than the report may be late: the predicate is named then, too,
/// but the rule cannot be shown.
#[test]
fn of_time() {
    for (limit, message) in [("200ms", "200 ms"), ("700ms", "700 ms")] {
        let message = format!("the time limit of {message} was exceeded");
        stops(&["--time-limit", limit], &message);
    }
}

#[test]
fn of_time_on_two_threads() {
    let message = "the time limit of 200 ms was exceeded";
    stops(&["--time-limit", "200ms", "--threads", "2"], message);
}

#[test]
fn of_time_in_the_fixpoint() {
    let folder = Folder::new();
    let game = folder.text_path("width.kif");
    let parameters = ["--variables", "12", "--domain", "12", "--width", "11", "-o", &game];
    run([&["generate", "rule-width"], &parameters[..]].concat()).succeeds();
    for engine in ["datafrog", "naive", "compare"] {
        let run = run(["ground", &game, "--flat", "--time-limit", "200ms", "--engine", engine]);
        run.fails(3, &["the time limit of 200 ms was exceeded", "`(woven _ _)`", "(<= (woven ?v1"]);
    }
}

#[test]
fn statistics_are_written_all_the_same() {
    let folder = Folder::new();
    let game = product(&folder);
    let statistics = folder.text_path("statistics");
    let option = format!("--json-stats={statistics}");
    run(["ground", &game, "--flat", "--max-rules", "1000", &option]).fails(3, &["more than 1000"]);
    let text = std::fs::read_to_string(statistics).expect("statistics");
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&value["status"], &value["exit_code"]), (&"limit".into(), &3.into()));
    let message = value["message"].as_str().expect("a message");
    assert!(message.contains("more than 1000 ground rules"), "{message}");
}

/// A description of thousands of fluents, all of other functions.
fn fluents(folder: &Folder, count: usize) -> String {
    let rules = (0..count).map(|number| {
        let other = (number + 1) % count;
        format!(
            "(init (f{number} a)) (<= (next (f{number} ?x)) (true (f{number} ?x)) (not (true (f{other} ?x))))\n"
        )
    });
    let text = "(role a) (legal a go) (goal a 100) (<= terminal (true (f1 b)))\n".to_owned();
    folder.file("fluents.kif", rules.fold(text, |text, rule| text + &rule))
}

#[test]
fn of_time_in_checks() {
    let folder = Folder::new();
    let game = fluents(&folder, 12_000);
    let start = std::time::Instant::now();
    let run = run(["check", &game, "--time-limit", "50ms"]).succeeds();
    // Reading is within the limit.
    let limit = run.stdout.split("the time limit of ").nth(1);
    assert!(limit.is_some_and(|it| it.contains(" ms was exceeded")), "{}", run.stdout);
    // No claim about speed: without a limit inside the checks it took many seconds.
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn many_forms_are_no_hindrance() {
    let folder = Folder::new();
    let game = fluents(&folder, 12_000);
    let run = run(["ground", &game, "--time-limit", "30s", "-o", &folder.text_path("out.kif")]);
    assert!(run.succeeds().stderr.contains("12002 ground rules"));
}

// Small descriptions in which something could multiply: views within views, alternatives and what binds their variables, names for names. They are grounded and checked within limits that none comes near.

/// A game with these rules besides.
fn game(rules: &str) -> String {
    format!(
        "(role r) (init (at a)) (init (on s)) (<= (next (on s)) (true (on s))) (<= (goal r 0) (true (on s)))
        (<= terminal (true (at z))) (adj a b) (adj b a)
        (<= (next (at ?y)) (does r (go ?x ?y)) (true (at ?x)) (true (at ?z)) (adj ?z ?y))
        (<= (legal r (go ?x ?y)) (true (at ?x)) (adj ?x ?y)) (<= (legal r wait) (true (on s))) {rules}"
    )
}

fn list(count: usize, of: impl Fn(usize) -> String) -> String {
    (0..count).map(of).collect()
}

/// Grounds and checks games; returns the ground rules.
#[track_caller]
fn grounded(rules: &str) -> String {
    let folder = Folder::new();
    let path = folder.file("game.kif", game(rules));
    // Most of these games cannot end.
    let allowed = ["--allow", "GF0709", "--fail-on", "error"];
    run([&["check", path.as_str(), "--time-limit", "20s"][..], &allowed].concat()).succeeds();
    let limits = ["--time-limit", "20s", "--max-memory", "512M"];
    run([&["ground", path.as_str(), "-q"], &limits[..]].concat()).succeeds().stdout
}

#[test]
fn views_within_views_that_are_asked_for_again_and_again() {
    let again = |view: &str| format!("{view} ").repeat(40);
    let rules = format!(
        "(<= (next (at ?x)) (true (at ?x)) (does r wait) {}) (<= v0 {}) (<= v1 {}) (<= v2 {})",
        again("v0"),
        again("v1"),
        again("v2"),
        again("(true (on s))")
    );
    assert!(grounded(&rules).contains("(<= (next (at a)) (true (at a)) (does r wait)"));
}

#[test]
fn an_or_of_many_alternatives_beside_an_atom_with_many_arguments() {
    let arguments = "?x ".repeat(600);
    let alternatives = list(600, |it| format!("(and (true (at ?x)) (distinct ?x c{it}))"));
    let rules = format!(
        "(<= (big {arguments}) (true (at ?x))) (<= (other ?y) (true (at ?y)))
        (<= (next (at z)) (does r wait) (big {arguments}) (other ?y)
            (or {alternatives}) (or (true (at ?x)) (distinct ?x ?y)))"
    );
    assert!(grounded(&rules).contains("(next (at z))"));
}

#[test]
fn names_that_stand_for_names() {
    let names = list(2000, |it| format!("(<= (n{} ?x) (n{it} ?x))", it + 1));
    let asked = list(200, |it| format!("(<= (next (on f{it})) (true (on f{it})) (n2000 ?x))"));
    let first = list(200, |it| format!("(init (on f{it}))"));
    let rules = format!("(<= (n0 ?x) (true (at ?x))) {names} {asked} {first}");
    let grounded = grounded(&rules);
    // Whatever the names stand for is said once for all that asks for them.
    for rule in ["(true (on f199)) (some_next 1))", "(<= (some_next 1) (true (at a)))"] {
        assert!(grounded.contains(rule), "{grounded}");
    }
}

#[test]
fn ends_by_views_that_say_nothing_of_ends() {
    let of = |name: &str, asked: &str| {
        list(30, |it| format!("(<= ({name} ?x) ({asked} ?x) (distinct ?x c{it}))"))
    };
    let rules = format!(
        "(<= terminal (v1 b)) {} {} {} (<= (v4 ?x) (true (at ?x)) (true (at z)))",
        of("v1", "v2"),
        of("v2", "v3"),
        of("v3", "v4")
    );
    assert!(grounded(&rules).contains("(next (at b))"));
}

// Files of 50 MB: they are grounded, or refused in few words, with less memory than the limit.

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
