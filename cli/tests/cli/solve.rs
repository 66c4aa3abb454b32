//! `groundfrog solve`: what is decided, what is not, and how it ends.

use serde_json::Value;

use super::{ENDLESS, Folder, corpus, run};

#[test]
fn a_decided_game_has_values_and_a_line() {
    let run = run(["solve", &corpus("tictactoe")]).succeeds();
    assert!(run.stdout.starts_with("value of cross: 50\nvalue of nought: 50\n"), "{}", run.stdout);
    run.says(&["\nline of 9 moves:\n"]);
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
    text.says(&["value of a: undecided, from 0 to 100\n", "no line: no value is decided\n"]);
    let json = run(["solve", &game, "--time-limit", "2s", "--json"]).fails(3, &[]).json();
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
    run_of.says(&["value of b: undecided, 50 if the match ends\n"]);
    let no_goal = folder.file("no_goal.kif", format!("{steps} (<= terminal (true (s 2)))"));
    run(["solve", &no_goal]).fails(1, &["no goal value for `a`"]);
}

// `groundfrog simulate`.

fn report(game: &str, options: &[&str]) -> Value {
    let run = run([&["simulate", game, "--seconds", "50ms", "--format", "json"], options].concat());
    serde_json::from_str(&run.succeeds().stdout).expect("JSON")
}

#[test]
fn all_reasoners_report() {
    for reasoner in ["ground", "bit-parallel", "interpreted"] {
        let report = report(&corpus("tictactoe"), &["--reasoner", reasoner]);
        assert_eq!(report["reasoner"], reasoner);
        assert!(report["playouts_per_second"].as_f64() > Some(0.0), "{report}");
        assert!(report["states_per_second"].as_f64() > Some(0.0), "{report}");
        let clock = report["per_second_of"].as_str().expect("a clock");
        let seconds = match clock {
            "processor" => report["processor_seconds"].as_f64(),
            _ => report["seconds"].as_f64(),
        };
        let number = |name: &str| report[name].as_f64().expect("a number");
        let playouts = number("playouts_per_second") * seconds.expect("a number");
        assert!((playouts / number("playouts") - 1.0).abs() < 1e-9, "{report}");
        let length = report["mean_length"].as_f64().expect("a number");
        assert!((5.0..=9.0).contains(&length), "{report}");
        let goals = report["goals"].as_array().expect("a list");
        let sum: f64 = goals.iter().filter_map(|it| it["mean"].as_f64()).sum();
        assert!(goals.len() == 2 && (sum - 100.0).abs() < 1e-6, "{report}");
    }
}

#[test]
fn so_many_playouts_are_the_same_work_each_time() {
    for (reasoner, played) in [("ground", 700..=700), ("bit-parallel", 700..=1400)] {
        let options = ["--reasoner", reasoner, "--playouts", "700", "--format", "json"];
        let game = corpus("tictactoe");
        let play = || run([&["simulate", game.as_str()][..], &options].concat()).succeeds().stdout;
        let reports: [Value; 2] =
            [play(), play()].map(|it| serde_json::from_str(&it).expect("JSON"));
        for field in ["playouts", "states", "goals", "mean_length"] {
            assert_eq!(reports[0][field], reports[1][field], "{reasoner}");
        }
        assert!(played.contains(&reports[0]["playouts"].as_u64().expect("a number")), "{reasoner}");
    }
}

#[test]
fn for_people() {
    let run = run(["simulate", &corpus("tictactoe"), "--seconds", "0.05"]).succeeds();
    // Of which seconds rates are is said.
    let rates = run.stdout.lines().filter(|it| it.contains("_per_second: "));
    let is_said = |it: &str| it.ends_with("processor time)") || it.ends_with("on the wall)");
    assert!(rates.clone().count() == 2 && rates.clone().all(is_said), "{}", run.stdout);
    run.says(&["playouts_per_second: ", "states_per_second: ", "mean length: ", "mean goal of "]);
}

#[test]
fn playouts_without_an_end_are_capped() {
    let folder = Folder::new();
    let game = folder.file("endless.kif", ENDLESS);
    let report = report(&game, &["--max-length", "7"]);
    assert_eq!(report["capped"], report["playouts"]);
    assert_eq!((&report["mean_length"], &report["terminal"]), (&7.0.into(), &0.into()));
    assert_eq!(report["goals"][0]["mean"], Value::Null);
    let run = run(["simulate", &game, "--seconds", "50ms"]).succeeds();
    run.says(&["given up at --max-length: "]);
}

#[test]
fn the_largest_goals_have_a_mean() {
    let folder = Folder::new();
    let text =
        "(role a) (legal a go) (init on) (<= (next off) (does a go)) (<= terminal (true off))
        (goal a 9223372036854775807)";
    let game = folder.file("large.kif", text);
    for reasoner in ["ground", "bit-parallel", "interpreted"] {
        let report = report(&game, &["--reasoner", reasoner]);
        assert!(report["playouts"].as_u64() > Some(1), "{report}");
        assert_eq!(report["goals"][0]["mean"], i64::MAX as f64, "{reasoner}");
    }
}

// `groundfrog beliefs`, and what other commands say of games in which roles do not see everything.

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
    let json = found.json();
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
    found.says(&["(sampled: there are too many histories)"]);
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
    found.says(&["GF0608"]);
}

#[test]
fn a_game_of_gdl_is_run_by_the_protocol_of_gdl_ii() {
    let game = corpus("tictactoe");
    let players = ["--player", "a=uct", "--player", "b=random"];
    let clocks = ["--start-clock", "5", "--play-clock", "0.1", "--gdl-ii"];
    let found = run([&["match", &game], &players[..], &clocks[..]].concat()).succeeds();
    assert!(!found.stdout.contains("error"), "{}", found.stdout);
}
