//! The rules as written out say what the reasoner says, and so does the search.

use std::sync::Arc;

use groundfrog::game::RoleId;
use groundfrog::{Description, GroundOptions, ParseOptions, Silent, ground};
use groundfrog_corpus::{Parameters, family, game};
use groundfrog_reasoner::{MoveId, Random, Reasoner, State};

use super::super::super::budget::Budget;
use super::super::super::position::Rules;
use super::super::super::shared_table::SharedTable;
use super::super::super::values_of;
use super::super::super::written::Written;
use super::super::Force;

fn rules_of(text: &str) -> Rules {
    let parsed = Description::parse(text.as_bytes(), &ParseOptions::default());
    let options = GroundOptions::compact();
    let game = ground(&parsed.expect("parses"), &options, &mut Silent).expect("is small").game;
    Rules::new(Arc::new(game)).expect("can be played")
}

fn generated(name: &str, given: &[(&str, u32)]) -> String {
    let parameters = given.iter().fold(Parameters::new(), |all, it| all.with(it.0, it.1));
    family(name).expect("a family").generate(&parameters).expect("in range")
}

/// States of random play.
fn states(rules: &mut Rules, count: usize) -> Vec<State> {
    let mut found = Vec::new();
    let mut random = Random::new(5);
    while found.len() < count {
        rules.reasoner.playout_observed(&mut random, 500, |state, _| {
            found.push(State::of_words(state));
        });
    }
    found.truncate(count);
    found
}

#[test]
fn written_rules_have_the_moves_and_states_of_the_reasoner() {
    let texts = [
        game("connect_four").expect("a game").text.to_owned(),
        game("tictactoe").expect("a game").text.to_owned(),
        generated("breakthrough", &[("width", 4), ("height", 4)]),
    ];
    for text in texts {
        let mut rules = rules_of(&text);
        let game = Arc::clone(rules.reasoner.game());
        let written = Written::new(&game, &mut rules, || true).expect("can be played");
        let written = written.expect("is written out");
        for state in states(&mut rules, 500) {
            let words = state.words();
            let mover = written.mover(words).expect("one chooses");
            rules.find_legal(&state).expect("has moves");
            let own = written.moves[mover].iter().filter(|&&it| written.is_legal(it, words));
            let own: Vec<MoveId> = own.map(|&it| MoveId(it)).collect();
            assert_eq!(own, rules.legal[mover]);
            let mut joint: Vec<MoveId> = rules.legal.iter().map(|it| it[0]).collect();
            for it in own {
                joint[mover] = it;
                let (mut next, mut made) = (State::default(), vec![0; words.len()]);
                rules.reasoner.next_state(&state, &joint, &mut next).expect("is legal");
                written.make(it.0, words, &mut made);
                assert_eq!(State::of_words(&made), next);
                let is_end = rules.is_terminal(&next).expect("is known");
                assert_eq!(written.end(words, &made).is_some(), is_end);
            }
        }
    }
}

#[test]
fn the_answers_are_those_of_the_search_by_the_reasoner() {
    let texts = [
        game("tictactoe").expect("a game").text.to_owned(),
        generated("connect_four", &[("width", 4), ("height", 4)]),
        generated("breakthrough", &[("width", 3), ("height", 4)]),
    ];
    for text in texts {
        let mut rules = rules_of(&text);
        let game = Arc::clone(rules.reasoner.game());
        let written = Written::new(&game, &mut rules, || true).expect("can be played");
        let (mut states, mut answered) = (states(&mut rules, 60), 0);
        states.iter_mut().for_each(|it| *it = rules.whole(it));
        for role in (0..rules.roles as u32).map(RoleId) {
            let values = values_of(&game, role);
            let mut ask = |written: Option<Written>| {
                let table = Arc::new(SharedTable::new(rules.words, 1 << 24, 1));
                let mut budget = Budget::new(None, None, u64::MAX);
                let mut force = Force::new(&mut rules, role, values.clone(), table, &mut budget);
                force.set_written(written);
                let mut answers = Vec::new();
                for wanted in 1..values.len() as u8 {
                    let asked = states.iter().map(|it| force.ask(it, wanted));
                    answers.extend(asked.map(|it| it.expect("has an answer")));
                }
                answers
            };
            assert!(written.is_some());
            let answers = ask(written.clone());
            answered += answers.len();
            assert_eq!(answers, ask(None));
        }
        assert!(answered > 60, "{answered}");
    }
}
