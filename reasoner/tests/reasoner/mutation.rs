//! Broken ground rules are caught.

use std::collections::HashSet;
use std::sync::Arc;

use groundfrog::game::GroundGame;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog_check::verify::{VerifyOptions, compare};
use groundfrog_corpus::game;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::{
    BuildError, GroundReasoner, InterpretedReasoner, MoveId, Random, Reasoner, State, Vocabulary,
};

use groundfrog_testing::{description, grounded};

/// Games whose states can all be visited.
const GAMES: [&str; 6] = [
    "nim",
    "blocks_world",
    "derived_roles",
    "prisoners_dilemma",
    "nested_terms",
    "overloaded_names",
];

/// The game with one literal of one rule dropped or negated.
fn mutate(game: &GroundGame, random: &mut Random) -> GroundGame {
    let rules = game.rules();
    loop {
        let broken = random.below(rules.len() as u32) as usize;
        let length = rules.rule(broken).body.len();
        if length == 0 {
            continue;
        }
        let position = random.below(length as u32) as usize;
        let drops = random.below(2) == 0;
        let mut changed = RuleStore::default();
        for (number, rule) in rules.iter().enumerate() {
            let mut body = rule.body.to_vec();
            if number == broken && drops {
                body.remove(position);
            } else if number == broken {
                let literal = body[position];
                body[position] = GroundLiteral::new(literal.atom(), !literal.is_negated());
            }
            changed.push(rule.head, &body);
        }
        return game.with_rules(changed);
    }
}

/// What a reasoner says of a state: the end, and by role legal moves and goals.
type Answer = (bool, Vec<(Vec<MoveId>, Vec<i64>)>);

fn answer(reasoner: &mut GroundReasoner, state: &State) -> Answer {
    let roles: Vec<_> = reasoner.role_ids().collect();
    let of_role = |role| {
        let (mut moves, mut values) = (Vec::new(), Vec::new());
        reasoner.legal_moves(state, role, &mut moves).expect("ground");
        reasoner.goal_values(state, role, &mut values).expect("ground");
        (moves, values)
    };
    let of_roles = roles.into_iter().map(of_role).collect();
    (reasoner.is_terminal(state).expect("ground"), of_roles)
}

/// Whether two games over the same atoms differ in any state that the first can reach.
fn differ(sound: &mut GroundReasoner, broken: &mut GroundReasoner) -> bool {
    let mut seen = HashSet::from([sound.initial().clone()]);
    let mut open: Vec<State> = seen.iter().cloned().collect();
    let (mut next, mut other) = (State::default(), State::default());
    while let Some(state) = open.pop() {
        let (terminal, of_roles) = answer(sound, &state);
        if answer(broken, &state) != (terminal, of_roles.clone()) {
            return true;
        }
        let mut joint: Vec<Vec<MoveId>> = vec![Vec::new()];
        for (moves, _) in of_roles.iter().filter(|_| !terminal) {
            let extend = |made: &Vec<MoveId>| {
                moves.iter().map(|&it| [&made[..], &[it]].concat()).collect::<Vec<_>>()
            };
            joint = joint.iter().flat_map(extend).collect();
        }
        for moves in joint.iter().filter(|_| !terminal) {
            sound.next_state(&state, moves, &mut next).expect("legal moves");
            broken.next_state(&state, moves, &mut other).expect("legal moves");
            if next != other {
                return true;
            }
            if seen.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    false
}

#[test]
fn mutated_rules_are_reported() {
    let (mut different, mut found) = (0, 0);
    for name in GAMES {
        let text = game(name).expect("an own game").text;
        let sound = grounded(text, &GroundOptions::flat());
        let mut reference = GroundReasoner::new(sound.clone()).expect("a game");
        let mut oracle =
            InterpretedReasoner::new(&description(text), Limits::default()).expect("a game");
        let mut random = Random::new(11);
        for number in 0..25 {
            let broken = Arc::new(mutate(&sound, &mut random));
            let mut tested = match GroundReasoner::new(broken.clone()) {
                Ok(tested) => tested,
                Err(BuildError::NegativeCycle { .. }) => continue,
                Err(error) => panic!("{name}: {error}"),
            };
            let differs = differ(&mut reference, &mut tested);
            let options =
                VerifyOptions { playouts: 60, max_length: 60, ..VerifyOptions::default() };
            let report = compare(&mut tested, &mut oracle, Some(&broken), &options, &mut Silent)
                .unwrap_or_else(|error| panic!("{name}, mutation {number}: {error}"));
            different += u32::from(differs);
            if let Some(difference) = report.difference {
                assert!(differs, "{name}, mutation {number}: {difference}");
                assert!(difference.minimal, "{name}, mutation {number}: {difference}");
                found += 1;
            }
        }
    }
    eprintln!("{found} of {different} mutations that change a reachable state were found");
    assert!(different >= 80, "only {different} mutations change anything");
    assert!(found * 100 >= different * 90, "{found} of {different} found");
}
