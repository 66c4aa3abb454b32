//! Ground against interpreted.

use std::time::Duration;

use groundfrog::compact::Passes;
use groundfrog::description::Printer;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog_check::verify::{VerifyOptions, compare};
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::simulate::play_any;
use groundfrog_reasoner::{
    GroundReasoner, InterpretedReasoner, MoveId, PlayoutStatistics, Random, Reasoner,
};

use super::text::{description, grounded, own_games};

/// Plays on the flat, the simplified and the compact game; returns how many states were compared.
fn agree(name: &str, text: &str, playouts: u64) -> u64 {
    let description = description(text);
    let mut oracle = InterpretedReasoner::new(&description, Limits::default())
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut states = 0;
    for (simplify, passes) in [(false, Passes::NONE), (true, Passes::NONE), (true, Passes::ALL)] {
        let limits = Limits { time: Some(Duration::from_secs(30)), ..Limits::default() };
        let options = GroundOptions { simplify, passes, limits, ..GroundOptions::flat() };
        let game = grounded(text, &options);
        let mut tested =
            GroundReasoner::new(game.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let options = VerifyOptions { playouts, ..VerifyOptions::default() };
        let report = compare(&mut tested, &mut oracle, Some(&game), &options, &mut Silent)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(report.difference, None, "{name}, simplify {simplify}: {report}");
        assert_eq!(report.playouts, playouts, "{name}");
        states += report.states;
    }
    states
}

#[test]
fn ground_agrees_with_interpreted_on_own_games() {
    let states: u64 = own_games().map(|game| agree(game.name, game.text, 2)).sum();
    assert!(states > 1000, "only {states} states were compared");
}

#[test]
fn ground_agrees_with_interpreted_on_random_games() {
    let agree = |seed| agree(&format!("seed {seed}"), &groundfrog_corpus::random_game(seed), 4);
    let states: u64 = (0..150).map(agree).sum();
    assert!(states > 1000, "only {states} states were compared");
}

#[test]
fn ground_agrees_with_interpreted_where_views_are_guarded() {
    let states = agree("guarded", include_str!("guarded.kif"), 60);
    assert!(states > 1000, "only {states} states were compared");
}

#[test]
fn ground_agrees_with_interpreted_where_a_recursion_collects_moves() {
    let states = agree("collected", include_str!("collected.kif"), 60);
    assert!(states > 500, "only {states} states were compared");
}

#[test]
fn ground_agrees_with_interpreted_where_views_hold_unless_moves_are_made() {
    let states = agree("unless", include_str!("unless.kif"), 60);
    assert!(states > 1000, "only {states} states were compared");
}

#[test]
fn ground_agrees_with_interpreted_about_percepts_of_every_kind() {
    let states = agree("perceived", include_str!("perceived.kif"), 60);
    assert!(states > 500, "only {states} states were compared");
}

/// What is perceived of the state alone needs no move, and is no part of what goes on in play.
#[test]
fn percepts_of_every_kind_are_what_the_rules_say() {
    let text = include_str!("perceived.kif");
    let interpreted = InterpretedReasoner::new(&description(text), Limits::default());
    let mut interpreted = interpreted.expect("no ground rules needed");
    let mut ground = GroundReasoner::new(grounded(text, &GroundOptions::compact())).expect("built");
    let reasoners: [&mut dyn Reasoner; 2] = [&mut interpreted, &mut ground];
    for reasoner in reasoners {
        let start = reasoner.initial().clone();
        let moves: Vec<MoveId> = ["(bid 2)", "(bid 1)"]
            .into_iter()
            .zip(reasoner.role_ids().collect::<Vec<_>>())
            .map(|(text, role)| reasoner.find_move(role, text).expect("a move"))
            .collect();
        let seen = reasoner.percepts(&start, &moves).expect("legal moves");
        let mut texts = Vec::new();
        for (role, seen) in reasoner.role_ids().zip(seen) {
            let printer = Printer::new(reasoner.symbols());
            let seen = seen.iter().map(|it| printer.term(it).to_string()).collect::<Vec<_>>();
            texts.push(format!("{} {}", reasoner.role_text(role), seen.join(" ")));
        }
        assert_eq!(
            texts,
            [
                "a (coin 1) (did (bid 2)) (high 2) (purse 1 2) (round 0) (rule open) even",
                "b (beaten b) (bid 2) (coin 1) (did (bid 1)) (hidden 2) (round 0) (rule open)",
            ]
        );
    }
}

/// The hedge is a term that grows without bound, so the game cannot be grounded.
#[test]
fn a_game_whose_terms_grow_is_interpreted() {
    let text = groundfrog_corpus::game("unbounded").expect("an own game").text;
    let mut reasoner = InterpretedReasoner::new(&description(text), Limits::default())
        .expect("no ground rules needed");
    let mut statistics = PlayoutStatistics::new(1);
    let mut random = Random::new(3);
    for _ in 0..10 {
        play_any(&mut reasoner, &mut random, 20, &mut statistics).expect("playable");
    }
    assert_eq!(statistics.playouts, 10);
    assert!(statistics.states > 10, "{statistics:?}");
}
