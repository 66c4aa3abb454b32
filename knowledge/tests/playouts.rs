//! Nothing that is proved is violated in random matches.

#[path = "support/shared.rs"]
mod shared;

use std::time::Duration;

use groundfrog_knowledge::{Analysis, AnalysisOptions, Property, Verdict, analyse};
use groundfrog_needs::needs;
use groundfrog_reasoner::{Random, Reasoner};

/// Longer matches are given up.
const LONGEST: u64 = 400;

/// Plays matches of a game until so many states were met. Says how many were.
fn play(game: &mut shared::Game, found: &Analysis, wanted: usize) -> usize {
    let longest = found.findings.iter().find_map(|finding| match finding.property {
        Property::Terminating { moves } => moves,
        _ => None,
    });
    let rules = &mut game.rules;
    let mut random = Random::new(4711);
    let mut checked = 0;
    while checked < wanted {
        let (mut state, mut moves, mut made) = (rules.initial().clone(), Vec::new(), 0);
        loop {
            checked += 1;
            let is_over = rules.is_terminal(&state).expect("a state of this game")
                || made >= LONGEST
                || rules.random_joint_move(&state, &mut random, &mut moves).is_err();
            let mut next = state.clone();
            if !is_over {
                rules.advance(&mut next, &moves).expect("legal moves");
            }
            let step = (!is_over).then_some((moves.as_slice(), &next));
            let violated = found.violated_by(rules, &state, step).expect("a state of this game");
            assert_eq!(violated, None, "{}", game.name);
            assert!(longest.is_none_or(|longest| made <= longest), "{}: {made} moves", game.name);
            if is_over {
                break;
            }
            state = next;
            made += 1;
        }
    }
    checked
}

/// Analyses every so many games with no more bytes, each so long, and plays matches of each until so many states were met.
fn check(most_bytes: u64, apart: usize, time: Duration, states: usize) {
    let (mut count, mut checked, mut proved) = (0, 0, 0);
    for mut game in shared::games(most_bytes, apart) {
        let options = AnalysisOptions { time, ..AnalysisOptions::default() };
        let found = analyse(&mut game.rules, &options).expect("rules that can be evaluated");
        proved += found.findings.iter().filter(|it| it.verdict == Verdict::Proved).count();
        checked += play(&mut game, &found, states);
        count += 1;
    }
    println!("{checked} states of {count} games, {proved} properties");
    assert!(checked >= states * count && proved > count && count > 0);
}

#[needs(games)]
#[test]
fn nothing_that_is_proved_is_violated() {
    check(6_000, 4, Duration::from_millis(300), 4_000);
}

#[test]
#[ignore = "slow: many minutes"]
fn nothing_that_is_proved_is_violated_in_a_million_states() {
    check(u64::MAX, 1, Duration::from_secs(3), 5_200);
}
