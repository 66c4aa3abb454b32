//! Broken ground rules are caught.

use std::sync::Arc;

use groundfrog::game::GroundGame;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog::reasoner::{BuildError, GroundReasoner, InterpretedReasoner, Random};
use groundfrog::verify::{VerifyOptions, compare};
use groundfrog_corpus::game;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};

use super::common::{describe, ground};

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

#[test]
fn mutated_rules_are_reported() {
    let (mut found, mut unnoticed) = (0, Vec::new());
    for name in ["tictactoe", "nim", "blocks_world", "hanoi", "majority_vote", "light_trails"] {
        let text = game(name).expect("an own game").text;
        let sound = ground(text, &GroundOptions::default());
        let mut oracle =
            InterpretedReasoner::new(&describe(text), Limits::default()).expect("a game");
        let mut random = Random::new(11);
        for number in 0..15 {
            let broken = Arc::new(mutate(&sound, &mut random));
            let mut tested = match GroundReasoner::new(broken.clone()) {
                Ok(tested) => tested,
                Err(BuildError::NegativeCycle { .. }) => {
                    found += 1;
                    continue;
                }
                Err(error) => panic!("{name}: {error}"),
            };
            let options = VerifyOptions { playouts: 30, cap: 60, ..VerifyOptions::default() };
            let report = compare(&mut tested, &mut oracle, Some(&broken), &options, &mut ())
                .unwrap_or_else(|error| panic!("{name}, mutation {number}: {error}"));
            match report.difference {
                Some(difference) => {
                    assert!(difference.minimal, "{name}, mutation {number}: {difference}");
                    found += 1;
                }
                None => unnoticed.push(format!("{name} {number}")),
            }
        }
    }
    eprintln!("{found} mutations found, {} not: {}", unnoticed.len(), unnoticed.join(", "));
    // Some mutations change nothing that can be reached.
    assert!(found >= 70, "only {found} of 90 mutations were found");
}
