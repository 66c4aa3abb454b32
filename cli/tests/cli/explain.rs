//! `groundfrog explain`: what is printed reads as KIF, and means what the step means.

use groundfrog::description::{Description, ParseOptions};

use super::{Folder, corpus, run, run_with};

const STEPS: [&str; 8] = ["or", "statics", "g", "s", "forms", "domains", "plan", "passes"];

/// A game with everything that a step changes.
const GAME: &str = "(role x) (role y) (other x y) (other y x) (unused a)
(init (at (cell 1 2)))
(<= (legal ?r (go ?c)) (role ?r) (or (true (at ?c)) (free ?c)))
(<= (free (cell 2 2)) (not (true (at (cell 2 2)))))
(<= (next (at ?c)) (does ?r (go ?c)) (other ?r ?s) (not (does ?s (go ?c))))
(<= (next ?f) (true ?f) (not (changed ?f)))
(<= (changed (at ?c)) (true (at ?c)) (does ?r (go ?d)) (distinct ?c ?d))
(<= terminal (true (at (cell 2 2))))
(<= (goal ?r 100) (role ?r) (not (distinct ?r x)))
";

fn explain(step: &str) -> String {
    run_with(&["explain", "-", "--step", step], GAME).succeeds().stdout
}

#[track_caller]
fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

/// A line or two of each step that no other step has.
#[test]
fn each_step_shows_what_it_is_about() {
    for (step, parts) in [
        ("or", &["; line 3: 2 rules\n", "(<= (goal x 100)\n    (role x))\n"][..]),
        ("statics", &["; unused/1    static, not needed\n", "(role ?r)           ; static\n"]),
        ("g", &["(<= (next (at ?c))\n    (input ?r (go ?c))\n    (other ?r ?s))\n"]),
        ("s", &["(store (<= (next (at ?c)) (does ?r (go ?c)) (not (does ?s (go ?c))))))\n"]),
        (
            "forms",
            &["(legal _ (go (cell _ _)))  3 columns\n", "(not (changed (at (cell ?f_1 ?f_2)))))"],
        ),
        ("domains", &["       2  base in all\n", "       4  input in all\n"]),
        ("plan", &["(<= (next (at (cell ?c_1 ?c_2)))", "; index on ?r of 4 rows", "; check\n"]),
        ("passes", &["; demand: ", " after store\n", " after relevance\n"]),
    ] {
        contains(&explain(step), parts);
    }
}

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

#[test]
fn plans_are_those_of_the_passes_that_run() {
    // No two of the three literals share a variable that counts: 9^5 instances without a split.
    let numbers: String = (1..=9).map(|it| format!("(n {it})")).collect();
    let wide = format!(
        "{numbers} (role x) (init (at 1 1)) (<= (next (at ?a ?b)) (does x (go ?a ?b)))
        (<= (legal x (go ?a ?b)) (n ?a) (n ?b)) (<= (next (by ?a ?b)) (true (at ?a ?b)))
        (<= (next (on ?a ?b)) (true (by ?a ?b)))
        (<= met (true (at ?a ?b)) (true (by ?c ?d)) (n ?e) (true (on ?e ?f)))
        (<= terminal met) (<= (goal x 1) met)"
    );
    let plan = |options: &[&str]| {
        run_with(&[&["explain", "-", "--step", "plan"], options].concat(), &wide).succeeds().stdout
    };
    contains(&plan(&[]), &["; The rules are those of the compact game.", "aux_1"]);
    contains(
        &plan(&["--without", "decomposition"]),
        &["; The rules are those of the compact game."],
    );
    for options in [&["--without", "decomposition"][..], &["--flat"]] {
        assert!(!plan(options).contains("aux_1"), "{options:?}: {}", plan(options));
    }
    assert!(!plan(&["--flat"]).contains("compact game"));
    let text = run_with(&["explain", "-", "--step", "passes"], &wide).succeeds().stdout;
    contains(&text, &["  line 4: size ", " after the split\n", "aux_1"]);
    let without = ["explain", "-", "--step", "passes", "--without", "demand,decomposition"];
    let text = run_with(&without, &wide).succeeds().stdout;
    contains(&text, &["; demand: left out.", "; decomposition: left out.", "; diagrams: 0"]);
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
