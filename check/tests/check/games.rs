//! The public games: no error, all bounded, and the known peculiarities of some.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use groundfrog::description::ParseOptions;
use groundfrog::kif::Severity;
use groundfrog::options::Limits;
use groundfrog_check::{CheckOptions, Fragment, check_text};
use groundfrog_testing::{needs, public_games};

use super::show;

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
