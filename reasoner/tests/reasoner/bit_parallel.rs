//! Bit-parallel against scalar: every state of every lane.

use std::sync::Arc;

use groundfrog::compact::Passes;
use groundfrog::game::RoleId;
use groundfrog::options::GroundOptions;
use groundfrog_reasoner::{
    BitParallel, GroundReasoner, LANES, Random, Reasoner, State, Vocabulary,
};

use groundfrog_testing::{grounded, own_games};

const CAP: u32 = 300;

/// Compares all own games, so many playouts each.
pub fn all_games(playouts: u64) {
    let (mut compared, mut recursive) = (0, 0);
    for game in own_games() {
        one_text(game.name, game.text, playouts);
        compared += 1;
        recursive += usize::from(game.tags.contains(&"recursion"));
    }
    assert!(compared > 20, "only {compared} games were compared");
    assert!(recursive > 3, "only {recursive} games with recursion were compared");
}

fn one_text(name: &str, text: &str, playouts: u64) {
    for passes in [Passes::NONE, Passes::ALL] {
        let game = grounded(text, &GroundOptions { passes, ..GroundOptions::flat() });
        let play = BitParallel::new(game.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
        one_game(name, play, GroundReasoner::new(game).expect("compiled bit-parallel"), playouts);
    }
}

/// What holds each other up without support does not hold, in any lane.
#[test]
fn recursion_agrees_in_each_lane() {
    // Marks spread over a ring through cells that are open; cells are opened and shut at random. A ring that is all open, and not
    // marked, holds nothing.
    let ring = "(role x) (role y) (init (open 1)) (init (open 4)) (init (step 0))
        (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 1)
        (then 0 1) (then 1 2) (then 2 3) (then 3 4) (then 4 5) (then 5 6) (then 6 7) (then 7 8)
        (<= (cell ?c) (succ ?c ?d))
        (<= (legal ?r (turn ?c)) (role ?r) (cell ?c)) (<= (legal x mark) (true (open 3)))
        (<= (turned ?c) (does ?r (turn ?c)))
        (<= (next (open ?c)) (turned ?c) (not (true (open ?c))))
        (<= (next (open ?c)) (true (open ?c)) (not (turned ?c)))
        (<= (next marked) (does x mark)) (<= (next marked) (reach 6) (reach 2))
        (<= (reach 3) (true marked) (true (open 3)))
        (<= (reach ?d) (reach ?c) (succ ?c ?d) (true (open ?d)))
        (<= (reach ?c) (reach ?d) (succ ?c ?d) (true (open ?c)))
        (<= (flows ?d) (turned ?c) (succ ?c ?d))
        (<= (flows ?d) (flows ?c) (succ ?c ?d) (true (open ?d)) (not (reach ?c)))
        (<= (next (wet ?c)) (flows ?c) (true (open ?c)))
        (<= (next (step ?n)) (true (step ?m)) (then ?m ?n))
        (<= terminal (true (step 8))) (<= terminal (reach 1))
        (<= (goal ?r 100) (role ?r) (reach 5)) (<= (goal ?r 0) (role ?r) (not (reach 5)))";
    one_text("ring", ring, 3000);
}

/// Goals are computed where a match is over, and the next state elsewhere.
#[test]
fn a_view_that_goals_and_the_next_state_share_is_computed_in_each_step() {
    let counter = "(role x) (init (at 0)) (init (best 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (legal x go) (legal x stay)
        (<= (next (at ?n)) (does x go) (true (at ?m)) (succ ?m ?n)) (<= (next (at ?m)) (does x stay) (true (at ?m)))
        (<= (worth ?m) (true (at ?m)) (not (true (best ?m))) (distinct ?m 0)) (<= some_worth (worth ?m))
        (<= (next (best ?m)) (worth ?m)) (<= (next (best ?m)) (true (best ?m)) (not some_worth))
        (<= terminal (true (at 4))) (<= (goal x ?m) (worth ?m)) (<= (goal x 50) (not some_worth))";
    one_text("counter", counter, 600);
}

#[test]
fn percepts_agree_in_each_lane() {
    // A view that goals and percepts share.
    let shared = "(role x) (role y) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (legal x go) (legal x stay) (legal y stay)
        (<= (next (at ?n)) (does x go) (true (at ?m)) (succ ?m ?n)) (<= (next (at ?m)) (does x stay) (true (at ?m)))
        (<= far (true (at ?m)) (succ ?l ?m) (succ ?k ?l)) (<= (sees y (far ?a)) (does x ?a) far)
        (<= terminal (true (at 3))) (<= (goal ?r 100) (role ?r) far) (<= (goal ?r 0) (role ?r) (not far))";
    one_text("shared", shared, 600);
    for seed in 0..20 {
        one_text("random", &groundfrog_corpus::random_hidden_game(seed), 600);
    }
}

fn one_game(name: &str, mut play: BitParallel, mut scalar: GroundReasoner, playouts: u64) {
    let roles: Vec<RoleId> = scalar.role_ids().collect();
    let mut expected: Vec<State> = vec![scalar.initial().clone(); LANES];
    let (mut legal, mut values, mut next) = (Vec::new(), Vec::new(), State::default());
    let mut seen = Vec::new();
    let mut random = Random::new(5);
    let mut sums = vec![0i128; roles.len()];
    while play.statistics().playouts < playouts {
        play.step_perceived(&mut random, CAP, |lanes| {
            for (lane, expected) in expected.iter_mut().enumerate() {
                let state = lanes.state(lane);
                assert_eq!(state, *expected, "{name}: lane {lane}");
                let terminal = scalar.is_terminal(&state).expect("ground");
                assert_eq!(lanes.is_terminal(lane), terminal, "{name}");
                for (&role, sum) in roles.iter().zip(&mut sums) {
                    scalar.legal_moves(&state, role, &mut legal).expect("ground");
                    assert_eq!(lanes.legal_moves(lane, role), legal, "{name}");
                    if terminal {
                        scalar.goal_values(&state, role, &mut values).expect("ground");
                        assert_eq!(lanes.goal_values(lane, role), values, "{name}");
                        *sum += if let [value] = values[..] { i128::from(value) } else { 0 };
                    }
                }
                if lanes.is_playing(lane) {
                    let moves = lanes.moves(lane);
                    scalar.perceive(&state, &moves, &mut seen).expect("legal moves");
                    assert_eq!(lanes.percepts(lane), seen, "{name}");
                    scalar.next_state(&state, &moves, &mut next).expect("legal moves");
                    expected.clone_from(&next);
                }
                if !lanes.is_playing(lane) || lanes.length(lane) + 1 >= CAP {
                    expected.clone_from(scalar.initial());
                }
            }
        });
    }
    let counted: Vec<i128> = play.statistics().goals.iter().map(|goals| goals.sum).collect();
    assert_eq!(counted, sums, "{name}: sums of goals");
}

#[test]
fn what_ends_in_too_many_ways_has_no_decisive_moves_in_lanes() {
    let text = groundfrog_corpus::game("connect_four").expect("a game").text;
    let scalar = GroundReasoner::of_text(text).expect("is ground");
    let lanes = BitParallel::with_decisive_moves(Arc::clone(scalar.game()), false);
    assert!(lanes.expect("compiles").is_none(), "it would take more than twice as long");
}
