//! `groundfrog explain`: what is printed reads as KIF, and means what the step means.

use groundfrog::description::{Description, ParseOptions};

use super::{Folder, corpus, run};

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
