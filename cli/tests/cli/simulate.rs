//! `groundfrog simulate`.

use serde_json::Value;

use super::{ENDLESS, Folder, corpus, run};

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
fn for_people() {
    let run = run(["simulate", &corpus("tictactoe"), "--seconds", "0.05"]).succeeds();
    // Of which seconds rates are is said.
    let rates = run.stdout.lines().filter(|it| it.contains("_per_second: "));
    let is_said = |it: &str| it.ends_with("processor time)") || it.ends_with("on the wall)");
    assert!(rates.clone().count() == 2 && rates.clone().all(is_said), "{}", run.stdout);
    for part in ["playouts_per_second: ", "states_per_second: ", "mean length: ", "mean goal of "] {
        assert!(run.stdout.contains(part), "no `{part}` in:\n{}", run.stdout);
    }
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
    assert!(run.stdout.contains("given up at --max-length: "), "{}", run.stdout);
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
