//! Nothing that is proved is violated in random matches, and every refutation is a match: played by the rules as they are written, with
//! variables, it violates the property.

#[path = "support/shared.rs"]
mod shared;

use std::collections::HashSet;
use std::time::Duration;

use groundfrog::{Limits, RoleId};
use groundfrog_knowledge::{Analysis, AnalysisOptions, Property, Verdict, analyse};
use groundfrog_needs::needs;
use groundfrog_reasoner::{
    FluentId, InterpretedReasoner, MoveId, Random, Reasoner, ReasonerError, State, Vocabulary,
};

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

/// The words of a text that fits a pattern, at the places that tell groups apart; none if it does not fit.
fn key(pattern: &str, text: &str) -> Option<Vec<String>> {
    let words = |text: &str| -> Vec<String> {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        spaced.split_whitespace().map(str::to_owned).collect()
    };
    let (pattern, text) = (words(pattern), words(text));
    let fits = |(hole, word): (&String, &String)| hole == "*" || hole == "_" || hole == word;
    let is_fit = pattern.len() == text.len() && pattern.iter().zip(&text).all(fits);
    let key = pattern.iter().zip(&text).filter(|(hole, _)| *hole == "_").map(|it| it.1.clone());
    is_fit.then(|| key.collect())
}

/// Whether a state, the last of these, violates a property; none if this test does not know how to tell.
fn is_violated(
    property: &Property,
    rules: &mut InterpretedReasoner,
    states: &[State],
) -> Result<Option<bool>, ReasonerError> {
    let state = &states[states.len() - 1];
    let is_over = rules.is_terminal(state)?;
    let (mut goals, mut choices) = (Vec::new(), Vec::new());
    for role in rules.role_ids() {
        let mut legal = Vec::new();
        rules.legal_moves(state, role, &mut legal)?;
        choices.push(legal.len());
        if !rules.role_text(role).eq_ignore_ascii_case("random") {
            let mut values = Vec::new();
            rules.goal_values(state, role, &mut values)?;
            goals.push(values);
        }
    }
    Ok(Some(match property {
        Property::TurnTaking => !is_over && choices.iter().filter(|&&it| it > 1).count() > 1,
        Property::Playable => !is_over && choices.contains(&0),
        Property::OneGoal => is_over && goals.iter().any(|values| values.len() != 1),
        Property::ConstantSum { sum } => {
            let is_one = goals.iter().all(|values| values.len() == 1);
            let total: i128 = goals.iter().flatten().map(|&it| i128::from(it)).sum();
            is_over && is_one && total != *sum
        }
        Property::Terminating { .. } => states[..states.len() - 1].contains(state),
        Property::AtMostOne { pattern } => {
            let held: Vec<FluentId> = state.fluents().collect();
            let texts: Vec<String> = held.into_iter().map(|it| rules.fluent_text(it)).collect();
            let keys = texts
                .iter()
                .filter_map(|text| pattern.split(" | ").find_map(|pattern| key(pattern, text)));
            let mut seen = HashSet::new();
            keys.filter(|key| !seen.insert(key.clone())).count() > 0
        }
        _ => return Ok(None),
    }))
}

/// Longer matches are given up.
const LONGEST: u64 = 400;

/// Plays matches of a game until so many states were met, none of which violates what is proved.
fn play(game: &mut shared::Game, found: &Analysis, wanted: usize) {
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
}

/// Replays the refutations of a game, and counts them by property.
fn replay(game: &shared::Game, found: &Analysis, counts: &mut [usize; 6]) {
    let limits = Limits { time: Some(Duration::from_secs(5)), ..Limits::default() };
    let mut rules = InterpretedReasoner::new(&game.description, limits).expect("rules");
    for finding in &found.findings {
        let Verdict::Refuted { moves } = &finding.verdict else { continue };
        let states = replayed(&mut rules, moves);
        let violated = is_violated(&finding.property, &mut rules, &states);
        let violated = violated.expect("a state of this game");
        assert_ne!(violated, Some(false), "{}: {finding:?}", game.name);
        let place = match finding.property {
            Property::TurnTaking => 0,
            Property::Playable => 1,
            Property::OneGoal => 2,
            Property::ConstantSum { .. } => 3,
            Property::Terminating { .. } => 4,
            _ => 5,
        };
        counts[place] += usize::from(violated.is_some());
    }
}

/// Analyses games, each so long, and plays matches of each until so many states were met.
fn check(games: impl Iterator<Item = shared::Game>, time: Duration, states: usize) {
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
    check(shared::corpus(), Duration::from_millis(500), 4_000);
}

#[needs(games)]
#[test]
fn verdicts_on_public_games_hold_in_matches() {
    check(shared::public(6_000, 2), Duration::from_millis(300), 4_000);
}

#[test]
#[ignore = "slow: many minutes"]
fn verdicts_on_all_public_games_hold_in_a_million_states() {
    check(shared::public(u64::MAX, 1), Duration::from_secs(3), 5_200);
}
