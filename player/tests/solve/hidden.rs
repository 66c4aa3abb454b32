//! Values of small games in which roles do not see everything.

use super::{own, solved};
use groundfrog_corpus::game;
use groundfrog_player::solve::{Solution, SolveMethod, SolveOptions, Undecided};

fn of_corpus(name: &str) -> Solution {
    solved(own(name), &SolveOptions::default())
}

/// How likely a role makes a move in an information set, of which the last percept is given.
fn likely(solution: &Solution, role: &str, seen: &[&str], action: &str) -> f64 {
    let is_there = |history: &[(String, Vec<String>)]| {
        history.iter().flat_map(|it| &it.1).map(String::as_str).eq(seen.iter().copied())
    };
    let set = solution.strategies.iter().find(|it| it.role == role && is_there(&it.history));
    let moves = &set.unwrap_or_else(|| panic!("{role} {seen:?}: {solution:?}")).moves;
    moves.iter().find(|it| it.0 == action).expect("a move").1
}

#[test]
fn kuhn_poker_costs_the_first_player_a_chip_in_eighteen() {
    let solution = of_corpus("kuhn_poker");
    assert_eq!(solution.method, SolveMethod::RegretMatching);
    assert_eq!(solution.undecided, Some(Undecided::Approximate));
    let value = &solution.values[0];
    // 50 is even, and 25 are a chip.
    let chips = |goal: f64| (goal - 50.0) / 25.0;
    assert!((chips(value.lower) + 1.0 / 18.0).abs() < 0.01, "{value:?}");
    assert!((chips(value.upper) + 1.0 / 18.0).abs() < 0.01, "{value:?}");
    assert!(chips(value.lower) <= -1.0 / 18.0 + 1e-9 && chips(value.upper) >= -1.0 / 18.0 - 1e-9);
    // What is known of all best strategies (Kuhn 1950): bea calls with the king, never with the jack, and with the queen once in three.
    let call = |card: &str| likely(&solution, "bea", &[card, "(did ann bet)"], "call");
    assert!(call("(dealt king)") > 0.99 && call("(dealt jack)") < 0.01);
    assert!((call("(dealt queen)") - 1.0 / 3.0).abs() < 0.02, "{}", call("(dealt queen)"));
    let bluff = likely(&solution, "ann", &["(dealt jack)"], "bet");
    let raise = likely(&solution, "ann", &["(dealt king)"], "bet");
    assert!(bluff < 0.35 && (raise - 3.0 * bluff).abs() < 0.06, "{bluff} {raise}");
    for set in &solution.strategies {
        assert!((set.moves.iter().map(|it| it.1).sum::<f64>() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn chance_alone_is_a_game_of_one() {
    for (name, expected) in [("monty_hall", 200.0 / 3.0), ("peek", 90.0)] {
        let solution = of_corpus(name);
        let [value] = solution.values.as_slice() else { panic!("{solution:?}") };
        assert!(value.lower <= expected + 1e-9 && value.upper >= expected - 1e-9, "{value:?}");
        assert!(value.upper - value.lower < 0.1, "{name}: {value:?}");
    }
}

#[test]
fn equal_guesses_are_worth_as_much() {
    // Matching pennies: both choose at once, and neither sees what the other does.
    let solution = solved(
        "(role odd) (role even) (init start) (side heads) (side tails)
         (<= (legal ?r (show ?s)) (role ?r) (side ?s))
         (<= (next (shown ?r ?s)) (does ?r (show ?s)))
         (<= (sees ?r done) (role ?r) (true start))
         (<= same (true (shown odd ?s)) (true (shown even ?s)))
         (<= terminal (not (true start)))
         (<= (goal even 100) same) (<= (goal even 0) (not same))
         (<= (goal odd 0) same) (<= (goal odd 100) (not same))",
        &SolveOptions::default(),
    );
    for value in &solution.values {
        assert!((value.lower - 50.0).abs() < 0.1 && (value.upper - 50.0).abs() < 0.1, "{value:?}");
    }
}

#[test]
fn a_match_that_is_over_at_once_or_never_says_so() {
    let over = "(role a) (role random) (<= terminal) (goal a 30) (<= (sees a dark))";
    let solution = solved(over, &SolveOptions::default());
    assert_eq!((solution.values[0].exact(), solution.undecided), (Some(30.0), None));
    assert!(solution.line_is_complete && solution.line.is_empty(), "{solution:?}");
    let two = "(role a) (role b) (role random) (<= terminal) (goal a 30) (goal b 60) (<= (sees ?r dark) (role ?r))";
    let solution = solved(two, &SolveOptions::default());
    let values: Vec<Option<f64>> = solution.values.iter().map(|it| it.exact()).collect();
    assert_eq!(values, [Some(30.0), Some(60.0)]);
    // A coin lies hidden as long as `a` likes.
    let coin = |more: &str| {
        format!(
            "(role random) (role a) (coin h) (coin t) (init start)
             (<= (legal random (toss ?c)) (true start) (coin ?c)) (<= (legal random noop) (not (true start)))
             (<= (legal a wait) (not (true done))) (<= (legal a (guess ?c)) (not (true start)) (coin ?c))
             (<= (next (is ?c)) (does random (toss ?c))) (<= (next (is ?c)) (true (is ?c)))
             (<= (next done) (does a (guess ?c))) (<= (next right) (does a (guess ?c)) (true (is ?c)))
             (<= (sees a tossed) (true start)) (<= terminal (true done))
             (<= (goal a 100) (true right)) (<= (goal a 0) (not (true right))) (goal random 0) {more}"
        )
    };
    let endless = solved(&coin(""), &SolveOptions::default());
    assert_eq!(endless.undecided, Some(Undecided::Endless));
    assert!(endless.states < 10, "{}", endless.states);
    // With a clock no state comes back, and the match is too long all the same.
    let mut clock = String::from(
        "(init (step 0)) (<= (next (step ?n)) (true (step ?m)) (after ?m ?n)) (<= terminal (true (step 600)))",
    );
    (0..600).for_each(|it| clock += &format!("(after {it} {})", it + 1));
    let long = solved(&coin(&clock), &SolveOptions::default());
    assert_eq!(long.undecided, Some(Undecided::TooDeep));
}

#[test]
fn who_never_perceives_anything_knows_nothing() {
    // Matching pennies one after the other: who sees nothing does not know what the other one has shown.
    let pennies = "(role odd) (role even) (init (turn odd)) (side heads) (side tails) (follows odd even)
         (<= (legal ?r (show ?s)) (true (turn ?r)) (side ?s)) (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
         (<= (next (turn ?s)) (true (turn ?r)) (follows ?r ?s))
         (<= (next (shown ?r ?s)) (does ?r (show ?s))) (<= (next (shown ?r ?s)) (true (shown ?r ?s)))
         (<= (sees ?r nothing) (role ?r) (true never))
         (<= same (true (shown odd ?s)) (true (shown even ?s)))
         (<= terminal (true (shown even ?s)))
         (<= (goal even 100) same) (<= (goal even 0) (not same))
         (<= (goal odd 0) same) (<= (goal odd 100) (not same))";
    let blind = SolveOptions { is_imperfect: true, ..SolveOptions::default() };
    for value in &solved(pennies, &blind).values {
        assert!((value.lower - 50.0).abs() < 0.1 && (value.upper - 50.0).abs() < 0.1, "{value:?}");
    }
}

#[test]
fn what_has_no_value_or_no_room_is_undecided() {
    let text = game("kuhn_poker").expect("is there").text;
    let few = SolveOptions { states: 20, ..SolveOptions::default() };
    assert_eq!(solved(text, &few).undecided, Some(Undecided::Budget));
    let small = SolveOptions { memory: 1 << 11, ..SolveOptions::default() };
    assert_eq!(solved(text, &small).undecided, Some(Undecided::Memory));
    let general = "(role a) (role b) (init start) (<= (legal ?r left) (role ?r)) (<= (legal ?r right) (role ?r))
         (<= (next (went ?r ?m)) (does ?r ?m)) (<= (sees ?r done) (role ?r))
         (<= both (true (went a ?m)) (true (went b ?m))) (<= terminal (not (true start)))
         (<= (goal ?r 100) (role ?r) both) (<= (goal ?r 0) (role ?r) (not both))";
    let solution = solved(general, &SolveOptions::default());
    assert_eq!(solution.undecided, Some(Undecided::ImperfectInformation));
    assert_eq!((solution.values[0].lower, solution.values[0].upper), (0.0, 100.0));
}
