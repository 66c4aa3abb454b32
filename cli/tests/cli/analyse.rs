//! `groundfrog analyse`.

use serde_json::{Value, json};

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
    let report = run.json();
    let findings = report["findings"].as_array().expect("a list");
    let turns =
        findings.iter().find(|it| it["property"] == "turn-taking").expect("it is looked at");
    assert_eq!(turns["verdict"], "proved");
    assert_eq!(report["schema"], 1);
}

#[test]
fn a_limit_is_heeded() {
    let run = run(["analyse", &corpus("small_chess"), "--proof-time", "1ms"]).succeeds();
    run.says(&["unknown  every match ends"]);
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

// `groundfrog analyse-match`.

/// `a` chooses twice, and what it chooses last decides.
const LAST: &str = "(role a) (role b) (init (at 1)) (<= (legal a left) (true (at ?n))) (<= (legal a right) (true (at ?n)))
    (legal b noop) (<= (next (at 2)) (true (at 1)))
    (<= (next (at won)) (true (at 2)) (does a left)) (<= (next (at lost)) (true (at 2)) (does a right))
    (<= terminal (true (at won))) (<= terminal (true (at lost)))
    (<= (goal a 100) (true (at won))) (<= (goal b 0) (true (at won)))
    (<= (goal a 0) (true (at lost))) (<= (goal b 100) (true (at lost)))";

/// A folder with a game and the record of a match that `a` threw away in its last turn.
fn thrown_away() -> (Folder, Value) {
    let folder = Folder::new();
    folder.file("last.kif", LAST);
    let record = json!({
        "matchId": "m", "randomToken": "x", "startTime": 0, "gameMetaURL": "last.kif", "isCompleted": true, "isAborted": false,
        "states": [], "moves": [["left", "noop"], ["RIGHT", "noop"]], "stateTimes": [], "goalValues": [0, 100],
        "errors": [["", ""], ["", ""], ["timed out", ""]], "previewClock": -1, "startClock": 10, "playClock": 5,
    });
    (folder, record)
}

#[test]
fn a_win_that_was_thrown_away_by_the_last_move_is_named() {
    let (folder, record) = thrown_away();
    let file = folder.file("last.json", record.to_string());
    let found = run(["analyse-match", &file, "--time", "0.05"]).succeeds();
    let has = |line: &str| found.says(&[line]);
    has(
        "turn 2: a made right, better was left: from 100 (proven) to 0 (proven) (the goal that it got)",
    );
    has("; the record says: timed out\n");
    has("a: turned in turn 2, from 100 (proven) to 0 (proven); by the move of a\n");
    has(" end  a 0 (proven), b 100 (proven)\n");
    assert!(!found.stdout.contains(": b made"), "{}", found.stdout);

    let found =
        run(["analyse-match", &file, "--time", "0.05", "--format", "json"]).succeeds().json();
    assert_eq!(found["schema"], 1);
    assert_eq!(found["roles"][0]["values"][2], json!({"value": 0.0, "proven": true}));
    assert_eq!(found["roles"][1]["best"], json!([null, null]), "it has no choice");
    let mistakes = found["mistakes"].as_array().expect("a list");
    assert_eq!(mistakes.len(), 1, "{mistakes:?}");
    let expected = json!({"turn": 2, "role": "a", "made": "right", "better": "left", "recorded": "timed out",
        "from": {"value": 100.0, "proven": true}, "to": {"value": 0.0, "proven": true}});
    assert_eq!(mistakes[0], expected);
}

#[test]
fn what_is_not_known_is_no_0() {
    let (folder, mut record) = thrown_away();
    // No goal is recorded, nor do the rules have one for `b`.
    record["goalValues"] = json!([0, null]);
    folder.file("last.kif", LAST.replace("(<= (goal b 100) (true (at lost)))", ""));
    let file = folder.file("last.json", record.to_string());
    let found = run(["analyse-match", &file, "--time", "0.05"]).succeeds();
    found.says(&[" end  a 0 (proven), b ?\n"]);
    let found = run(["analyse-match", &file, "--time", "0.05", "--json"]).succeeds().json();
    assert_eq!(found["roles"][1]["values"][2], Value::Null);
    // A match that was given up before its end has no goals, whatever the record says.
    record["isCompleted"] = json!(false);
    record["moves"] = json!([["left", "noop"]]);
    let file = folder.file("given_up.json", record.to_string());
    let found = run(["analyse-match", &file, "--time", "0.05"]).succeeds();
    found.says(&["last  a 100 (proven), b "]);
    assert!(!found.stdout.contains("better was"), "{}", found.stdout);
}

#[test]
fn a_game_that_is_elsewhere_is_asked_for() {
    let (folder, mut record) = thrown_away();
    for named in ["http://games.example.org/games/last/v0/", "/nowhere/last.kif", "", "-"] {
        record["gameMetaURL"] = json!(named);
        let file = folder.file("other.json", record.to_string());
        run(["analyse-match", &file, "--time", "0.05"]).fails(2, &["--game FILE"]);
        let game = folder.text_path("last.kif");
        let found = run(["analyse-match", &file, "--time", "0.05", "--game", &game]).succeeds();
        found.says(&["turn 2: a made right, better was left"]);
    }
    // Another game than that of the match.
    let other = folder.file("other.kif", LAST.replace("right", "straight"));
    let file = folder.file("last.json", record.to_string());
    let messages = ["turn 2: `RIGHT` is not legal for `a`", "--game"];
    run(["analyse-match", &file, "--game", &other]).fails(1, &messages);
}
