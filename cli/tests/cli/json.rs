//! All that report to people report to programs as well, and are asked in one way.

use serde_json::Value;

use super::{ENDLESS, Folder, Run, corpus, run};

/// What is written, whether it is asked for in the long form or the short one.
fn lines(words: &[&str]) -> Vec<Value> {
    let parse = |run: Run| -> Vec<Value> {
        let lines = run.stdout.lines();
        lines.map(|it| serde_json::from_str(it).expect("JSON")).collect()
    };
    let long = run([words, &["--format", "json"]].concat());
    let short = parse(run([words, &["--json"]].concat()).succeeds());
    let long = parse(long.succeeds());
    let keys = |all: &[Value]| -> Vec<Vec<String>> {
        let keys = |it: &Value| it.as_object().map(|it| it.keys().cloned().collect());
        all.iter().filter_map(keys).collect()
    };
    assert_eq!(keys(&long), keys(&short), "{words:?}");
    long
}

#[test]
fn every_report_is_there_as_json() {
    let game = corpus("tictactoe");
    let folder = Folder::new();
    let plan = "games = [\"tictactoe\"]\nstart-clock = 1\nplay-clock = 0.1\n
        [[players]]\nname = \"ann\"\nstrategy = \"random\"\n
        [[players]]\nname = \"bob\"\nstrategy = \"random\"\n";
    let (plan, out) = (folder.file("cup.toml", plan), folder.text_path("cup"));
    for (words, field) in [
        (&["solve", &game][..], "decided"),
        (&["analyse", &game, "--proof-time", "1"], "seconds"),
        (&["simulate", &game, "--seconds", "20ms"], "playouts"),
        (&["verify", &game, "--playouts", "1"], "compared"),
        (&["match", &game, "--player", "a=random", "--player", "b=random"], "completed"),
        (&["tournament", &plan, "--out", &out, "--replace", "-q"], "players"),
    ] {
        let found = lines(words);
        assert!(found.len() == 1 && found[0]["schema"] == 1, "{words:?}: {found:?}");
        assert!(found[0].get(field).is_some(), "{words:?}: {found:?}");
    }
    for (words, format) in [
        (&["check", &game][..], "groundfrog-check"),
        (&["propnet", &game, "-q"], "groundfrog-propnet"),
    ] {
        for how in [&["--format", "json"][..], &["--json"]] {
            let run = run([words, how].concat()).succeeds();
            let found = run.json();
            assert_eq!(found["format"], format, "{words:?}");
        }
    }
    run(["solve", &game, "--json", "--format", "text"]).fails(2, &["cannot be used with"]);
}

#[test]
fn the_fields_of_a_match_and_a_comparison() {
    let game = corpus("tictactoe");
    let words = ["match", &game, "--player", "a=random", "--player", "b=greedy", "--id", "m.7"];
    let report = &lines(&words)[0];
    assert_eq!((&report["id"], &report["completed"]), (&"m.7".into(), &true.into()));
    assert!((5..=9).contains(&report["turns"].as_u64().expect("a number")), "{report}");
    let goals: i64 = (0..2).filter_map(|it| report["players"][it]["goal"].as_i64()).sum();
    assert_eq!(goals, 100, "{report}");
    assert_eq!(report["players"][0]["role"], "cross", "{report}");
    assert_eq!(report["players"][1]["name"], "b", "{report}");
    assert_eq!(report["players"][1]["faults"], 0, "{report}");
    assert!(report["master_seconds"]["median"].as_f64() > Some(0.0), "{report}");

    let folder = Folder::new();
    let game = folder.file("lamp.kif", ENDLESS);
    let trace = "{\"playout\":0,\"step\":0,\"state\":[\"(lamp off)\"],\"legal\":{\"ann\":[\"push\",\"wait\"]},\
                 \"terminal\":false,\"goal\":{\"ann\":[]},\"move\":null}\n";
    folder.file("lamp.jsonl", trace);
    let run = run(["verify", &game, "--traces", &folder.text_path(""), "--json"]);
    let run = run.fails(7, &["the answers differ"]);
    let report = run.json();
    assert_eq!((&report["game"], &report["compared"]), (&game.into(), &"recorded".into()));
    let difference = &report["difference"];
    assert!(difference["atom"].as_str().is_some_and(|it| it.contains("lamp")), "{report}");
    assert!(difference["expected"].is_boolean() && difference["state"].is_array(), "{report}");
}
