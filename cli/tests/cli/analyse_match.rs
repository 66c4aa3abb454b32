//! `groundfrog analyse-match`.

use serde_json::{Value, json};

use super::{Folder, run};

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
    let has = |line: &str| assert!(found.stdout.contains(line), "no `{line}` in {}", found.stdout);
    has(
        "turn 2: a made right, better was left: from 100 (proven) to 0 (proven) (the goal that it got)",
    );
    has("; the record says: timed out\n");
    has("a: turned in turn 2, from 100 (proven) to 0 (proven); by the move of a\n");
    has(" end  a 0 (proven), b 100 (proven)\n");
    assert!(!found.stdout.contains(": b made"), "{}", found.stdout);

    let found = run(["analyse-match", &file, "--time", "0.05", "--format", "json"]).succeeds();
    let found: Value = serde_json::from_str(&found.stdout).expect("JSON");
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
    assert!(found.stdout.contains(" end  a 0 (proven), b ?\n"), "{}", found.stdout);
    let found = run(["analyse-match", &file, "--time", "0.05", "--json"]).succeeds();
    let found: Value = serde_json::from_str(&found.stdout).expect("JSON");
    assert_eq!(found["roles"][1]["values"][2], Value::Null);
    // A match that was given up before its end has no goals, whatever the record says.
    record["isCompleted"] = json!(false);
    record["moves"] = json!([["left", "noop"]]);
    let file = folder.file("given_up.json", record.to_string());
    let found = run(["analyse-match", &file, "--time", "0.05"]).succeeds();
    assert!(found.stdout.contains("last  a 100 (proven), b "), "{}", found.stdout);
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
        assert!(found.stdout.contains("turn 2: a made right, better was left"), "{}", found.stdout);
    }
    // Another game than that of the match.
    let other = folder.file("other.kif", LAST.replace("right", "straight"));
    let file = folder.file("last.json", record.to_string());
    let messages = ["turn 2: `RIGHT` is not legal for `a`", "--game"];
    run(["analyse-match", &file, "--game", &other]).fails(1, &messages);
}
