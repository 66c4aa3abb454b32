//! `groundfrog analyse`.

use super::{Folder, corpus, run};

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

#[test]
fn statements_of_a_file_are_decided() {
    let folder = Folder::new();
    let file = folder.file(
        "own.statements",
        "(always (all (true (square ?x ?y cross)) (exactly 1 (true (square ?x ?y ?content)))))
         (always (not (true (square 2 2 cross))))",
    );
    let run = run(["analyse", &corpus("tictactoe"), "--property", &file]).succeeds();
    let starts = |line: &str| run.stdout.lines().any(|found| found.starts_with(line));
    assert!(starts("proved   (always (all (true (square"), "{}", run.stdout);
    assert!(starts("refuted  (always (not (true (square 2 2 cross)))): after"), "{}", run.stdout);
}

#[test]
fn a_statement_that_is_none_is_a_fault_with_its_place() {
    let folder = Folder::new();
    let file = folder.file("torn.statements", "(always\n  (tru (square 2 2 cross)))");
    let message = "torn.statements:2:3";
    run(["analyse", &corpus("tictactoe"), "--property", &file])
        .fails(1, &["this is no formula", message]);
}

#[test]
fn obligations_are_written_as_programs() {
    let folder = Folder::new();
    let into = folder.text_path("proofs");
    run(["analyse", &corpus("nim"), "--emit", "asp", "--into", &into]).succeeds();
    let mut names: Vec<String> = std::fs::read_dir(&into)
        .expect("a folder")
        .map(|it| it.expect("a file").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.starts_with(&["001-base.lp".to_owned(), "001-step.lp".to_owned()]), "{names:?}");
    let step = std::fs::read_to_string(format!("{into}/001-step.lp")).expect("a program");
    assert!(step.starts_with("% at most one of ") || step.starts_with("% just one of "), "{step}");
    assert!(step.contains("\n% step: this has to have no answer set.\n"), "{step}");
    run(["analyse", &corpus("nim"), "--emit", "asp"]).fails(2, &["--into <FOLDER>"]);
}

#[test]
fn what_is_said_of_a_game_has_the_predicates_of_its_description() {
    let folder = Folder::new();
    let into = folder.text_path("proofs");
    let game = corpus("nim");
    let compact = run(["ground", &game]).succeeds().stdout;
    assert!(compact.contains("(aux_"), "else this game shows nothing");
    let found = run(["analyse", &game, "--emit", "asp", "--into", &into]).succeeds().stdout;
    assert!(!found.contains("aux_") && !found.contains("some_"), "{found}");
    let found = run(["analyse", &game]).succeeds().stdout;
    assert!(!found.contains("aux_") && !found.contains("some_"), "{found}");
    for program in std::fs::read_dir(&into).expect("a folder") {
        let program = std::fs::read_to_string(program.expect("a file").path()).expect("a program");
        assert!(!program.contains("aux_") && !program.contains("some_"), "{program}");
    }
}
