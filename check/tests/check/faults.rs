//! Seeded faults: the checker names the damage in every game that is damaged.

use std::collections::BTreeMap;

use groundfrog::description::ParseOptions;
use groundfrog_check::{CheckOptions, CheckReport, check_text};
use groundfrog_corpus::{Fault, Outcome, damage, faults, games};

/// What the checker says of a fault.
fn expected(fault: Fault) -> &'static str {
    match fault {
        Fault::MissingParenthesis => "GF0005",
        Fault::ExtraParenthesis => "GF0006",
        Fault::MissingArgument => "GF0109",
        Fault::VariablePredicate => "GF0104",
        Fault::MisspeltPredicate => "GF0201",
        Fault::OtherCase => "GF0202",
        Fault::UnsafeVariable => "GF0302",
        Fault::NegativeCycle => "GF0306",
        Fault::TrueAsHead => "GF0406",
        Fault::DoesTooEarly => "GF0408",
        Fault::InitFromState => "GF0405",
        Fault::GoalOutOfRange => "GF0409",
        Fault::GrowingTerm => "GF0503",
        Fault::EndlessRecursion => "GF0502",
        Fault::MisspeltFluent => "GF0602",
    }
}

/// What is said with a code.
fn messages<'a>(report: &'a CheckReport, code: &str) -> Vec<&'a str> {
    report.diagnostics.iter().filter(|it| it.code == code).map(|it| &*it.message).collect()
}

#[test]
fn the_table_of_faults_says_the_same() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/README.md");
    let text = std::fs::read_to_string(path).expect("the corpus has a README");
    for &fault in faults() {
        let start = format!("| `{fault:?}` | ");
        let row = text.lines().find(|line| line.starts_with(&start));
        let row = row.unwrap_or_else(|| panic!("no row begins with {start}"));
        assert!(row.ends_with(&format!(" | {} |", expected(fault))), "{row}");
    }
}

#[test]
fn every_damage_is_named() {
    let options = CheckOptions::default();
    let check = |text: &str| check_text(text.as_bytes(), &ParseOptions::default(), &options);
    let mut damaged_games: BTreeMap<&str, usize> = BTreeMap::new();
    let large = |tags: &[&str]| tags.contains(&"large");
    for game in games().iter().filter(|it| it.expect == Outcome::Groundable && !large(it.tags)) {
        let whole = check(game.text);
        for &fault in faults() {
            let code = expected(fault);
            for seed in 0..2 {
                let Some(damaged) = damage(game.text, fault, seed) else { continue };
                let report = check(&damaged.text);
                let found: Vec<_> =
                    report.diagnostics.iter().map(|it| (it.code, &it.message)).collect();
                let (before, after) = (messages(&whole, code), messages(&report, code));
                let is_new =
                    after.len() > before.len() || after.iter().any(|it| !before.contains(it));
                assert!(is_new, "{}, {fault:?}, line {}: {found:#?}", game.name, damaged.line);
                *damaged_games.entry(code).or_default() += 1;
            }
        }
    }
    for &fault in faults() {
        let games = damaged_games.get(expected(fault)).copied().unwrap_or_default();
        assert!(games >= 20, "{fault:?} fits {games} games only");
    }
}
