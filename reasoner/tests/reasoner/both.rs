//! Ground and interpreted, where they differ or one of them has to do alone. That they agree is tested with the passes of the
//! grounder.

use groundfrog::description::Printer;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog_reasoner::simulate::play_any;
use groundfrog_reasoner::{
    GroundReasoner, InterpretedReasoner, MoveId, PlayoutStatistics, Random, Reasoner,
};
use groundfrog_testing::{description, grounded};

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
        play_any(&mut reasoner, &mut random, 20, None, &mut statistics).expect("playable");
    }
    assert_eq!(statistics.playouts, 10);
    assert!(statistics.states > 10, "{statistics:?}");
}
