//! `groundfrog ground`: forms, formats, options, summary and statistics.

use super::{Folder, corpus, ground, run, run_with};

#[test]
fn ground_rules_can_be_ground_again() {
    let first = run(["ground", &corpus("tictactoe")]).succeeds();
    assert!(first.stdout.contains("(<= (next (square 1 1 cross)) (does cross (place 1 1)))"));
    assert!(!first.stdout.contains('?'), "no variables are left");
    let second = ground(&first.stdout).succeeds();
    let canonical = |text: &str| run_with(&["ground", "-", "--format", "canonical"], text).stdout;
    assert_eq!(canonical(&first.stdout), canonical(&second.stdout));
}

#[test]
fn every_way_gives_the_same_rules() {
    let game = corpus("checkers_six");
    let with = |options: &[&str]| {
        run([&["ground", &game, "-q", "--format", "canonical"], options].concat()).succeeds().stdout
    };
    let expected = with(&[]);
    assert!(expected.lines().count() > 1000);
    for options in [
        &["--domains", "iterative"][..],
        &["--engine", "compare"],
        &["--threads", "2"],
        &["--threads", "0"],
    ] {
        assert_eq!(with(options), expected, "{options:?}");
    }
}

#[test]
fn standard_input_and_files_are_the_same() {
    let game = corpus("nim");
    let text = std::fs::read(&game).expect("a game");
    assert_eq!(ground(text).stdout, run(["ground", &game]).stdout);
}

#[test]
fn case_is_folded_on_request() {
    let text = "(role x) (init (At 1)) (<= terminal (true (at 1)))";
    let canonical = ["ground", "-", "--format", "canonical"];
    assert_eq!(run_with(&canonical, text).succeeds().stdout, "");
    let folded = run_with(&[&canonical[..], &["--fold-case"]].concat(), text).succeeds();
    assert_eq!(folded.stdout, "(<= terminal (true (at 1)))\n");
}

#[test]
fn the_summary_is_for_people() {
    let run =
        run(["ground", &corpus("tictactoe"), "--simplify", "--domains", "iterative"]).succeeds();
    let counts = ": 138 ground rules, 136 atoms, base 29, input 20\n";
    for part in [counts, "time: parse ", ", domains ", "; in all ", " tuples in ", " iterations)"] {
        assert!(run.stderr.contains(part), "no `{part}` in {}", run.stderr);
    }
    assert_eq!(run.stderr.contains("peak memory"), cfg!(target_os = "linux"));
    assert!(!run.stderr.contains('\x1b'), "no colours and no bar where there is no terminal");
}

#[test]
fn quiet_is_quiet() {
    for game in ["tictactoe", "mixed_case"] {
        assert_eq!(run(["ground", &corpus(game), "-q"]).succeeds().stderr, "");
    }
    assert!(run(["ground", &corpus("mixed_case")]).stderr.contains("warning[GF0202]"));
    run(["ground", &corpus("unbounded"), "-q"]).fails(5, &["grow deeper than"]);
}

#[test]
fn statistics_are_for_programs() {
    let run = run(["ground", &corpus("tictactoe"), "--json-stats"]).succeeds();
    let value: serde_json::Value = serde_json::from_str(&run.stderr).expect("one line of JSON");
    assert_eq!(value["schema"], 1);
    assert_eq!(value["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&value["status"], &value["form"]), (&"ok".into(), &"compact".into()));
    assert_eq!((&value["counts"]["base"], &value["counts"]["input"]), (&29.into(), &20.into()));
    let stages = value["stages"].as_array().expect("a list");
    let names: Vec<_> = stages.iter().filter_map(|it| it["stage"].as_str()).collect();
    assert_eq!((names.first(), names.last()), (Some(&"parse"), Some(&"emit")));
    let sum: f64 = stages.iter().filter_map(|it| it["seconds"].as_f64()).sum();
    assert!(sum > 0.0 && sum <= value["seconds"].as_f64().expect("a number"));
}

#[test]
fn statistics_go_to_a_file_beside_the_summary() {
    let folder = Folder::new();
    let option = format!("--json-stats={}", folder.text_path("statistics"));
    let run = run(["ground", &corpus("tictactoe"), &option]).succeeds();
    assert!(run.stderr.contains("ground rules"));
    let text = std::fs::read_to_string(folder.path("statistics")).expect("a file");
    assert!(text.starts_with("{\"schema\":1,") && text.ends_with("}\n"), "{text}");
}

#[test]
fn colours_need_a_terminal_or_a_wish() {
    let coloured = |name: &str, value: &str| {
        let mut command = super::program();
        command.args(["ground", &corpus("unbounded")]).env_remove("NO_COLOR").env(name, value);
        let output = command.output().expect("it starts");
        String::from_utf8_lossy(&output.stderr).contains("\x1b[")
    };
    assert!(!coloured("TERM", "xterm"));
    assert!(coloured("CLICOLOR_FORCE", "1"));
}

#[test]
fn version_and_help() {
    let version = run(["--version"]).succeeds().stdout;
    // The commit follows where it is known.
    let number = format!("groundfrog {}", env!("CARGO_PKG_VERSION"));
    let rest = version.strip_prefix(&number).expect("the number comes first").trim_end();
    assert!(rest.is_empty() || rest.starts_with(" (") && rest.ends_with(')'), "{version}");
    for command in [&["--help"][..], &["ground", "--help"], &["explain", "--help"]] {
        let help = run(command).succeeds().stdout;
        assert!(help.contains("Exit codes:") && help.contains("130  interrupted"), "{help}");
    }
}

#[test]
fn ground_rules_have_numbers_in_comments() {
    let game = corpus("nim");
    for (format, comment) in [("kif", " ; "), ("asp", " % ")] {
        let plain = run(["ground", &game, "--format", format]).succeeds().stdout;
        let run = run(["ground", &game, "--format", format, "--rule-numbers"]).succeeds();
        let numbers = run.stdout.lines().filter_map(|it| it.split_once(comment)?.1.parse().ok());
        let numbers: Vec<usize> = numbers.collect();
        assert!(numbers.len() > 100, "{format}: {}", numbers.len());
        assert!(numbers.iter().copied().eq(1..=numbers.len()), "{format}: {numbers:?}");
        let without = run.stdout.lines().map(|it| it.split(comment).next().unwrap_or(it));
        assert!(without.eq(plain.lines()), "{format}: the rules stay as they are");
    }
    run(["ground", &game, "--format", "json", "--rule-numbers"])
        .fails(2, &["--rule-numbers is for `kif` and `asp` only"]);
}
