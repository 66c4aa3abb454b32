//! A ground game is a description, whatever its size, and grounds to the same again.

use std::fmt::Write;

use groundfrog::GroundError;
use groundfrog::compact::Passes;
use groundfrog::emit::{self, Format};
use groundfrog::game::GroundGame;
use groundfrog::options::GroundOptions;

use super::{LAMP, ground_as, lines};
use groundfrog_testing::own_games;

fn kif(game: &GroundGame) -> String {
    let mut text = Vec::new();
    emit::write(game, Format::Kif, &mut text).expect("memory takes everything");
    String::from_utf8(text).expect("names are UTF-8")
}

#[test]
fn own_games_ground_again() {
    let flat = GroundOptions { simplify: false, passes: Passes::NONE, ..GroundOptions::flat() };
    let mut count = 0;
    for game in own_games() {
        count += 1;
        let ground = |text: &str, options: &GroundOptions| {
            ground_as(text, options).unwrap_or_else(|error| panic!("{}: {error}", game.name)).game
        };
        let once = kif(&ground(game.text, &flat));
        let twice = ground(&once, &flat);
        let (rules, again) = (once.lines().count(), kif(&twice).lines().count());
        // Facts that always hold are static to a reader.
        assert!(again <= rules && twice.fluents().len() > 0, "{}: {rules}, {again}", game.name);
        let facts = |text: &str| -> std::collections::BTreeSet<String> {
            let of = |it: &&str| it.starts_with("(base ") || it.starts_with("(input ");
            text.lines().filter(of).map(str::to_owned).collect()
        };
        assert_eq!(facts(&once), facts(&kif(&twice)), "{}", game.name);
        // Compact, what is never needed is gone, and what was not may be found the second time.
        let once = ground(game.text, &GroundOptions::compact());
        let twice = ground(&kif(&once), &GroundOptions::compact());
        assert_eq!(once.roles().len(), twice.roles().len(), "{}", game.name);
        assert!(twice.fluents().len() <= once.fluents().len(), "{}", game.name);
        assert!(twice.inputs().len() <= once.inputs().len(), "{}", game.name);
    }
    assert!(count > 20, "{count} games");
}

#[test]
fn ground_rules_of_many_shapes_do_not_count_as_growth() {
    let mut text = LAMP.to_owned();
    for number in 0..40_000 {
        writeln!(
            text,
            "(<= (view{number}) (true (lamp on))) (<= (next (f{number} a)) (view{number}))"
        )
        .expect("memory takes everything");
    }
    let found = ground_as(&text, &GroundOptions::flat()).expect("the rules are ground");
    assert_eq!(found.game.fluents().len(), 40_002);
}

#[test]
fn terms_that_are_written_deep_have_not_grown() {
    let deep = |term: &str| "(s ".repeat(60) + term + &")".repeat(60);
    let rule = format!("(init (at {})) (<= (next (at ?x)) (true (at ?x)))", deep("z"));
    let found = ground_as(&format!("{LAMP}{rule}"), &GroundOptions::flat()).expect("a game");
    let kif = kif(&found.game);
    assert!(kif.contains(&deep("z")), "{kif}");
    assert_eq!(lines(&ground_as(&kif, &GroundOptions::flat()).expect("again")), lines(&found));
    // Growth is found all the same.
    let grows = format!("{LAMP}{rule} (<= (next (at (s ?x))) (true (at ?x)))");
    let error = ground_as(&grows, &GroundOptions::flat()).map(|_| ()).expect_err("it grows");
    assert!(matches!(error, GroundError::Unbounded(_)), "{error}");
    assert!(error.to_string().contains("deeper than 61 functions"), "{error}");
}

#[test]
fn what_is_too_large_is_told_as_that() {
    let facts: String = (0..200).map(|it| format!("(thing (f{it} a)) ")).collect();
    let kinds = "(<= (next (pair ?x ?y)) (thing ?x) (thing ?y))";
    let places: String = (0..3000).map(|it| format!("(true (lamp v{it}))")).collect();
    for (rules, code) in [
        (format!("{facts}{kinds}"), "GF0310"),
        (format!("(<= (goal ann 3) {places})"), "GF0309"),
        (alternatives(), "GF0301"),
    ] {
        let error = ground_as(&format!("{LAMP}{rules}"), &GroundOptions::flat());
        let error = error.map(|_| ()).expect_err(code);
        let GroundError::TooLarge(faults) = &error else { panic!("{code}: {error}") };
        assert_eq!(faults.diagnostics[0].code, code);
    }
}

/// Side by side these stand for 8^7 rules, and each has a variable that only the next one binds.
fn alternatives() -> String {
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let variables = ["?1", "?2", "?3", "?4", "?5", "?6", "?7", "?8"];
    let or = |pair: &[&str]| {
        let atoms: String = names.iter().map(|it| format!("({it} {})", pair[0])).collect();
        format!("(or {atoms} (distinct {} {}))", pair[0], pair[1])
    };
    let body: String = variables.windows(2).map(or).collect();
    let facts: String = names.iter().map(|it| format!("({it} 1)")).collect();
    format!("{facts} (<= (goal ann 3) {body} (a ?8))")
}

/// A board of 50 times 50 cells, each of which is kept by each of 120 moves.
#[test]
fn hundreds_of_thousands_of_ground_rules_ground_again() {
    let numbers: String = (0..120).map(|it| format!("(m {it}) ")).collect();
    let few: String = (0..50).map(|it| format!("(n {it}) ")).collect();
    let board = format!(
        "(role r) {numbers}{few} (<= (init (c ?i ?j)) (n ?i) (n ?j)) (<= (legal r ?k) (m ?k))
        (<= (next (c ?i ?j)) (true (c ?i ?j)) (does r ?k)) (<= terminal (true (c 1 1))) (goal r 50)"
    );
    let flat = GroundOptions { simplify: false, passes: Passes::NONE, ..GroundOptions::flat() };
    let once = ground_as(&board, &flat).expect("a game").game;
    assert!(once.rules().len() > 300_000, "{} rules", once.rules().len());
    let once = kif(&once);
    assert!(once == kif(&ground_as(&once, &flat).expect("again").game), "the same text");
}
