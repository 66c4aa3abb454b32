//! Puzzles that come apart are solved by their parts, and what is found holds by the rules of the whole.

use std::sync::Arc;
use std::time::{Duration, Instant};

use groundfrog::Limits;
use groundfrog_player::StrategyKind;
use groundfrog_player::search::Auto;
use groundfrog_player::solve::{Solution, SolveMethod, SolveOptions};
use groundfrog_player::strategy::{Strategy as _, StrategyOptions};
use groundfrog_reasoner::{InterpretedReasoner, Reasoner, State, Vocabulary as _};
use groundfrog_testing::words;

use super::{described, own};

/// Twice what the parts of these puzzles need.
const STATES: u64 = 3_000_000;

/// Where the gap is goes on to hold while nothing is slid.
const STANDING_GAP: &str = "(<= slid (does slider (slide ?x ?y)))
    (<= (next (tile ?x ?y gap)) (true (tile ?x ?y gap)) (not slid))";

/// Peg solitaire after eight jumps, by column: the rows that have a peg.
const PEGS: [&[u32]; 7] =
    [&[3, 5], &[3, 5], &[1, 2, 3, 4, 5, 6, 7], &[1, 2, 3, 5, 7], &[1, 2, 3, 5, 6, 7], &[], &[3, 4]];

/// The rules of a puzzle with other names; its legal moves, its moves, ends and goals become predicates of its own.
fn renamed(text: &str, mark: &str) -> String {
    let lines = text.lines().map(|it| it.split(';').next().unwrap_or_default());
    let text: String = lines.collect::<Vec<&str>>().join("\n");
    let (_, rest) = text.split_once("(role ").expect("a role");
    let role = rest.split_once(')').expect("a role").0.to_owned();
    words(&text.replace(&format!("(role {role})"), ""), |word| match word {
        "init" | "true" | "next" | "or" | "and" | "not" | "distinct" | "<=" => word.to_owned(),
        _ if word == role => "solver".to_owned(),
        _ if word.starts_with('?') || word.parse::<i64>().is_ok() => word.to_owned(),
        _ => format!("{mark}_{word}"),
    })
}

/// Two puzzles of which one or the other is gone on with by each move, until both are over.
fn side_by_side(one: &str, other: &str) -> String {
    let moves = |mark: &str| {
        format!(
            "(<= (legal solver ?m) ({mark}_legal solver ?m) (not {mark}_terminal))
             (<= ({mark}_does solver ?m) (does solver ?m))
             (<= (goal solver 0) ({mark}_goal solver 0))"
        )
    };
    format!(
        "(role solver) {} {} {} {} (<= terminal a_terminal b_terminal)
         (<= (goal solver 100) (a_goal solver 100) (b_goal solver 100))",
        renamed(one, "a"),
        renamed(other, "b"),
        moves("a"),
        moves("b")
    )
}

fn eight_puzzle() -> String {
    format!("{}\n{STANDING_GAP}", own("eight_puzzle"))
}

fn peg_solitaire() -> String {
    let (before, rest) = own("peg_solitaire").split_once("(<= (init").expect("pegs");
    let (_, rest) = rest.split_once("(at 4 4)))").expect("the rule ends");
    let pegs = PEGS.iter().zip(1..).flat_map(|(rows, column)| {
        rows.iter().map(move |row| format!("(init (peg {column} {row}))"))
    });
    format!("{before}{}{rest}", pegs.collect::<String>())
}

fn solved(text: &str, parts: bool, states: u64) -> Solution {
    super::solved(text, &SolveOptions { states, parts, ..SolveOptions::default() })
}

/// The goal at the end of a line of moves, by rules with variables.
fn goal_after(text: &str, line: &[Vec<String>]) -> i64 {
    let mut reasoner =
        InterpretedReasoner::new(&described(text), Limits::default()).expect("can be interpreted");
    let role = reasoner.role_ids().next().expect("a role");
    let (mut state, mut next) = (reasoner.initial().clone(), State::default());
    for made in line {
        assert!(!reasoner.is_terminal(&state).expect("is known"), "the match goes on");
        let mut legal = Vec::new();
        reasoner.legal_moves(&state, role, &mut legal).expect("is known");
        let made = reasoner.find_move(role, &made[0]).expect("a move");
        assert!(legal.contains(&made), "the move is legal");
        reasoner.next_state(&state, &[made], &mut next).expect("is legal");
        std::mem::swap(&mut state, &mut next);
    }
    assert!(reasoner.is_terminal(&state).expect("is known"), "the match is over");
    reasoner.goal(&state, role).expect("one goal")
}

#[test]
fn what_the_whole_is_too_large_for_is_solved_by_parts() {
    let text = side_by_side(&eight_puzzle(), &peg_solitaire());
    let parts = solved(&text, true, STATES);
    println!("{} states, {} moves", parts.states, parts.line.len());
    assert_eq!(parts.method, SolveMethod::Parts, "{parts:?}");
    assert_eq!(parts.values[0].exact(), Some(100.0));
    assert_eq!(goal_after(&text, &parts.line), 100);
    // The whole has come to no end in as many states.
    let whole = solved(&text, false, parts.states);
    assert!(!whole.is_decided(), "{} states", whole.states);
}

#[test]
fn a_player_follows_a_plan_by_parts() {
    let text = side_by_side(&eight_puzzle(), &peg_solitaire());
    let rules = Arc::new(described(&text));
    let options = StrategyOptions { most: Some(STATES), ..StrategyOptions::default() };
    let mut auto = Auto::new(StrategyKind::Auto, rules, "solver", options);
    let later = || Instant::now() + Duration::from_secs(300);
    auto.prepare(later()).expect("can be played");
    let first = auto.choose(later()).expect("there is a move");
    assert_eq!((first.value, first.proven), (Some(100.0), true), "{first:?}");
    assert_eq!(goal_after(&text, &first.line), 100);
}

#[test]
fn what_a_part_cannot_reach_the_whole_cannot() {
    // With two tiles exchanged the sliding puzzle has no solution; both may be given up.
    let exchanged = eight_puzzle().replace("(tile 1 1 8)", "(tile 1 1 6)");
    let exchanged = exchanged.replacen("(tile 2 1 6)", "(tile 2 1 8)", 1);
    let text = format!(
        "{} (init going) (<= (legal solver stop) (true going))
         (<= (next going) (true going) (not (does solver stop)))
         (<= terminal (not (true going)))
         (<= (goal solver 60) (b_goal solver 100) (a_goal solver 0))",
        side_by_side(&exchanged, own("lights_out"))
            .replace("(<= terminal a_terminal b_terminal)", "")
            .replace("(<= (goal solver 0) (a_goal solver 0))", "")
    );
    let parts = solved(&text, true, STATES);
    assert_eq!((parts.values[0].exact(), parts.method), (Some(60.0), SolveMethod::Parts));
    assert_eq!(goal_after(&text, &parts.line), 60);
    println!("{} states", parts.states);
    let whole = solved(&text, false, parts.states);
    assert!(!whole.is_decided(), "{} states", whole.states);
}
