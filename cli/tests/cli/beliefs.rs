//! `groundfrog beliefs`, and what other commands say of games in which roles do not see everything.

use super::{Folder, corpus, run};

const DOOR: &str = "; the guest points at a door, and the host opens another\n(point left) ()\nwait ((empty right))\n";

#[test]
fn states_histories_and_probabilities() {
    let folder = Folder::new();
    let history = folder.file("door.kif", DOOR);
    let game = corpus("monty_hall");
    let found = run(["beliefs", &game, "--history", &history]).succeeds();
    assert!(found.stdout.starts_with("guest after 2 steps (exact)\nstates: 2, histories: 2\n"));
    let rows: Vec<&str> = found.stdout.lines().skip(3).collect();
    assert!(rows[0].contains("0.666667") && rows[0].contains("(prize middle)"), "{rows:?}");
    assert!(rows[1].contains("0.333333") && rows[1].contains("(prize left)"), "{rows:?}");
    let found = run(["beliefs", &game, "--history", &history, "--format", "json"]).succeeds();
    let json: serde_json::Value = serde_json::from_str(&found.stdout).expect("JSON");
    assert_eq!((&json["role"], &json["steps"]), (&"guest".into(), &2.into()));
    assert_eq!((&json["method"], &json["histories"]), (&"exact".into(), &2.into()));
    let sum: f64 = json["states"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| it["probability"].as_f64().expect("a number"))
        .sum();
    assert!((sum - 1.0).abs() < 1e-9);
    // Where no history is followed beyond a limit, samples say so.
    let found = run(["beliefs", &game, "--history", &history, "--most", "1"]).succeeds();
    assert!(found.stdout.contains("(sampled: there are too many histories)"), "{}", found.stdout);
}

#[test]
fn opponents_may_be_known() {
    let folder = Folder::new();
    let history = folder.file("cards.kif", "pause ((your_card jack))\nfold ((other_player bet))");
    let game = corpus("card_draw");
    let arguments = ["beliefs", &game, "--history", &history, "--role", "alma", "--opponents"];
    run([&arguments[..], &["bruno:fold=0"]].concat()).succeeds();
    run([&arguments[..], &["bruno:bet=0"]].concat()).fails(1, &["cards.kif:2:1"]);
    let unknown = "the game has no move `raise` of `bruno`";
    run([&arguments[..], &["bruno:raise=0"]].concat()).fails(2, &[unknown]);
    run([&arguments[..], &["bruno=0"]].concat()).fails(2, &["ROLE:MOVE=WEIGHT"]);
}

#[test]
fn what_is_wrong_with_a_history_is_shown() {
    let folder = Folder::new();
    let game = corpus("monty_hall");
    for (text, place, message) in [
        ("(point left) (empty right", "door.kif:1:14", "never closed"),
        ("wait", "door.kif:1:1", "a move has no list of percepts after it"),
        ("(point up) ()", "door.kif:1:1", "`(point up)` is no move of the role"),
        ("(point left) ()\nwait ((empty left))", "door.kif:2:1", "no history"),
        ("(point left) ()\nstay ()", "door.kif:2:1", "no history"),
    ] {
        let history = folder.file("door.kif", text);
        run(["beliefs", &game, "--history", &history]).fails(1, &[place, message]);
    }
    let history = folder.file("door.kif", DOOR);
    let unknown = "there is no role `host`: take guest, random";
    run(["beliefs", &game, "--history", &history, "--role", "host"]).fails(2, &[unknown]);
}

#[test]
fn strategies_are_shown_with_the_bounds_that_they_keep() {
    let within = "the values lie within the bounds";
    let found = run(["solve", &corpus("kuhn_poker")]).fails(3, &[within]);
    let text = &found.stdout;
    assert!(text.contains("value of ann: undecided, from 48.6"), "{text}");
    assert!(
        text.contains("bea after wait ((dealt king)) wait ((did ann bet)): call 1.000"),
        "{text}"
    );
}

#[test]
fn what_roles_know_is_checked() {
    let found = run(["check", &corpus("monty_hall"), "--explore"]);
    let text = &found.stdout;
    assert!(
        text.contains(
            "known to guest       its moves: yes; the end: yes; its goal: no, see GF0707"
        ),
        "{text}"
    );
    assert!(text.contains("`guest` perceives the same in both"), "{text}");
    let folder = Folder::new();
    let open = folder.file(
        "open.kif",
        "(role ann) (role random) (init a) (legal ann go) (legal random go) (<= (next b) (does ann go))
         (<= terminal (true b)) (<= (goal ann 100) (true b)) (<= (goal ann 0) (true a)) (goal random 0)",
    );
    let found = run(["check", &open]);
    assert!(found.stdout.contains("GF0608"), "{}", found.stdout);
}

#[test]
fn a_game_of_gdl_is_run_by_the_protocol_of_gdl_ii() {
    let game = corpus("tictactoe");
    let players = ["--player", "a=uct", "--player", "b=random"];
    let clocks = ["--start-clock", "5", "--play-clock", "0.1", "--gdl-ii"];
    let found = run([&["match", &game], &players[..], &clocks[..]].concat()).succeeds();
    assert!(!found.stdout.contains("error"), "{}", found.stdout);
}
