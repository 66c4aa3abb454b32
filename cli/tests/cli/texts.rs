//! `groundfrog export`: which program is written. That others run it is tested with the library.

use groundfrog::description::{Description, ParseOptions};
use groundfrog_corpus::families;

use super::{Folder, corpus, ground, run};

#[test]
fn each_language_is_written() {
    let export = |arguments: &[&str]| {
        let game = corpus("tictactoe");
        let all = [&["export"], arguments, &[&game]].concat();
        run(all).succeeds().stdout
    };
    let asp = export(&["asp-program"]);
    assert!(asp.starts_with("base(F) :- init(F).\n") && asp.contains("index(1).\n"), "{asp}");
    let prolog = export(&["prolog"]);
    assert!(prolog.starts_with('%') && prolog.contains("p_index('1').\n"), "{prolog}");
    assert!(prolog.contains(":- table p_base/1.\n"), "{prolog}");
}

#[test]
fn projection_is_asked_for() {
    let game = corpus("connect_four");
    let plain = run(["export", "asp-program", &game]).succeeds().stdout;
    let projected = run(["export", "asp-program", "--projected", &game]).succeeds().stdout;
    assert!(!plain.contains("project_") && projected.contains("\nproject_1("), "{projected}");
    run(["export", "prolog", "--projected", &game])
        .fails(2, &["--projected is for asp-program only"]);
}

#[test]
fn programs_go_to_files_too() {
    let folder = Folder::new();
    let out = folder.text_path("out.pl");
    assert_eq!(run(["export", "prolog", &corpus("nim"), "-o", &out]).succeeds().stdout, "");
    assert!(std::fs::read_to_string(out).expect("a file").contains("\np_base(F) :- p_init(F).\n"));
}

#[test]
fn what_is_written_in_infix_notation_is_the_same_game() {
    let folder = Folder::new();
    let out = folder.text_path("nim.infix");
    run(["export", "infix", &corpus("nim"), "-o", &out]).succeeds();
    let ground = |arguments: &[&str]| run([&["ground"], arguments].concat()).succeeds().stdout;
    let plain = ground(&[&corpus("nim")]);
    assert_eq!(ground(&[&out]), plain);
    assert_eq!(ground(&[&out, "--notation", "infix"]), plain);
    run(["ground", &out, "--notation", "kif"])
        .fails(1, &["`role(` is infix notation", "nim.infix:1:1"]);
    run(["ground", &corpus("nim"), "--notation", "infix"])
        .fails(1, &["GF0111", "a comment begins with `%`", "nim.kif:1:1"]);
}

#[test]
fn domains_are_added_to_the_description() {
    let folder = Folder::new();
    let out = folder.text_path("nim_with_domains.kif");
    run(["export", "with-domains", &corpus("nim"), "-o", &out]).succeeds();
    let text = std::fs::read_to_string(&out).expect("a file");
    assert!(text.contains("(base (heap a 1))\n") && text.contains("\n(input first "), "{text}");
    let known = run(["ground", &out]).succeeds().stdout;
    let rules = |text: &str| text.lines().filter(|it| it.starts_with("(<=")).count();
    assert_eq!(rules(&known), rules(&run(["ground", &corpus("nim")]).succeeds().stdout));
}

#[test]
fn planners_and_model_checkers_have_their_own_language() {
    let export = |language: &str, game: &str| run(["export", language, game]).succeeds().stdout;
    let puzzle = corpus("hanoi");
    assert!(export("sas", &puzzle).starts_with("begin_version\n3\nend_version\n"));
    assert!(export("smv", &puzzle).contains("MODULE main\n"));
    let moves = run(["export", "timed-asp", "--moves", "3", &puzzle]).succeeds().stdout;
    assert!(moves.contains("mtdom(1..3)."), "{moves}");
}

// `groundfrog explain`: what is printed reads as KIF, and means what the step means.

const STEPS: [&str; 8] = ["or", "statics", "g", "s", "forms", "domains", "plan", "passes"];

#[test]
fn every_step_of_every_game_is_kif() {
    for game in groundfrog_corpus::games() {
        for step in STEPS {
            let run = run(["explain", &corpus(game.name), "--step", step]);
            if run.code != Some(0) {
                assert_eq!(game.expect, groundfrog_corpus::Outcome::Refused, "{}", game.name);
                continue;
            }
            let parsed = Description::parse(run.stdout.as_bytes(), &ParseOptions::default());
            // Passes have rules to show only if one was split.
            let is_comment = |it: &str| it.is_empty() || it.starts_with(';');
            let is_empty = step == "passes" && run.stdout.lines().all(is_comment);
            assert!(parsed.is_ok() || is_empty, "{} {step}: {parsed:?}", game.name);
        }
    }
}

#[test]
fn results_go_to_files_too() {
    let folder = Folder::new();
    let out = folder.text_path("out.kif");
    assert_eq!(run(["explain", &corpus("nim"), "--step", "g", "-o", &out]).succeeds().stdout, "");
    assert!(std::fs::read_to_string(out).expect("a file").starts_with("; g(R)"));
}

/// What is explained is what `ground` does.
#[test]
fn passes_end_with_the_compact_game() {
    for game in ["tictactoe", "breakthrough", "checkers_six", "connect_four", "small_chess"] {
        let explained = run(["explain", &corpus(game), "--step", "passes"]).succeeds().stdout;
        let last = explained.lines().rfind(|it| it.contains(" after ")).expect("a pass");
        let rules = last.split_whitespace().nth(1).expect("a number of rules");
        let summary = run(["ground", &corpus(game), "--format", "canonical"]).succeeds().stdout;
        let dynamic = ["(<= (init", "(role ", "(init ", "(base ", "(input "];
        let written = summary.lines().filter(|it| !dynamic.iter().any(|no| it.starts_with(no)));
        assert_eq!(written.count().to_string(), rules, "{game}: {explained}");
    }
}

// `groundfrog propnet`.

#[test]
fn counts_are_those_of_the_file() {
    let folder = Folder::new();
    let file = folder.text_path("net.json");
    let run = run(["propnet", &corpus("tictactoe"), "--format", "json", "-o", &file]).succeeds();
    assert_eq!(run.stdout, "");
    let text = std::fs::read_to_string(file).expect("a file");
    let net: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(net["format"], "groundfrog-propnet");
    let components = net["components"].as_array().expect("a list");
    let counted = |kind: &str| components.iter().filter(|it| it["kind"] == kind).count();
    for kind in ["base", "input", "view", "and", "or", "transition"] {
        let line = format!("\n{kind} {}\n", counted(kind));
        assert!(run.stderr.contains(&line), "no `{line}` in:\n{}", run.stderr);
    }
    assert_eq!(counted("base"), counted("transition"));
    assert!(run.stderr.starts_with(&format!("components {}\n", components.len())));
}

#[test]
fn quiet_and_missing() {
    assert_eq!(run(["propnet", &corpus("tictactoe"), "-q"]).succeeds().stderr, "");
    run(["propnet", "nowhere.kif"]).fails(4, &["nowhere.kif`: no such file"]);
}

// `groundfrog generate` and `groundfrog completions`.

#[test]
fn every_family_has_a_subcommand() {
    let list = run(["generate", "--list"]).succeeds().stdout;
    for family in families() {
        let name = family.name().replace('_', "-");
        assert!(list.contains(&format!("{name}\n    {}", family.summary())), "{name}");
        let game = run(["generate", &name]).succeeds();
        assert_eq!(run(["generate", family.name()]).stdout, game.stdout);
        let help = run(["generate", &name, "--help"]).succeeds().stdout;
        for parameter in family.parameters() {
            assert!(help.contains(&format!("--{}", parameter.name.replace('_', "-"))), "{help}");
        }
    }
}

#[test]
fn parameters_are_passed_on() {
    let folder = Folder::new();
    let path = folder.text_path("game.kif");
    let run = run(["generate", "breakthrough", "--width", "5", "--height", "6", "-o", &path]);
    assert_eq!(run.succeeds().stdout, "");
    let text = std::fs::read_to_string(path).expect("a file");
    assert!(text.contains("width = 5, height = 6"), "{text}");
    ground(text).succeeds();
}

#[test]
fn random_games_depend_on_their_seed() {
    let game = |seed: &str| run(["generate", "random", "--seed", seed]).succeeds().stdout;
    assert_eq!(game("7"), game("7"));
    assert_ne!(game("7"), game("8"));
    ground(game("7")).succeeds();
}

#[test]
fn without_a_family_there_is_help() {
    run(["generate"]).fails(2, &["Usage: groundfrog generate", "breakthrough", "random"]);
}

#[test]
fn completions_know_the_options() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(["completions", shell]).succeeds().stdout;
        assert!(script.contains("groundfrog") && script.contains("max-memory"), "{shell}");
        assert!(script.contains("rule-width"), "{shell}");
    }
    run(["completions", &corpus("nim")]).fails(2, &["possible values: bash"]);
}
