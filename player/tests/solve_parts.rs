//! Puzzles that come apart are solved by their parts, and what is found holds by the rules of the whole.

#[path = "../../knowledge/tests/support/words.rs"]
mod words;

use groundfrog::{Description, GroundOptions, Limits, ParseOptions, Silent, ground};
use groundfrog_corpus::game;
use groundfrog_player::solve::{Solution, SolveMethod, SolveOptions, solve};
use groundfrog_reasoner::{InterpretedReasoner, Reasoner, State, Vocabulary as _};

use words::words;

/// More than the parts of these puzzles need, and less than the wholes do.
const STATES: u64 = 1_000_000;

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

fn corpus(name: &str) -> &'static str {
    game(name).expect("a game of the corpus").text
}

fn parsed(text: &str) -> Description {
    Description::parse(text.as_bytes(), &ParseOptions::default()).expect("parses")
}

fn solved(text: &str, parts: bool) -> Solution {
    let game = ground(&parsed(text), &GroundOptions::compact(), &mut Silent).expect("grounds").game;
    let options = SolveOptions { states: STATES, parts, ..SolveOptions::default() };
    solve(game, &options, |_| {}).expect("can be played")
}

/// The goal at the end of a line of moves, by rules with variables.
fn goal_after(text: &str, line: &[Vec<String>]) -> i64 {
    let mut reasoner =
        InterpretedReasoner::new(&parsed(text), Limits::default()).expect("can be interpreted");
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
    for (one, other) in [("eight_puzzle", "peg_solitaire"), ("peg_solitaire", "lights_out")] {
        let text = side_by_side(corpus(one), corpus(other));
        let whole = solved(&text, false);
        assert!(!whole.is_decided(), "{one} {other}: {} states", whole.states);
        let parts = solved(&text, true);
        println!("{one} {other}: {} states, {} moves", parts.states, parts.line.len());
        assert_eq!(parts.method, SolveMethod::Parts, "{one} {other}: {parts:?}");
        assert_eq!(parts.values[0].exact(), Some(100.0), "{one} {other}");
        assert_eq!(goal_after(&text, &parts.line), 100, "{one} {other}");
    }
}

#[test]
fn what_a_part_cannot_reach_the_whole_cannot() {
    // With two tiles exchanged the sliding puzzle has no solution; both may be given up.
    let exchanged = corpus("eight_puzzle").replace("(tile 1 1 8)", "(tile 1 1 6)");
    let exchanged = exchanged.replacen("(tile 2 1 6)", "(tile 2 1 8)", 1);
    let text = format!(
        "{} (init going) (<= (legal solver stop) (true going))
         (<= (next going) (true going) (not (does solver stop)))
         (<= terminal (not (true going)))
         (<= (goal solver 60) (b_goal solver 100) (a_goal solver 0))",
        side_by_side(&exchanged, corpus("lights_out"))
            .replace("(<= terminal a_terminal b_terminal)", "")
            .replace("(<= (goal solver 0) (a_goal solver 0))", "")
    );
    let parts = solved(&text, true);
    assert_eq!(parts.values[0].exact(), Some(60.0), "{parts:?}");
    assert_eq!(goal_after(&text, &parts.line), 60);
    assert!(!solved(&text, false).is_decided());
}
