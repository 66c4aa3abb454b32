//! `analyse` against brute force on generated games: what is proved holds in every state that play can reach, by rules with variables, and
//! what is refuted has a match that shows it.
//!
//! Seeds come from the clock and are printed; `GROUNDFROG_SEED` gives the first one, `GROUNDFROG_SEEDS` how many games there are.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use groundfrog::{GroundOptions, RoleId};
use groundfrog_corpus::random_rough_game;
use groundfrog_knowledge::{AnalysisOptions, Finding, Property, Verdict, analyse};
use groundfrog_reasoner::{InterpretedReasoner, MoveId, Reasoner, State, Vocabulary};
use groundfrog_testing::{grounded, interpreted, reasoner};

/// Games with more states or joint moves are left out.
const MOST_STATES: usize = 250;
const MOST_MOVES: usize = 1000;
/// Most of these games are decided much sooner.
const TIME: Duration = Duration::from_millis(200);

/// A number from the environment.
fn given(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// A state as rules with variables see it.
pub(super) struct Seen {
    fluents: Vec<String>,
    is_over: bool,
    /// By role: legal moves.
    choices: Vec<usize>,
    /// By player: goals.
    goals: Vec<Vec<i64>>,
    /// Joint moves, and where they lead.
    next: Vec<(Vec<MoveId>, usize)>,
}

/// The sum of the goals, where each role has one.
fn sum_of(goals: &[Vec<i64>]) -> Option<i128> {
    goals.iter().map(|it| if let [one] = it[..] { Some(i128::from(one)) } else { None }).sum()
}

impl Seen {
    /// A state of which nothing is known yet that follows, and the legal moves of each role.
    pub(super) fn new(rules: &mut InterpretedReasoner, state: &State) -> (Self, Vec<Vec<MoveId>>) {
        let mut fluents = rules.state_text(state).expect("a state of this game");
        fluents.sort();
        let is_over = rules.is_terminal(state).expect("a state of this game");
        let (mut moves, mut goals) = (Vec::new(), Vec::new());
        for role in rules.role_ids() {
            let (mut legal, mut values) = (Vec::new(), Vec::new());
            rules.legal_moves(state, role, &mut legal).expect("a state of this game");
            moves.push(legal);
            if Some(role) != rules.chance_role() {
                rules.goal_values(state, role, &mut values).expect("a state of this game");
                goals.push(values);
            }
        }
        let choices = moves.iter().map(Vec::len).collect();
        (Seen { fluents, is_over, choices, goals, next: Vec::new() }, moves)
    }
}

/// All states that play can reach, unless they are too many.
fn explored(rules: &mut InterpretedReasoner) -> Option<Vec<Seen>> {
    let mut states = vec![rules.initial().clone()];
    let mut all: Vec<Seen> = Vec::new();
    let mut count = 0;
    while all.len() < states.len() {
        let state = states[all.len()].clone();
        let (mut seen, moves) = Seen::new(rules, &state);
        let mut joint: Vec<Vec<MoveId>> = vec![Vec::new()];
        for legal in &moves {
            let with = |made: &Vec<MoveId>, it: MoveId| [&made[..], &[it]].concat();
            joint = joint.iter().flat_map(|made| legal.iter().map(|&it| with(made, it))).collect();
        }
        for made in joint.into_iter().filter(|_| !seen.is_over) {
            let mut after = State::default();
            rules.next_state(&state, &made, &mut after).expect("legal moves");
            let number = states.iter().position(|it| *it == after).unwrap_or(states.len());
            if number == states.len() {
                states.push(after);
            }
            seen.next.push((made, number));
            count += 1;
            if count > MOST_MOVES || states.len() > MOST_STATES {
                return None;
            }
        }
        all.push(seen);
    }
    Some(all)
}

/// What a text has at the places of a pattern that tell groups apart, `_`; none if it does not fit.
fn key(pattern: &str, text: &str) -> Option<Vec<String>> {
    let words = |text: &str| -> Vec<String> {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        spaced.split_whitespace().map(str::to_owned).collect()
    };
    let (pattern, text) = (words(pattern), words(text));
    let fits = |(hole, word): (&String, &String)| hole == "*" || hole == "_" || hole == word;
    let is_fit = pattern.len() == text.len() && pattern.iter().zip(&text).all(fits);
    let key = pattern.iter().zip(text).filter(|(hole, _)| *hole == "_").map(|it| it.1);
    is_fit.then(|| key.collect())
}

/// By key of a pattern with several forms: the values that hold.
fn groups(pattern: &str, state: &Seen) -> BTreeMap<Vec<String>, BTreeSet<String>> {
    let mut found: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
    for fluent in &state.fluents {
        if let Some(key) = pattern.split(" | ").find_map(|it| key(it, fluent)) {
            found.entry(key).or_default().insert(fluent.clone());
        }
    }
    found
}

/// Whether a property fails in a state, or by a joint move made there; none if this is not about single states.
pub(super) fn fails(property: &Property, all: &[Seen], number: usize) -> Option<bool> {
    let state = &all[number];
    let groups_here = |pattern: &str| groups(pattern, state);
    Some(match property {
        Property::AtMostOne { pattern } => groups_here(pattern).values().any(|it| it.len() > 1),
        Property::ExactlyOne { pattern } => {
            // Every key that ever holds something.
            let keys: BTreeSet<Vec<String>> =
                all.iter().flat_map(|it| groups(pattern, it).into_keys()).collect();
            let here = groups_here(pattern);
            keys.iter().any(|key| here.get(key).is_none_or(|it| it.len() != 1))
        }
        Property::TurnTaking => {
            !state.is_over && state.choices.iter().filter(|&&it| it > 1).count() > 1
        }
        Property::Playable => !state.is_over && state.choices.contains(&0),
        Property::OneGoal => state.is_over && state.goals.iter().any(|it| it.len() != 1),
        Property::ConstantSum { sum } => {
            state.is_over && sum_of(&state.goals).is_some_and(|it| it != *sum)
        }
        Property::Permanent { pattern } => {
            let held = state.fluents.iter().filter(|it| key(pattern, it).is_some());
            let held: Vec<&String> = held.collect();
            let mut next = state.next.iter().map(|it| &all[it.1].fluents);
            next.any(|next| held.iter().any(|it| !next.contains(it)))
        }
        Property::Monotone { pattern, every_move: true } => {
            let next = state.next.iter().map(|it| &all[it.1]);
            let here = groups_here(pattern);
            next.clone().any(|next| groups(pattern, next) == here)
        }
        _ => return None,
    })
}

/// By state: the length of the longest match from there; none where play may go round.
fn longest(all: &[Seen]) -> Vec<Option<u64>> {
    let mut found = vec![None; all.len()];
    loop {
        let mut is_changed = false;
        for number in 0..all.len() {
            let next = all[number].next.iter().map(|it| found[it.1]);
            let length: Option<Vec<u64>> = next.collect();
            if found[number].is_none()
                && let Some(lengths) = length
            {
                found[number] = Some(lengths.into_iter().max().map_or(0, |it| it + 1));
                is_changed = true;
            }
        }
        if !is_changed {
            return found;
        }
    }
}

/// Whether the values of a pattern come back after they have changed.
fn comes_back(pattern: &str, all: &[Seen]) -> bool {
    let values: Vec<_> = all.iter().map(|it| groups(pattern, it)).collect();
    let keys: BTreeSet<_> = values.iter().flat_map(|it| it.keys().cloned()).collect();
    keys.iter().any(|key| {
        (0..all.len()).any(|first| {
            // What is reached from where the value is another one.
            let value = |state: usize| values[state].get(key);
            let (mut left, mut met) = (vec![(first, false)], BTreeSet::new());
            while let Some((state, has_changed)) = left.pop() {
                let has_changed = has_changed || value(state) != value(first);
                if has_changed && value(state) == value(first) {
                    return true;
                }
                if met.insert((state, has_changed)) {
                    left.extend(all[state].next.iter().map(|it| (it.1, has_changed)));
                }
            }
            false
        })
    })
}

/// The states of a match.
fn replayed(rules: &mut InterpretedReasoner, all: &[Seen], moves: &[Vec<String>]) -> Vec<usize> {
    let mut states = vec![0];
    for joint in moves {
        let roles: Vec<RoleId> = rules.role_ids().collect();
        let made = roles.into_iter().zip(joint);
        let made: Vec<MoveId> =
            made.map(|(role, text)| rules.find_move(role, text).expect("a move")).collect();
        let here = &all[states[states.len() - 1]];
        states.push(here.next.iter().find(|it| it.0 == made).expect("legal moves").1);
    }
    states
}

/// Whether a verdict is so; what this test does not know how to tell is.
fn is_so(finding: &Finding, rules: &mut InterpretedReasoner, all: &[Seen]) -> bool {
    let property = &finding.property;
    match (&finding.verdict, property) {
        (Verdict::Unknown { .. }, _) => true,
        (Verdict::Proved, Property::Terminating { moves }) => {
            longest(all)[0].is_some_and(|it| moves.is_none_or(|most| it <= most))
        }
        (Verdict::Proved, _) => {
            let is_monotone = match property {
                Property::Monotone { pattern, .. } => !comes_back(pattern, all),
                _ => true,
            };
            is_monotone && (0..all.len()).all(|it| fails(property, all, it) != Some(true))
        }
        (Verdict::Refuted { moves }, _) => {
            let states = replayed(rules, all, moves);
            let (last, before) = states.split_last().expect("the initial state");
            match property {
                Property::Terminating { .. } => before.contains(last),
                Property::ConstantSum { sum } => {
                    all[*last].is_over && sum_of(&all[*last].goals).is_some_and(|it| it != *sum)
                }
                // The last joint move may be the one that shows it.
                _ => [Some(last), before.last()]
                    .into_iter()
                    .flatten()
                    .any(|&it| fails(property, all, it) != Some(false)),
            }
        }
    }
}

#[test]
fn verdicts_on_generated_games_are_what_brute_force_says() {
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs());
    let first = given("GROUNDFROG_SEED").unwrap_or_else(|| clock() * 1000);
    writeln!(std::io::stderr(), "analyse: GROUNDFROG_SEED={first}").expect("somewhere to print");
    let most = given("GROUNDFROG_SEEDS").unwrap_or(500);
    let (mut compared, mut counts) = (0, BTreeMap::new());
    let mut seed = first;
    while compared < most {
        let text = random_rough_game(seed);
        let mut rules = interpreted(&text);
        seed += 1;
        let Some(all) = explored(&mut rules) else { continue };
        compared += 1;
        let mut reasoner = reasoner(&grounded(&text, &GroundOptions::compact()));
        let options = AnalysisOptions { time: TIME, matches: 20, ..AnalysisOptions::default() };
        let found = analyse(&mut reasoner, &options).expect("rules that can be evaluated");
        for finding in &found.findings {
            let seed = seed - 1;
            assert!(
                is_so(finding, &mut rules, &all),
                "GROUNDFROG_SEED={seed} GROUNDFROG_SEEDS=1\n{text}\n{finding:?}"
            );
            let kind = format!("{:?}", finding.property);
            let kind = kind.split(' ').next().unwrap_or_default().to_owned();
            let [proved, refuted] = counts.entry(kind).or_insert([0, 0]);
            *proved += usize::from(finding.verdict == Verdict::Proved);
            *refuted += usize::from(matches!(finding.verdict, Verdict::Refuted { .. }));
        }
    }
    println!("proved and refuted: {counts:?}");
    // A few games by hand need not show it.
    if most >= 500 {
        for kind in ["Playable", "OneGoal", "ConstantSum", "Terminating", "TurnTaking"] {
            let [proved, refuted] = counts[kind];
            assert!(proved >= 5 && refuted >= 5, "{kind}: {counts:?}");
        }
    }
}
