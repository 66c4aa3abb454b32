//! Looking one move ahead in lanes finds what making each move finds.

use std::sync::Arc;

use groundfrog::RoleId;
use groundfrog_reasoner::{BitParallel, GroundReasoner, MoveId, Random, Reasoner, State};

/// The states of some random matches.
fn states(rules: &mut GroundReasoner, count: usize) -> Vec<State> {
    let (mut random, mut moves, mut states) = (Random::new(5), Vec::new(), Vec::new());
    let mut state = rules.initial().clone();
    while states.len() < count {
        states.push(state.clone());
        if rules.is_terminal(&state).expect("is known") {
            state = rules.initial().clone();
            continue;
        }
        assert_eq!(rules.random_joint_move(&state, &mut random, &mut moves), Ok(None));
        rules.advance(&mut state, &moves).expect("is legal");
    }
    states
}

/// Legal moves by role.
fn legal(rules: &mut GroundReasoner, state: &State) -> Vec<Vec<MoveId>> {
    let mut of = |role: u32| {
        let mut moves = Vec::new();
        rules.legal_moves(state, RoleId(role), &mut moves).expect("are known");
        moves
    };
    (0..2).map(&mut of).collect()
}

/// The only role that has a choice.
fn chooser(legal: &[Vec<MoveId>]) -> Option<usize> {
    legal.iter().position(|moves| moves.len() > 1)
}

/// The states that a role's moves lead to.
fn children(rules: &mut GroundReasoner, state: &State) -> Vec<State> {
    let legal = legal(rules, state);
    let role = chooser(&legal).unwrap_or(0);
    let make = |it: &MoveId| {
        let mut joint: Vec<MoveId> = legal.iter().map(|moves| moves[0]).collect();
        joint[role] = *it;
        let mut next = State::default();
        rules.next_state(state, &joint, &mut next).expect("is legal");
        next
    };
    legal[role].iter().map(make).collect()
}

fn goals(rules: &mut GroundReasoner, state: &State) -> Vec<Option<i64>> {
    (0..2).map(|role| rules.goal(state, RoleId(role)).ok()).collect()
}

#[test]
fn looking_ahead_in_lanes_finds_the_ends_that_making_each_move_finds() {
    for name in ["connect_four", "breakthrough", "tictactoe"] {
        let text = groundfrog_corpus::game(name).expect("a game").text;
        let mut rules = GroundReasoner::of_text(text).expect("is ground");
        let game = Arc::clone(rules.game());
        let mut lanes = BitParallel::new(game).expect("compiles");
        let states = states(&mut rules, 300);
        let seen = lanes.look_ahead(&states, chooser, || false).expect("are states");
        let mut ends = 0;
        for (state, seen) in states.iter().zip(&seen) {
            if rules.is_terminal(state).expect("is known") {
                assert_eq!(seen.goals, Some(goals(&mut rules, state)), "{name}");
                continue;
            }
            assert_eq!((&seen.goals, &seen.legal), (&None, &legal(&mut rules, state)), "{name}");
            if chooser(&seen.legal).is_none() {
                assert!(seen.ends.is_empty(), "{name}");
                continue;
            }
            for (position, next) in children(&mut rules, state).into_iter().enumerate() {
                let found = seen.ends.iter().find(|it| it.position == position);
                if rules.is_terminal(&next).expect("is known") {
                    let found = found.expect("is an end");
                    let known = goals(&mut rules, &next);
                    assert_eq!((&found.state, &found.goals), (&next, &known), "{name}");
                    ends += 1;
                    continue;
                }
                assert_eq!(found, None, "{name}");
            }
        }
        assert!(ends > 0, "{name}");
    }
}
