//! Solved values of small games, and random games against exhaustive minimax.

use std::collections::HashMap;

use groundfrog::{Description, GroundOptions, ParseOptions, Silent, ground};
use groundfrog_corpus::{Parameters, family, game, random_game};
use groundfrog_player::solve::{Solution, SolveOptions, Undecided, solve};
use groundfrog_reasoner::{GroundReasoner, Reasoner, State};

fn solved(text: &str, options: &SolveOptions) -> Solution {
    let description =
        Description::parse(text.as_bytes(), &ParseOptions::default()).expect("parses");
    let game = ground(&description, &GroundOptions::compact(), &mut Silent).expect("grounds").game;
    solve(game, options, |_| {}).expect("can be played")
}

fn values(solution: &Solution) -> Vec<f64> {
    solution.values.iter().map(|it| it.exact().expect("is decided")).collect()
}

fn generated(name: &str, parameters: &[(&str, u32)]) -> String {
    let given = parameters.iter().fold(Parameters::new(), |all, it| all.with(it.0, it.1));
    family(name).expect("a family").generate(&given).expect("in range")
}

/// Plays a line and returns the goals at its end.
fn goals_after(text: &str, line: &[Vec<String>]) -> Vec<i64> {
    let description =
        Description::parse(text.as_bytes(), &ParseOptions::default()).expect("parses");
    let game = ground(&description, &GroundOptions::compact(), &mut Silent).expect("grounds").game;
    let mut reasoner = GroundReasoner::new(game).expect("can be played");
    let (mut state, mut next) = (reasoner.initial().clone(), State::default());
    for texts in line {
        let roles = reasoner.role_ids().zip(texts);
        let moves: Vec<_> =
            roles.map(|(role, it)| reasoner.find_move(role, it).expect("a move")).collect();
        reasoner.next_state(&state, &moves, &mut next).expect("is legal");
        std::mem::swap(&mut state, &mut next);
    }
    assert!(reasoner.is_terminal(&state).expect("known"), "the line ends the match");
    let roles = reasoner.role_ids();
    roles.map(|role| reasoner.goal(&state, role).expect("one goal")).collect()
}

#[test]
fn games_of_two_have_their_known_values() {
    let own = |name| game(name).expect("is there").text.to_string();
    let games = [
        ("tic-tac-toe", own("tictactoe"), [50.0, 50.0]),
        ("nim 1 3 5 7", own("nim"), [0.0, 100.0]),
        ("nim 3 times 2", generated("nim", &[("heaps", 3), ("objects", 2)]), [100.0, 0.0]),
        (
            "connect 4 on 4x4",
            generated("connect_four", &[("width", 4), ("height", 4)]),
            [50.0, 50.0],
        ),
        (
            "breakthrough 4x4",
            generated("breakthrough", &[("width", 4), ("height", 4)]),
            [0.0, 100.0],
        ),
        ("hex 3x3", generated("hex", &[("size", 3)]), [100.0, 0.0]),
    ];
    for (name, text, expected) in games {
        let solution = solved(&text, &SolveOptions::default());
        assert_eq!(values(&solution), expected, "{name}");
        assert!(solution.line_is_complete, "{name}");
        let goals: Vec<f64> =
            goals_after(&text, &solution.line).iter().map(|&it| it as f64).collect();
        assert_eq!(goals, expected, "{name}: the line leads to the value");
    }
}

#[test]
fn puzzles_are_solved_by_a_line() {
    let games = [
        ("blocks_world", 100),
        ("eight_puzzle", 100),
        ("knights_tour", 100),
        ("lights_out", 100),
        ("hanoi", 100),
        ("sudoku_four", 100),
        ("given_domains", 100),
    ];
    for (name, expected) in games {
        let text = game(name).expect("is there").text;
        let solution = solved(text, &SolveOptions::default());
        assert_eq!(values(&solution), [f64::from(expected)], "{name}");
        assert_eq!(goals_after(text, &solution.line), [i64::from(expected)], "{name}");
    }
}

#[test]
fn what_is_not_proven_is_undecided() {
    let own = |name| game(name).expect("is there").text.to_string();
    let simultaneous = solved(&own("rock_paper_scissors"), &SolveOptions::default());
    assert_eq!(simultaneous.undecided, Some(Undecided::Simultaneous));
    assert!(simultaneous.values.iter().all(|it| it.lower < it.upper));
    let watched = own("card_draw") + "(role watcher) (legal watcher wait) (goal watcher 0)";
    let hidden = solved(&watched, &SolveOptions::default());
    assert_eq!(hidden.undecided, Some(Undecided::ImperfectInformation));
    let few = SolveOptions { states: 100, ..SolveOptions::default() };
    let stopped = solved(&own("connect_four"), &few);
    assert_eq!(stopped.undecided, Some(Undecided::Budget));
    assert!(stopped.states <= 101, "{}", stopped.states);
}

#[test]
fn talking_pays_whatever_the_other_does() {
    let text = game("prisoners_dilemma").expect("is there").text;
    let solution = solved(text, &SolveOptions::default());
    for value in &solution.values {
        assert!(value.lower <= value.upper, "{value:?}");
    }
}

#[test]
fn small_memory_changes_no_value() {
    let text = generated("connect_four", &[("width", 4), ("height", 4)]);
    let small = SolveOptions { memory: 1 << 16, ..SolveOptions::default() };
    let solution = solved(&text, &small);
    assert_eq!(values(&solution), [50.0, 50.0]);
    assert!(solution.memory <= 1 << 16, "{}", solution.memory);
}

/// What a role can be sure of if the others know its move, or it knows theirs.
fn bound(
    reasoner: &mut GroundReasoner,
    state: &State,
    role: usize,
    knows: bool,
    memo: &mut HashMap<State, i64>,
) -> i64 {
    if let Some(&value) = memo.get(state) {
        return value;
    }
    let roles: Vec<_> = reasoner.role_ids().collect();
    if reasoner.is_terminal(state).expect("known") {
        return reasoner.goal(state, roles[role]).expect("one goal");
    }
    let mut joint = vec![Vec::new()];
    for &role in &roles {
        let mut legal = Vec::new();
        reasoner.legal_moves(state, role, &mut legal).expect("known");
        let longer = |it: &Vec<_>| {
            let it = it.clone();
            legal
                .iter()
                .map(move |&last| it.iter().copied().chain([last]).collect())
                .collect::<Vec<Vec<_>>>()
        };
        joint = joint.iter().flat_map(longer).collect();
    }
    let mut best: std::collections::BTreeMap<Vec<_>, i64> = std::collections::BTreeMap::new();
    for moves in joint {
        let mut next = State::default();
        reasoner.next_state(state, &moves, &mut next).expect("is legal");
        let value = bound(reasoner, &next, role, knows, memo);
        let mut key = moves.clone();
        if knows {
            key.remove(role);
        } else {
            key = vec![moves[role]];
        }
        let entry = best.entry(key).or_insert(value);
        *entry = if knows { value.max(*entry) } else { value.min(*entry) };
    }
    let values = best.into_values();
    let value = if knows { values.min() } else { values.max() }.expect("a move");
    memo.insert(state.clone(), value);
    value
}

#[test]
fn random_games_agree_with_exhaustive_minimax() {
    let mut decided = 0;
    for seed in 0..60 {
        let text = random_game(seed);
        let description =
            Description::parse(text.as_bytes(), &ParseOptions::default()).expect("parses");
        let game =
            ground(&description, &GroundOptions::compact(), &mut Silent).expect("grounds").game;
        if game.role_names().any(|it| it == "random") || text.contains("sees") {
            continue;
        }
        let mut reasoner = GroundReasoner::new(game.clone()).expect("can be played");
        let solution = solve(game, &SolveOptions::default(), |_| {}).expect("can be played");
        let root = reasoner.initial().clone();
        for role in 0..solution.values.len() {
            let value = &solution.values[role];
            let surely = bound(&mut reasoner, &root, role, false, &mut HashMap::new()) as f64;
            let at_most = bound(&mut reasoner, &root, role, true, &mut HashMap::new()) as f64;
            assert!(value.lower >= surely && value.upper <= at_most, "seed {seed}: {value:?}");
            assert!(value.lower <= value.upper, "seed {seed}: {value:?}");
            decided += u32::from(value.exact().is_some());
        }
    }
    assert!(decided > 20, "{decided} values are decided");
}
