//! `groundfrog check`: findings, exploration, formats, exit codes.

use std::process::Stdio;

use super::{Folder, Run, corpus, program, run, run_with};

#[test]
fn tictactoe_is_explored_completely() {
    let run = run(["check", &corpus("tictactoe"), "--explore"]).succeeds();
    run.says(&[
        "bounded GDL",
        "nothing found",
        "5478, 958 terminal",
        "termination          yes",
        "winnable, cross      yes: in 5 moves: ",
    ]);
}

#[test]
fn limits_leave_things_undecided() {
    let run = run(["check", &corpus("tictactoe"), "--explore", "--max-states", "1000"]).succeeds();
    run.says(&[
        "winnable, cross      not decided within the limit of 1000 states",
        // This is proved, whatever was visited.
        "utility              yes: each role always has one goal value in the end",
    ]);
}

/// Roles choose numbers at once, and one rule is about all choices together: flat, it is as many as there are joint moves.
fn choices(roles: usize, numbers: usize, condition: &str) -> String {
    let mut text = String::from("(init (s 0)) (succ 0 1) (succ 1 2)");
    (0..numbers).for_each(|it| text += &format!("(num {it})"));
    for role in 0..roles {
        text += &format!("(role r{role}) (<= (next (chose r{role} ?n)) (does r{role} (pick ?n)))");
    }
    let all: String = (0..roles).map(|it| format!("(does r{it} (pick ?n{it}))")).collect();
    text + &format!(
        "(<= (next together) {all} {condition}) (<= (legal ?r (pick ?n)) (role ?r) (num ?n))
        (<= (next (s ?y)) (true (s ?x)) (succ ?x ?y)) (<= terminal (true (s 2)))
        (<= (goal ?r 100) (role ?r) (true together) (true (chose ?r 1)))"
    )
}

#[test]
fn by_default_work_goes_by_states_and_not_by_joint_moves() {
    let folder = Folder::new();
    // There are 100 000 000 joint moves.
    let game = folder.file("choices.kif", choices(4, 100, ""));
    let found = run(["check", &game, "--max-memory", "256M", "--time-limit", "60s"]).fails(1, &[]);
    let fault =
        "error[GF0703]: a match ends without exactly one goal value: the goal values of `r0`: none";
    found.says(&[fault]);
    // Where that many rules cannot be avoided, the report says what it has not looked at.
    let differ = "(distinct ?n0 ?n1) (distinct ?n0 ?n2) (distinct ?n0 ?n3)";
    let game = folder.file("choices.kif", choices(4, 100, differ));
    let found = run(["check", &game, "--max-memory", "256M", "--time-limit", "60s"]).succeeds();
    let told = "not decided          what a few matches show: more than ";
    found.says(&[told]);
}

#[test]
fn what_was_found_before_a_limit_is_told() {
    let folder = Folder::new();
    let game = folder.file("stray.kif", format!("stray {}", choices(3, 5, "")));
    let mut command = program();
    command.args(["check", &game, "-", "--max-memory", "1M"]).stdin(Stdio::piped());
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    // The second description does not come, and the process has more than a megabyte.
    let kept_open = child.stdin.take();
    let run = Run::from(child.wait_with_output().expect("it ends"));
    drop(kept_open);
    let run = run.fails(3, &["the memory limit of 1 MiB was exceeded"]);
    run.says(&["warning[GF0203]", "stray.kif: "]);
}

#[test]
fn what_takes_too_long_is_unknown() {
    let folder = Folder::new();
    let game = folder.file("stray.kif", format!("stray {}", choices(3, 5, "")));
    let run = run(["check", &game, "--time-limit", "0.000001"]).succeeds();
    run.says(&["warning[GF0203]", "stray.kif: unknown; ", "not decided "]);
}

#[test]
fn severity_decides_the_exit_code() {
    let game = corpus("unbounded");
    run(["check", &game]).succeeds();
    run(["check", &game, "--fail-on", "warning"]).fails(8, &[]);
}

#[test]
fn many_files_end_with_a_table_and_the_others_are_checked() {
    let all = run(["check", &corpus("nim"), &corpus("nowhere"), &corpus("hanoi")]);
    let all = all.fails(4, &["cannot read"]);
    all.says(&["2 descriptions: 0 with errors"]);
}

#[test]
fn formats_for_programs() {
    let json = run(["check", &corpus("nim"), "--explore", "--format", "json"]).succeeds().json();
    assert_eq!(json["files"][0]["exploration"]["states"], 752);
    let sarif = run_with(&["check", "-", "--format", "sarif"], "(role").fails(1, &[]).json();
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "GF0005");
}

#[test]
fn codes_are_explained() {
    let text = run(["check", "--explain", "gf0302"]).succeeds().stdout;
    assert!(text.starts_with("GF0302: an unsafe variable\n===="), "{text}");
    assert!(!text.contains("```") && text.lines().all(|it| it.chars().count() <= 84), "{text}");
    let list = run(["check", "--list"]).succeeds().stdout;
    let codes = groundfrog_check::codes::codes();
    assert_eq!(list.lines().count(), codes.len());
    assert!(list.contains("GF0702  error    a role without a legal move\n"), "{list}");
    run(["check", "--explain", "GF9999"]).fails(2, &["there is no such code"]);
    run(["check"]).fails(2, &["GAME"]);
}

#[test]
fn a_role_without_a_move_is_found_without_being_asked_for() {
    let game = "(role ann) (role ben) (init (step 0)) (succ 0 1) (succ 1 2) (legal ann wait)
        (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y)) (<= terminal (true (step 2)))
        (<= (goal ?r 100) (role ?r))";
    for (legal, way) in [
        ("(<= (legal ben wait) (true (step 7)))", "the initial state"),
        ("(<= (legal ben wait) (true (step 0)))", "wait + wait"),
    ] {
        let run = run_with(&["check", "-"], format!("{game} {legal}")).fails(1, &[]);
        run.says(&["error[GF0702]: `ben` has no legal move", way]);
    }
    let two = format!("{game} (legal ben wait) (goal ann 3)");
    let run = run_with(&["check", "-"], two).fails(1, &[]);
    run.says(&["error[GF0703]"]);
    // What matches cannot decide is not told of.
    let run = run_with(&["check", "-"], format!("{game} (legal ben wait)")).succeeds();
    assert!(!run.stdout.contains("random matches"), "{}", run.stdout);
}

#[test]
fn what_follows_stands_below_its_cause() {
    let game = std::fs::read_to_string(corpus("tictactoe")).expect("the game");
    let game = game.replacen("(init (turn", "(init (trun", 1);
    let run = run_with(&["check", "-"], &game).fails(1, &[]);
    let first = "warning[GF0207]: `trun` is a fluent that no rule reads";
    assert!(run.stdout.starts_with(first), "{}", run.stdout);
    run.says(&["help: did you mean `turn`?"]);
    for code in ["error[GF0702]", "warning[GF0602]"] {
        run.says(&[&format!(": {code}: ")]);
    }
    assert!(!run.stdout.contains("\nwarning[GF0602]"), "{}", run.stdout);
    run.says(&[" of them follow from others)"]);
    let json = run_with(&["check", "-", "--format", "json"], &game).fails(1, &[]).json();
    let found = json["files"][0]["diagnostics"].as_array().expect("a list");
    assert_eq!(
        (&found[0]["code"], &found[0]["follows_from"]),
        (&"GF0207".into(), &serde_json::Value::Null)
    );
    assert!(found[1..].iter().all(|it| it["follows_from"] == 0), "{found:#?}");
    let sarif = run_with(&["check", "-", "--format", "sarif"], &game).fails(1, &[]).json();
    let follows = &sarif["runs"][0]["results"][1]["relatedLocations"];
    let last = follows.as_array().and_then(|it| it.last()).expect("a place");
    assert_eq!(last["message"]["text"], "follows from GF0207");
}

#[test]
fn what_is_too_large_to_be_checked_is_a_limit() {
    let places: String = (0..3000).map(|it| format!("(true (at v{it}))")).collect();
    let game = format!("(role ann) (init (at v1)) (legal ann wait) (<= (goal ann 3) {places})");
    let run = run_with(&["check", "-"], &game).fails(3, &[]);
    run.says(&["GF0309", "<stdin>: unknown"]);
    let run = run_with(&["check", "-"], "(".repeat(300)).fails(3, &[]);
    run.says(&["unknown", "not decided"]);
}

#[test]
fn goals_that_add_up_to_something_else_once_are_told() {
    let folder = Folder::new();
    // Who is second can throw the match away for both.
    let rules = "(role x) (role o) (init (turn x)) (act a) (act b) (act c) (act d) (act e) (act f) (act g) (act h)
        (<= (legal ?r (take ?a)) (true (turn ?r)) (act ?a)) (<= (legal ?r pass) (role ?r) (not (true (turn ?r))))
        (<= (next (turn o)) (true (turn x))) (<= (next (took ?r ?a)) (does ?r (take ?a)))
        (<= (next (took ?r ?a)) (true (took ?r ?a))) (<= spoilt (true (took o h)))
        (<= terminal (not (true (turn x))) (not (true (turn o))))
        (<= (goal x 100) (not spoilt)) (<= (goal x 0) spoilt) (<= (goal o 0))";
    let game = folder.file("spoilt.kif", rules);
    let found = run(["check", &game, "--playouts", "5"]).succeeds();
    let note =
        "note[GF0708]: the goals of both roles mostly add up to 100, and once they do not: 0 + 0";
    found.says(&[note]);
}
