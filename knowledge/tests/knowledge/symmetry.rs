//! Symmetries of games of which they are known.

use std::collections::BTreeSet;
use std::time::Duration;

use groundfrog_knowledge::{AnalysisOptions, Symmetries, analyse, structures, symmetries};
use groundfrog_reasoner::{GroundReasoner, MoveId, Reasoner, State, Vocabulary as _};
use groundfrog_testing::description;

use super::{corpus, rules};

/// Far more than any of these games takes.
const TIME: Duration = Duration::from_secs(60);

fn found(text: &str) -> (GroundReasoner, Symmetries) {
    let mut reasoner = rules(text);
    let analysis = analyse(&mut reasoner, &AnalysisOptions::default()).expect("rules");
    let structures = structures(&description(text), &mut reasoner, &analysis, TIME).expect("rules");
    let found = symmetries(reasoner.game(), &structures, TIME).expect("a small game");
    (reasoner, found)
}

/// The states that follow a state, the roles moving in all ways.
fn successors(reasoner: &mut GroundReasoner, state: &State) -> Vec<State> {
    let mut joint: Vec<Vec<MoveId>> = vec![Vec::new()];
    for role in reasoner.role_ids().collect::<Vec<_>>() {
        let mut legal = Vec::new();
        reasoner.legal_moves(state, role, &mut legal).expect("a state of this game");
        let with = |made: &Vec<MoveId>, it: MoveId| [&made[..], &[it]].concat();
        joint = joint.iter().flat_map(|made| legal.iter().map(|&it| with(made, it))).collect();
    }
    let mut found = Vec::new();
    for moves in joint {
        let mut next = state.clone();
        reasoner.advance(&mut next, &moves).expect("legal moves");
        found.push(next);
    }
    found
}

#[test]
fn tictactoe_has_765_states_of_5478() {
    let (mut reasoner, symmetries) = found(corpus("tictactoe"));
    assert_eq!((symmetries.rules.order, symmetries.initial.order), (16, 8));
    let key = |state: &State| state.fluents().map(|it| it.index()).collect::<Vec<usize>>();
    let mut known: BTreeSet<Vec<usize>> = BTreeSet::new();
    let mut open = vec![reasoner.initial().clone()];
    let mut all: Vec<State> = Vec::new();
    while let Some(state) = open.pop() {
        if known.insert(key(&state)) {
            if !reasoner.is_terminal(&state).expect("a state of this game") {
                open.extend(successors(&mut reasoner, &state));
            }
            all.push(state);
        }
    }
    assert_eq!(all.len(), 5478);
    let mut classes = 0;
    let mut met: BTreeSet<Vec<usize>> = BTreeSet::new();
    for state in all {
        if met.contains(&key(&state)) {
            continue;
        }
        classes += 1;
        let mut open = vec![state];
        while let Some(state) = open.pop() {
            if met.insert(key(&state)) {
                open.extend(symmetries.initial.generators.iter().map(|it| it.image(&state)));
            }
        }
    }
    assert_eq!(classes, 765);
}

#[test]
fn generators_are_named_after_what_they_do_to_the_board() {
    let (_, symmetries) = found(corpus("tictactoe"));
    let names: Vec<&str> =
        symmetries.initial.generators.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.iter().any(|it| it.starts_with("reflection in the diagonal")), "{names:?}");
    assert!(names.iter().all(|it| it.starts_with("reflection")), "{names:?}");
    let exchange =
        symmetries.rules.generators.iter().find(|it| it.name.contains("exchange of roles"));
    assert_eq!(exchange.expect("cross and nought").roles, [1, 0]);
}

/// By game: how many symmetries the rules have, and how many keep the initial state.
#[test]
fn groups_of_known_games_have_the_expected_orders() {
    let expected = [
        ("breakthrough", 4, 2),
        ("connect_four", 4, 2),
        // A chain is built from one side on, so that the rules are not those of the half turn.
        ("hex_five", 2, 1),
        ("atari_go", 16, 8),
        ("prisoners_dilemma", 2, 2),
    ];
    for (name, rules, initial) in expected {
        let (_, symmetries) = found(corpus(name));
        assert!(symmetries.rules.is_complete && symmetries.initial.is_complete, "{name}");
        assert_eq!((symmetries.rules.order, symmetries.initial.order), (rules, initial), "{name}");
    }
}

#[test]
fn symmetric_states_have_symmetric_ends_goals_and_successors() {
    for name in ["tictactoe", "breakthrough", "connect_four", "hex_five", "lights_out", "nim"] {
        let (mut reasoner, symmetries) = found(corpus(name));
        let mut random = groundfrog_reasoner::Random::new(5);
        let generators = &symmetries.rules.generators;
        for generator in generators {
            let (mut state, mut moves) = (reasoner.initial().clone(), Vec::new());
            for _ in 0..60 {
                let image = generator.image(&state);
                let ends = reasoner.is_terminal(&state).expect("a state of this game");
                assert_eq!(ends, reasoner.is_terminal(&image).expect("its image"), "{name}");
                if ends {
                    for role in reasoner.role_ids().collect::<Vec<_>>() {
                        let to = groundfrog::RoleId(generator.roles[role.index()]);
                        let (mut own, mut other) = (Vec::new(), Vec::new());
                        reasoner.goal_values(&state, role, &mut own).expect("an end");
                        reasoner.goal_values(&image, to, &mut other).expect("its image");
                        assert_eq!(own, other, "{name}");
                    }
                    break;
                }
                let images: BTreeSet<Vec<usize>> = successors(&mut reasoner, &state)
                    .iter()
                    .map(|it| generator.image(it).fluents().map(|it| it.index()).collect())
                    .collect();
                let own: BTreeSet<Vec<usize>> = successors(&mut reasoner, &image)
                    .iter()
                    .map(|it| it.fluents().map(|it| it.index()).collect())
                    .collect();
                assert_eq!(images, own, "{name}: {}", generator.name);
                assert_eq!(reasoner.random_joint_move(&state, &mut random, &mut moves), Ok(None));
                reasoner.advance(&mut state, &moves).expect("legal moves");
            }
        }
    }
}
