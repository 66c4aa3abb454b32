//! Every refutation is a match: played by the rules as they are written, with variables, it violates the property.

#[path = "support/shared.rs"]
mod shared;

use std::collections::HashSet;
use std::time::Duration;

use groundfrog::{Limits, RoleId};
use groundfrog_knowledge::{AnalysisOptions, Property, Verdict, analyse};
use groundfrog_needs::needs;
use groundfrog_reasoner::{
    FluentId, InterpretedReasoner, MoveId, Reasoner, ReasonerError, State, Vocabulary,
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

#[needs(games)]
#[test]
fn every_refutation_replays() {
    let mut checked = [0; 6];
    for mut game in shared::games(6_000, 2) {
        let options =
            AnalysisOptions { time: Duration::from_millis(300), ..AnalysisOptions::default() };
        let found = analyse(&mut game.rules, &options).expect("rules that can be evaluated");
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
            checked[place] += usize::from(violated.is_some());
        }
    }
    println!("replayed by property: {checked:?}");
    assert!(checked[0] > 3 && checked[3] > 3, "{checked:?}");
}
