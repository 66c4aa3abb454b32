//! `groundfrog verify`.

use super::{ENDLESS, Folder, corpus, run};

/// A position of `ENDLESS`, of which the lamp may be told wrongly.
fn trace(lamp: &str) -> String {
    format!(
        "{{\"playout\":0,\"step\":0,\"state\":[\"(lamp {lamp})\"],\"legal\":{{\"ann\":[\"push\",\"wait\"]}},\
         \"terminal\":false,\"goal\":{{\"ann\":[]}},\"move\":null}}\n"
    )
}

#[test]
fn games_equal_their_rules() {
    let games = [corpus("tictactoe"), corpus("connect_four")];
    let run = run(["verify", &games[0], &games[1], "--playouts", "3", "--seed", "7"]).succeeds();
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{}", run.stdout);
    for (line, game) in lines.iter().zip(&games) {
        assert!(line.starts_with(&format!("{game}: 3 playouts, ")), "{line}");
        assert!(line.ends_with(" states compared, no difference"), "{line}");
    }
}

#[test]
fn games_without_an_end_are_given_up() {
    let folder = Folder::new();
    let game = folder.file("endless.kif", ENDLESS);
    let run = run(["verify", &game, "--playouts", "2", "--max-length", "5"]).succeeds();
    let report = "2 playouts, 12 states compared, 2 given up at the cap, no difference\n";
    assert!(run.stdout.ends_with(report), "{}", run.stdout);
}

#[test]
fn recorded_playouts() {
    let folder = Folder::new();
    let game = folder.file("endless.kif", ENDLESS);
    let traces = folder.text_path("");
    let verify = || run(["verify", &game, "--traces", &traces, "--playouts", "0"]);
    folder.file("endless.jsonl", trace("on"));
    let report = verify().succeeds().stdout;
    assert!(report.contains("recorded: 1 playouts, 1 states compared, no difference"), "{report}");
    assert!(report.contains("recorded, rules with variables: 1 playouts"), "{report}");

    folder.file("endless.jsonl", trace("off"));
    let run = verify().fails(7, &["the answers differ about `(init (lamp o"]);
    run.says(&["by the reference it"]);

    folder.file("endless.jsonl", "{\"playout\":0}\n");
    verify().fails(4, &["endless.jsonl`: line 1 of the trace"]);
}

#[test]
fn recorded_playouts_in_any_order() {
    let folder = Folder::new();
    let game = folder.file("endless.kif", ENDLESS);
    let traces = folder.text_path("");
    let verify = || run(["verify", &game, "--traces", &traces, "--playouts", "0"]);
    let first = |made: &str| {
        trace("on").replace("\"move\":null", &format!("\"move\":{{\"ann\":\"{made}\"}}"))
    };
    let second = trace("off").replace("\"step\":0", "\"step\":1");

    folder.file("endless.jsonl", format!("{second}{}", first("push")));
    let report = verify().succeeds().stdout;
    assert!(report.contains("recorded: 1 playouts, 2 states compared, no difference"), "{report}");
    folder.file("endless.jsonl", format!("{second}{}", first("wait")));
    verify().fails(7, &["the answers differ about `(next (lamp o"]);
    folder.file("endless.jsonl", format!("{second}{}{second}", first("push")));
    verify().fails(4, &["line 3 of the trace: step 1 of playout 0 was recorded in line 1 already"]);
}

#[test]
fn recorded_playouts_of_games_with_dots_in_their_names() {
    let folder = Folder::new();
    let game = folder.file("endless.v2.kif", ENDLESS);
    folder.file("endless.jsonl", trace("off"));
    folder.file("endless.v2.jsonl", trace("on"));
    let run = run(["verify", &game, "--traces", &folder.text_path(""), "--playouts", "0"]);
    let report = run.succeeds().stdout;
    assert!(report.contains("recorded: 1 playouts, 1 states compared, no difference"), "{report}");
}

/// A lamp that is pushed on, and the record of a match by a server.
const LAMP: &str = "(role robot) (role cat) (init (lamp off)) (legal robot push) (legal robot wait) (legal cat sleep)
    (<= (next (lamp on)) (does robot push)) (<= (next (lamp ?x)) (true (lamp ?x)) (does robot wait))
    (<= terminal (true (lamp on))) (<= (goal robot 100) (true (lamp on))) (<= (goal robot 0) (true (lamp off)))
    (goal cat 50)";

fn lamp_record(address: &str, goals: &str) -> String {
    format!(
        "{{\"matchId\": \"m.1\", \"gameMetaURL\": \"{address}\", \"isCompleted\": true, \"states\": [\"((lamp off))\", \
         \"((lamp off))\", \"((lamp on))\"], \"moves\": [[\"wait\", \"sleep\"], [\"push\", \"sleep\"]], \"goalValues\": {goals}}}"
    )
}

#[test]
fn records_of_any_name_and_in_letters_of_any_case() {
    let games = Folder::new();
    let game = games.file("lamp.kif", LAMP);
    let verify = |traces: &str| run(["verify", &game, "--traces", traces, "--playouts", "0"]);
    let compared = "recorded: 1 playouts, 3 states compared, no difference";
    for (name, address) in [
        ("lamp.json", "elsewhere"),
        ("LAMP.JSON", "elsewhere"),
        ("game1.json", "lamp.kif"),
        ("game2.Json", "http://games.example.org/base/games/lamp/v0/"),
    ] {
        let folder = Folder::new();
        let file = folder.file(name, lamp_record(address, "[100, 50]"));
        folder.file("standings.json", "[1, 2]");
        folder.file("other.json", lamp_record("candle.kif", "[0, 50]"));
        for traces in [folder.text_path(""), file] {
            let report = verify(&traces).succeeds().stdout;
            assert!(report.contains(compared), "{name}: {report}");
        }
    }
    let folder = Folder::new();
    let loud = lamp_record("lamp.kif", "[100, 50]").replace("lamp off", "LAMP OFF");
    let loud = loud.replace("push", "PUSH").replace("lamp on", "Lamp On");
    folder.file("loud.json", loud);
    assert!(verify(&folder.text_path("")).succeeds().stdout.contains(compared));
    // Of several each is told.
    folder.file("wrong.json", lamp_record("lamp.kif", "[0, 50]"));
    let both = verify(&folder.text_path("")).fails(7, &["the answers differ about `(goal robot "]);
    both.says(&["loud.json: 1 playouts, 3 states"]);
}

#[test]
fn there_is_a_goal_value_for_each_role() {
    let folder = Folder::new();
    let game = folder.file("lamp.kif", LAMP);
    let record = folder.file("lamp.json", lamp_record("lamp.kif", "[100, 50, 0]"));
    run(["verify", &game, "--traces", &record, "--playouts", "0"])
        .fails(4, &["3 goal values for 2 roles"]);
}

#[test]
fn missing_traces() {
    let folder = Folder::new();
    let game = corpus("tictactoe");
    let nowhere = folder.text_path("nowhere");
    run(["verify", &game, "--traces", &nowhere]).fails(4, &["nowhere`: no such file or directory"]);
    run(["verify", &game, "--traces", &folder.text_path("")]).fails(
        4,
        &[
            "no recorded playouts of `tictactoe`",
            "neither `tictactoe.jsonl` nor `tictactoe.json`",
            "`gameMetaURL` names `tictactoe`",
        ],
    );
}

#[test]
fn a_bad_game_does_not_hide_the_others() {
    let run = run(["verify", &corpus("unbounded"), &corpus("tictactoe"), "--playouts", "1"]);
    let run = run.fails(5, &["grow deeper than"]);
    run.says(&["tictactoe.kif: 1 playouts"]);
}
