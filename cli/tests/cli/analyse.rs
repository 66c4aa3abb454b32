//! `groundfrog analyse`.

use super::{corpus, run};

#[test]
fn what_is_proved_and_what_is_refuted_is_said() {
    let cards = run(["analyse", &corpus("rock_paper_scissors")]).succeeds();
    let starts = |line: &str| cards.stdout.lines().any(|found| found.starts_with(line));
    assert!(starts("proved   just one of (round *) holds"), "{}", cards.stdout);
    assert!(
        starts("refuted  one role at a time has a choice: not in the initial state"),
        "{}",
        cards.stdout
    );
    assert!(starts("proved   every match ends, after "), "{}", cards.stdout);
}

#[test]
fn json_has_a_verdict_for_each_property() {
    let run = run(["analyse", &corpus("tictactoe"), "--format", "json"]).succeeds();
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let findings = report["findings"].as_array().expect("a list");
    let turns =
        findings.iter().find(|it| it["property"] == "turn-taking").expect("it is looked at");
    assert_eq!(turns["verdict"], "proved");
    assert_eq!(report["schema"], 1);
}

#[test]
fn a_limit_is_heeded() {
    let run = run(["analyse", &corpus("small_chess"), "--proof-time", "1ms"]).succeeds();
    assert!(run.stdout.contains("unknown  every match ends"), "{}", run.stdout);
}
