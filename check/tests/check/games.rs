//! The public games: no error, all bounded, and the known peculiarities of some.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use groundfrog::GroundError;
use groundfrog::description::{Description, ParseOptions};
use groundfrog::ground::ground;
use groundfrog::kif::Severity;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog_check::codes::codes;
use groundfrog_check::{CheckOptions, CheckReport, Fragment, check_text};
use groundfrog_corpus::{BUSY_BEAVER, Fault, Outcome, damage, faults, games, turing_machine};
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::{InterpretedReasoner, Reasoner, State, Vocabulary};
use groundfrog_testing::{needs, public_games};

use super::{check, show, show_all};

/// What is known of the collection, by code: the games in which it is found.
const KNOWN: &[(&str, &[&str])] = &[
    ("GF0201", &["speedChess", "wargame01"]),
    ("GF0202", &["wargame01"]),
    ("GF0403", &["gt_two_thirds_4p", "nonogram_5x5_1", "sudoku"]),
    (
        "GF0501",
        &[
            "futoshiki4",
            "futoshiki6",
            "hidato19",
            "hidato37",
            "majorities",
            "queens06ug",
            "queens08lg",
            "queens12ug",
        ],
    ),
    (
        "GF0602",
        &["futoshiki4", "pawnWhopping", "quad_5x5", "skirmishFinal1", "speedChess", "wargame01"],
    ),
    ("GF0607", &["wargame01"]),
];

/// Games that are decided in time on some machines: what can hold in them is not compared.
const TAKE_LONG: &[&str] = &["chess", "mummymaze1p"];

/// Codes that none of the games may have.
const NEVER: &[&str] =
    &["GF0302", "GF0306", "GF0405", "GF0406", "GF0408", "GF0409", "GF0502", "GF0503"];

#[needs(games)]
#[test]
fn no_false_error_and_the_known_peculiarities() {
    let games = public_games().expect("the folder of games");
    // Some games take long: what is known of the others is found in this time.
    let limits =
        Limits { time: Some(Duration::from_secs(2)), memory: Some(1 << 30), ..Limits::default() };
    let options = CheckOptions { limits, ..CheckOptions::default() };
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || {
        while let Some(path) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
            let name = path.file_stem().expect("a file").to_string_lossy().into_owned();
            let text = std::fs::read(path).expect("a readable file");
            let parse = ParseOptions { name: name.clone(), ..ParseOptions::default() };
            let report = check_text(&text, &parse, &options);
            found.lock().unwrap_or_else(PoisonError::into_inner).insert(name, report);
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut by_code: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, report) in &found {
        for diagnostic in &report.diagnostics {
            let shown = show(diagnostic, &report.source);
            assert!(diagnostic.severity < Severity::Error, "{name}: {shown}");
            assert!(!NEVER.contains(&diagnostic.code), "{name}: {shown}");
            by_code.entry(diagnostic.code).or_default().insert(name);
        }
        let bounded = [Fragment::Bounded, Fragment::Propositional].contains(&report.fragment);
        assert!(bounded, "{name}: {}", report.fragment);
        assert!(!report.gdl_ii, "{name}");
    }
    for (code, games) in KNOWN {
        let mut found = by_code.remove(code).unwrap_or_default();
        // Their other peculiarities are seen without a look at what can hold.
        found.retain(|game| games.contains(game) || !TAKE_LONG.contains(game));
        assert_eq!(found, games.iter().copied().collect(), "{code}");
    }
}

// The examples of the documentation: each wrong one gives just the messages that stand there, each right one none. They are put before the lamp's game, but for those that stand alone. `UPDATE_DOCS=1` writes the messages anew, to be looked at before they are committed.

/// The text of the block that starts with a fence and a word, and the place of the block in the document.
fn block<'d>(document: &'d str, fence: &str) -> Option<(std::ops::Range<usize>, &'d str)> {
    let start = document.find(&format!("```{fence}\n"))? + fence.len() + 4;
    let end = start + document[start..].find("```")?;
    Some((start..end, &document[start..end]))
}

#[test]
fn wrong_examples_break_one_rule_and_right_ones_none() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/checks.md");
    let document = std::fs::read_to_string(&path).expect("the documentation");
    let (_, lamp) = block(&document, "kif lamp").expect("the game that examples are put before");
    let check_example = |example: &str| show_all(&check(format!("{example}{lamp}")));
    assert_eq!(check_example(""), [""; 0]);
    let mut updated = String::new();
    let mut checked = 0;
    for section in document.split_inclusive("\n### ") {
        let alone = block(section, "kif wrong alone");
        let Some((_, wrong)) = alone.clone().or_else(|| block(section, "kif wrong")) else {
            updated.push_str(section);
            continue;
        };
        let right = if alone.is_some() { "kif right alone" } else { "kif right" };
        let check_example = |example: &str| match alone {
            Some(_) => show_all(&check(example)),
            None => check_example(example),
        };
        let code = &section[..6];
        let (place, expected) = block(section, "text").expect("the messages");
        let (_, right) = block(section, right).expect("the corrected example");
        let messages = check_example(wrong);
        let found: String = messages.iter().map(|it| format!("{it}\n")).collect();
        updated.push_str(&section[..place.start]);
        updated.push_str(&found);
        updated.push_str(&section[place.end..]);
        assert!(messages.iter().any(|it| it.contains(code)), "{code}: {messages:?}");
        assert_eq!(check_example(right), [""; 0], "{code}: the right example");
        if std::env::var_os("UPDATE_DOCS").is_none() {
            assert_eq!(found, expected, "{code}");
        }
        checked += 1;
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, updated).expect("the documentation");
    }
    assert!(checked > codes().len() / 2, "{checked} examples");
}

// Seeded faults: the checker names the damage in every game that is damaged.

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

// Turing machines: GDL, not bounded, not to be grounded, and played as they run.

fn game() -> String {
    turing_machine(BUSY_BEAVER).expect("a machine")
}

#[test]
fn it_is_gdl_but_not_bounded_and_cannot_be_ground() {
    // On a busy machine it may take longer than by default.
    let limits = Limits { time: None, ..Limits::default() };
    let options = CheckOptions { limits, ..CheckOptions::default() };
    let report = check_text(game().as_bytes(), &ParseOptions::default(), &options);
    assert_eq!(report.fragment, Fragment::Unbounded);
    let [only] = report.diagnostics.as_slice() else { panic!("{:#?}", show_all(&report)) };
    assert_eq!(only.code, "GF0503");
    assert!(only.help[0].contains("`(next (tape ...))` <- `(true (tape ...))`"), "{:?}", only.help);
    let description =
        Description::parse(game().as_bytes(), &ParseOptions::default()).expect("a description");
    let error =
        ground(&description, &GroundOptions::flat(), &mut Silent).expect_err("terms without bound");
    assert!(matches!(error, GroundError::Unbounded(_)), "{error}");
    assert!(error.to_string().contains("grow deeper than"), "{error}");
}

#[test]
fn the_busy_beaver_accepts_after_fourteen_moves_with_six_ones() {
    let description =
        Description::parse(game().as_bytes(), &ParseOptions::default()).expect("a description");
    let mut reasoner =
        InterpretedReasoner::new(&description, Limits::default()).expect("rules to interpret");
    let machine = reasoner.role_ids().next().expect("a role");
    let (mut state, mut moves, mut steps) = (reasoner.initial().clone(), Vec::new(), 0);
    while !reasoner.is_terminal(&state).expect("an answer") {
        reasoner.legal_moves(&state, machine, &mut moves).expect("an answer");
        assert_eq!(moves.len(), 1, "the machine is deterministic");
        let mut next = State::default();
        reasoner.next_state(&state, &moves, &mut next).expect("a legal move");
        state = next;
        steps += 1;
        assert!(steps <= 14, "{:?}", reasoner.state_text(&state));
    }
    assert_eq!(steps, 14);
    assert_eq!(reasoner.goal(&state, machine), Ok(100));
    let text = reasoner.state_text(&state).expect("its own state");
    assert!(text.contains(&"(state H)".to_owned()), "{text:?}");
    let tape = text.iter().find(|it| it.starts_with("(tape ")).expect("a tape");
    assert_eq!(tape.matches('1').count(), 6, "{tape}");
}
