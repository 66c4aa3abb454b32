//! Compounds of games come apart, others are left whole.

use std::time::Duration;

use groundfrog::GroundOptions;
use groundfrog::description::Printer;
use groundfrog_knowledge::factors::{Combination, Ends};
use groundfrog_knowledge::{Factors, factors};
use groundfrog_testing::{description, grounded, words};

use super::corpus;

/// Far more than any of these games takes.
const TIME: Duration = Duration::from_secs(60);

fn found(text: &str) -> Factors {
    factors(&grounded(text, &GroundOptions::flat()), TIME).expect("a small game")
}

/// The rules of a game with other names for all but roles, numbers and keywords; moves, ends and goals are its own.
fn renamed(text: &str, mark: &str, keeps_roles: bool) -> String {
    let description = description(text);
    let keywords = description.keywords;
    let roles: Vec<String> = description
        .statements
        .iter()
        .filter(|it| it.head.predicate == keywords.role)
        .map(|it| Printer::new(&description.symbols).term(&it.head.arguments[0]).to_string())
        .collect();
    let mut text = String::new();
    for statement in &description.statements {
        if keeps_roles && statement.head.predicate == keywords.role {
            continue;
        }
        let line = Printer::new(&description.symbols).statement(statement).to_string();
        text.push_str(&words(&line, |word| {
            let is_number = word.parse::<i64>().is_ok();
            match word {
                "legal" | "does" | "terminal" | "goal" => format!("{mark}_{word}"),
                "role" | "init" | "true" | "next" | "base" | "input" | "or" | "and" | "not"
                | "distinct" | "<=" => word.to_owned(),
                _ if word.starts_with('?') || is_number => word.to_owned(),
                _ if keeps_roles && roles.iter().any(|it| it == word) => {
                    format!("player{}", roles.iter().position(|it| it == word).unwrap_or(0))
                }
                _ => format!("{mark}_{word}"),
            }
        }));
        text.push('\n');
    }
    text
}

const ENDS: &str = "(<= terminal a_terminal) (<= terminal b_terminal)
    (<= (goal ?r 100) (a_goal ?r 100)) (<= (goal ?r 0) (a_goal ?r 0)) (<= (goal ?r 50) (a_goal ?r 50))
    (<= (goal ?r 75) (b_goal ?r 100)) (<= (goal ?r 25) (b_goal ?r 0))";

/// Two games for two roles each, of which a move is a move in both.
fn compound(one: &str, other: &str) -> String {
    format!(
        "(role player0) (role player1) {} {} {ENDS}
         (<= (legal ?r (both ?a ?b)) (a_legal ?r ?a) (b_legal ?r ?b))
         (<= (a_does ?r ?a) (does ?r (both ?a ?b))) (<= (b_does ?r ?b) (does ?r (both ?a ?b)))",
        renamed(corpus(one), "a", true),
        renamed(corpus(other), "b", true)
    )
}

/// Two games side by side, each with roles of its own.
fn side_by_side(one: &str, other: &str) -> String {
    let rules = |name: &str, mark: &str| {
        let moves = format!(
            "(<= (legal ?r ?m) ({mark}_legal ?r ?m)) (<= ({mark}_does ?r ?m) (does ?r ?m))"
        );
        format!("{}{moves}", renamed(corpus(name), mark, false))
    };
    format!("{} {} {ENDS}", rules(one, "a"), rules(other, "b"))
}

#[test]
fn compounds_come_apart() {
    let pairs = [
        ("tictactoe", "tictactoe"),
        ("tictactoe", "hex_five"),
        ("tictactoe", "connect_four"),
        ("hex_five", "connect_four"),
    ];
    for (one, other) in pairs {
        let apart = found(&compound(one, other));
        assert_eq!(apart.combination, Combination::Compound, "{one} {other}: {apart:#?}");
        assert_eq!((apart.parts.len(), apart.ends), (2, Ends::First), "{one} {other}");
        for mark in ["(a_", "(b_"] {
            let is_own = |patterns: &[String]| patterns.iter().all(|it| it.contains(mark));
            let own = apart.parts.iter().filter(|it| is_own(&it.patterns)).count();
            assert_eq!(own, 1, "{one} {other}: {apart:#?}");
        }
    }
}

#[test]
fn games_side_by_side_come_apart() {
    let pairs = [("tictactoe", "nim"), ("breakthrough", "tictactoe"), ("hanoi", "lights_out")];
    for (one, other) in pairs {
        let apart = found(&side_by_side(one, other));
        assert_ne!(apart.combination, Combination::Whole, "{one} {other}: {apart:#?}");
        let is_mixed = |patterns: &[String]| {
            ["(a_", "(b_"].iter().all(|mark| patterns.iter().any(|it| it.contains(mark)))
        };
        assert!(apart.parts.iter().all(|it| !is_mixed(&it.patterns)), "{one} {other}: {apart:#?}");
    }
}

#[test]
fn other_games_are_left_whole() {
    for name in [
        "tictactoe",
        "breakthrough",
        "connect_four",
        "hex_five",
        "hanoi",
        "eight_puzzle",
        "three_player_tictactoe",
        "reversi_six",
        "peg_solitaire",
        "light_trails",
        "small_amazons",
        "lights_out",
    ] {
        let whole = found(corpus(name));
        assert_eq!(whole.combination, Combination::Whole, "{name}: {whole:#?}");
    }
}

#[test]
fn what_goes_on_by_itself_is_shared() {
    let whole = found(corpus("tictactoe"));
    assert_eq!(whole.shared, ["(turn _)"]);
    assert_eq!(whole.parts[0].patterns, ["(square _ _ _)"]);
    assert_eq!(whole.parts[0].is_goal_of, [true, true]);
}

#[test]
fn one_game_after_the_other_is_serial() {
    // Two lamps in turn: the second can be lit once the first is.
    let serial = found(
        "(role ann) (init (one off)) (init (two off)) (init (light dim))
         (<= over (true (one on))) (<= over (true left)) (number 1) (number 2) (number 3) (number 4)
         (<= (legal ann (turn1 ?n)) (number ?n) (not over) (true (one off)))
         (<= (legal ann leave) (not over) (true (one off)))
         (<= (legal ann (turn2 ?n)) (number ?n) over (true (two off)))
         (<= (next left) (does ann leave)) (<= (next left) (true left))
         (<= (next (one on)) (does ann (turn1 1))) (<= (next (one on)) (true (one on)))
         (<= (next (one off)) (true (one off)) (not (does ann (turn1 1))))
         (<= (next (two on)) (does ann (turn2 3))) (<= (next (two on)) (true (two on)))
         (<= (next (two off)) (true (two off)) (not (does ann (turn2 3))))
         (<= terminal (true (two on))) (<= (goal ann 100) (true (two on))) (<= (goal ann 0) (true (two off)))",
    );
    assert_eq!((serial.combination, serial.parts.len()), (Combination::Serial, 2), "{serial:#?}");
    assert!(serial.parts[0].patterns.contains(&"(one _)".to_owned()), "{serial:#?}");
}
