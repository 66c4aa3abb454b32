//! A game over its limit stops with an exit code of its own and says what is to blame.

use super::{Folder, run};

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
