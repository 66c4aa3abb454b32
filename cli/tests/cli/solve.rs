//! `groundfrog solve`: what is decided, what is not, and how it ends.

use serde_json::Value;

use super::{Folder, corpus, run};

#[test]
fn a_decided_game_has_values_and_a_line() {
    let run = run(["solve", &corpus("tictactoe")]).succeeds();
    assert!(run.stdout.starts_with("value of cross: 50\nvalue of nought: 50\n"), "{}", run.stdout);
    assert!(run.stdout.contains("\nline of 9 moves:\n"), "{}", run.stdout);
}

/// Two roles meet in the last of six steps if they choose the same of a hundred numbers.
fn meeting() -> String {
    let numbers: String = (0..100).map(|it| format!("(num {it})")).collect();
    let steps: String = (0..6).map(|it| format!("(succ {it} {})", it + 1)).collect();
    format!(
        "(role a) (role b) (init (s 0)) {numbers} {steps} (<= (legal ?r (pick ?x)) (role ?r) (num ?x))
        (<= (next (s ?y)) (true (s ?x)) (succ ?x ?y)) (<= (next (p ?r ?x)) (does ?r (pick ?x)))
        (<= (next (q ?r ?x)) (true (p ?r ?x))) (<= met (true (p a ?x)) (true (p b ?x))) (<= terminal (true (s 6)))
        (<= (goal a 100) met) (<= (goal a 0) (not met)) (<= (goal b 0) met) (<= (goal b 100) (not met))"
    )
}

#[test]
fn a_limit_leaves_bounds() {
    let folder = Folder::new();
    let game = folder.file("meeting.kif", meeting());
    let text = run(["solve", &game, "--time-limit", "2s"]);
    let text = text.fails(3, &["undecided: the time limit was reached"]);
    assert!(text.stdout.contains("value of a: undecided, from 0 to 100\n"), "{}", text.stdout);
    assert!(text.stdout.contains("no line: no value is decided\n"), "{}", text.stdout);
    let json = run(["solve", &game, "--time-limit", "2s", "--json"]).fails(3, &[]);
    let json: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!((&json["decided"], &json["undecided"]), (&false.into(), &"budget".into()));
    assert_eq!(json["values"][1]["upper"], 100.0);
    assert_eq!(json["values"][1]["decided"], false);
    assert_eq!(json["line_stop"], "undecided");
}

#[test]
fn what_never_ends_has_no_value_and_what_has_no_goal_is_an_error() {
    let folder = Folder::new();
    let steps = "(role a) (role b) (init (s 1)) (<= (legal ?r go) (role ?r)) (<= (next (s 2)) (true (s 1)))";
    let round = "(<= (next (s 1)) (true (s 2))) (<= terminal (true (s 3))) (goal a 50) (goal b 50)";
    let endless = folder.file("endless.kif", format!("{steps} {round}"));
    let run_of = run(["solve", &endless]).fails(3, &["undecided: play may go on for ever"]);
    assert!(
        run_of.stdout.contains("value of b: undecided, 50 if the match ends\n"),
        "{}",
        run_of.stdout
    );
    let no_goal = folder.file("no_goal.kif", format!("{steps} (<= terminal (true (s 2)))"));
    run(["solve", &no_goal]).fails(1, &["no goal value for `a`"]);
}
