//! Nothing that is proved is violated in random matches, and every refutation is a match: played by the rules as they are written, with
//! variables, it violates the property.

use std::time::Duration;

use groundfrog::{Limits, RoleId};
use groundfrog_knowledge::{Analysis, AnalysisOptions, Finding, Property, Verdict, analyse};
use groundfrog_reasoner::{InterpretedReasoner, MoveId, Random, Reasoner, State, Vocabulary};
use groundfrog_testing::{needs, own_games};

use super::brute_force::{Seen, fails};
use super::{Game, column, game, public};

/// The states of a match; the last one is where the moves lead to.
fn replayed(rules: &mut InterpretedReasoner, moves: &[Vec<String>]) -> Vec<State> {
    let mut states = vec![rules.initial().clone()];
    for joint in moves {
        let mut state = states[states.len() - 1].clone();
        assert!(!rules.is_terminal(&state).expect("a state of this game"), "the match is over");
        let roles: Vec<RoleId> = rules.role_ids().collect();
        let made = roles.into_iter().zip(joint);
        let made: Vec<MoveId> =
            made.map(|(role, text)| rules.find_move(role, text).expect("a move")).collect();
        rules.advance(&mut state, &made).expect("legal moves");
        states.push(state);
    }
    states
}

/// Longer matches are given up.
const LONGEST: u64 = 400;

/// Plays matches of a game until so many states were met, none of which violates what is proved.
fn play(game: &mut Game, found: &Analysis, wanted: usize) {
    let longest = found.findings.iter().find_map(|finding| match finding.property {
        Property::Terminating { moves } => moves,
        _ => None,
    });
    let rules = &mut game.rules;
    let (mut random, mut checked) = (Random::new(4711), 0);
    while checked < wanted {
        let (mut state, mut moves, mut made) = (rules.initial().clone(), Vec::new(), 0);
        loop {
            checked += 1;
            let is_over = rules.is_terminal(&state).expect("a state of this game")
                || made >= LONGEST
                || rules.random_joint_move(&state, &mut random, &mut moves) != Ok(None);
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
}

/// Replays the refutations of a game, and counts them by property.
fn replay(game: &Game, found: &Analysis, counts: &mut [usize; 6]) {
    let limits = Limits { time: Some(Duration::from_secs(5)), ..Limits::default() };
    let mut rules = InterpretedReasoner::new(&game.description, limits).expect("rules");
    for Finding { property, verdict } in &found.findings {
        let Verdict::Refuted { moves } = verdict else { continue };
        let states = replayed(&mut rules, moves);
        let last = states.len() - 1;
        let violated = match property {
            Property::Terminating { .. } => Some(states[..last].contains(&states[last])),
            // Which groups there are, a single match does not tell.
            Property::ExactlyOne { .. } => None,
            property => {
                let seen: Vec<Seen> = states.iter().map(|it| Seen::new(&mut rules, it).0).collect();
                fails(property, &seen, last)
            }
        };
        assert_ne!(violated, Some(false), "{}: {property:?} {moves:?}", game.name);
        counts[column(property).unwrap_or(5)] += usize::from(violated.is_some());
    }
}

/// Analyses games, each so long, and plays matches of each until so many states were met.
fn check(games: impl Iterator<Item = Game>, time: Duration, states: usize) {
    let (mut count, mut proved, mut replayed) = (0, 0, [0; 6]);
    for mut game in games {
        let options = AnalysisOptions { time, ..AnalysisOptions::default() };
        let found = analyse(&mut game.rules, &options).expect("rules that can be evaluated");
        proved += found.findings.iter().filter(|it| it.verdict == Verdict::Proved).count();
        play(&mut game, &found, states);
        replay(&game, &found, &mut replayed);
        count += 1;
    }
    println!("{count} games, {proved} properties; replayed by property: {replayed:?}");
    assert!(count > 0 && proved > count && replayed[0] > 3 && replayed[3] > 3);
}

#[test]
fn verdicts_on_the_corpus_hold_in_matches() {
    let games = own_games().filter_map(|it| game(it.name, it.text.as_bytes()));
    check(games, Duration::from_millis(500), 4_000);
}

#[needs(games)]
#[test]
fn verdicts_on_public_games_hold_in_matches() {
    check(public(6_000, 2), Duration::from_millis(300), 4_000);
}
