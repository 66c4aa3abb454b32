//! Bit-parallel against scalar: every state of every lane.

use groundfrog::compact::Passes;
use groundfrog::game::RoleId;
use groundfrog::options::GroundOptions;
use groundfrog_reasoner::{
    BitParallel, BuildError, GroundReasoner, LANES, Random, Reasoner, State,
};

use super::text::{grounded, own_games};

const CAP: u32 = 300;

/// Compares all own games that are not recursive, so many playouts each.
pub fn all_games(playouts: u64) {
    let mut compared = 0;
    for game in own_games() {
        let options = GroundOptions { passes: Passes::ALL, ..GroundOptions::flat() };
        let ground_game = grounded(game.text, &options);
        match BitParallel::new(ground_game.clone()) {
            Ok(play) => {
                let scalar = GroundReasoner::new(ground_game).expect("compiled bit-parallel");
                one_game(game.name, play, scalar, playouts);
                compared += 1;
            }
            Err(BuildError::Recursive { .. }) => {
                assert!(game.tags.contains(&"recursion"), "{} is not tagged", game.name);
            }
            Err(error) => panic!("{}: {error}", game.name),
        }
    }
    assert!(compared > 20, "only {compared} games were compared");
}

fn one_game(name: &str, mut play: BitParallel, mut scalar: GroundReasoner, playouts: u64) {
    let roles: Vec<RoleId> = scalar.role_ids().collect();
    let mut expected: Vec<State> = vec![scalar.initial().clone(); LANES];
    let (mut legal, mut values, mut next) = (Vec::new(), Vec::new(), State::default());
    let mut random = Random::new(5);
    let mut sums = vec![0i128; roles.len()];
    while play.statistics().playouts < playouts {
        play.step_observed(&mut random, CAP, |lanes| {
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
                    scalar.next_state(&state, &lanes.moves(lane), &mut next).expect("legal moves");
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
