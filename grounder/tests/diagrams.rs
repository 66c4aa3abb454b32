//! Games with conditions that no table can hold.

use std::time::{Duration, Instant};

use groundfrog::GroundError;
use groundfrog::compact::Passes;
use groundfrog::ground::{Grounding, ground};
use groundfrog::options::{GroundOptions, Limits};
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::{GroundReasoner, Reasoner, State, Vocabulary};
use groundfrog_testing::{change_ringing, description, needs, read_game};

fn grounded(
    text: &(impl AsRef<[u8]> + ?Sized),
    options: &GroundOptions,
) -> Result<Grounding, GroundError> {
    ground(&description(text), options, &mut Silent)
}

/// A reasoner for the compact game.
fn compact(text: &(impl AsRef<[u8]> + ?Sized)) -> GroundReasoner {
    groundfrog_testing::reasoner(&groundfrog_testing::grounded(text, &GroundOptions::compact()))
}

/// The state of some fluents: whether it is terminal, and its goal for the only role.
fn judged(reasoner: &mut GroundReasoner, fluents: impl Iterator<Item = String>) -> (bool, i64) {
    let find = |text: String| reasoner.find_fluent(&text).unwrap_or_else(|| panic!("{text}"));
    let state = State::of(fluents.map(find).collect::<Vec<_>>());
    let role = reasoner.role_ids().next().expect("a role");
    let goal = reasoner.goal(&state, role).expect("there is one");
    (reasoner.is_terminal(&state).expect("it can be told"), goal)
}

#[test]
fn nine_bells_ring_once_each() {
    let mut reasoner = compact(&change_ringing(9, 1));
    let mut goal = |bells: [u32; 9]| {
        let calls = (1..).zip(bells).map(|(place, bell)| format!("(called 1 {place} {bell})"));
        judged(&mut reasoner, calls)
    };
    assert_eq!(goal([3, 1, 4, 5, 9, 2, 6, 8, 7]), (true, 100));
    assert_eq!(goal([9, 8, 7, 6, 5, 4, 3, 2, 1]), (true, 100));
    assert_eq!(goal([3, 1, 4, 1, 5, 9, 2, 6, 5]), (true, 0));
    assert_eq!(goal([1, 2, 3, 4, 5, 6, 7, 8, 8]), (true, 0));
    let (is_terminal, goal) = judged(&mut reasoner, std::iter::once("(called 1 1 1)".to_owned()));
    assert_eq!((is_terminal, goal), (false, 0));
}

#[test]
fn the_flat_game_has_every_permutation() {
    let options = GroundOptions { simplify: false, ..GroundOptions::flat() };
    let factorial = |n: u32| (1..=n as usize).product::<usize>();
    for bells in [5, 8] {
        let grounding = grounded(&change_ringing(bells, 2), &options);
        let game = grounding.unwrap_or_else(|error| panic!("{error}")).game;
        let squares = 2 * bells as usize * bells as usize;
        // Calls are legal, are made and stay; a place is taken; it is free.
        let others = 4 * squares + 2 * (2 * bells as usize) + 4;
        assert_eq!(game.rules().len(), 2 * factorial(bells) + others);
    }
}

#[test]
fn limits_are_honoured_while_diagrams_are_made() {
    let text = change_ringing(14, 1);
    for milliseconds in [0, 3, 10, 30] {
        let time = Duration::from_millis(milliseconds);
        let limits = Limits { time: Some(time), ..Limits::default() };
        let begin = Instant::now();
        let result = grounded(&text, &GroundOptions { limits, ..GroundOptions::compact() });
        // The whole takes longer than the least of these; where it is stopped, it is stopped soon.
        match result {
            Err(GroundError::Limit { .. }) => {
                let late = begin.elapsed().saturating_sub(time);
                assert!(late < Duration::from_secs(2), "{late:?} late");
            }
            Ok(_) => assert!(milliseconds > 3, "not stopped after {milliseconds} ms"),
            Err(error) => panic!("{error}"),
        }
    }
}

/// A square of digits: the same row shifted by three in a band and by one from band to band.
fn shifted(row: u32, column: u32) -> u32 {
    (row * 3 + row / 3 + column) % 9 + 1
}

#[needs(games)]
#[test]
fn the_known_sudoku_is_judged() {
    let text = read_game("sudoku.kif");
    let mut reasoner = compact(&text);
    let mut goal = |digit: &dyn Fn(u32, u32) -> u32| {
        let cells = (0..9).flat_map(|row| (0..9).map(move |column| (row, column)));
        let marks = cells.map(|(row, column)| {
            format!("(mark {} {} {})", row + 1, column + 1, digit(row, column))
        });
        judged(&mut reasoner, marks)
    };
    assert_eq!(goal(&shifted), (true, 100));
    assert_eq!(goal(&|row, column| shifted(column, row)), (true, 100));
    assert_eq!(goal(&|row, column| 10 - shifted(row, column)), (true, 100));
    // Rows and columns are right, squares are not.
    assert_eq!(goal(&|row, column| (row + column) % 9 + 1), (true, 0));
    // Rows and squares are right, columns are not; columns and squares are, rows are not.
    let in_rows = |row: u32, column: u32| (row % 3 * 3 + column) % 9 + 1;
    assert_eq!(goal(&in_rows), (true, 0));
    assert_eq!(goal(&|row, column| in_rows(column, row)), (true, 0));
    // One cell is wrong.
    for wrong in 0..81 {
        let digit = |row, column| {
            let is_wrong = (row, column) == (wrong / 9, wrong % 9);
            if is_wrong { shifted(row, column) % 9 + 1 } else { shifted(row, column) }
        };
        assert_eq!(goal(&digit), (true, 0), "cell {wrong}");
    }
}

#[test]
fn roles_and_the_first_state_may_follow_from_rules() {
    let numbers: String = (0..30).map(|it| format!("(number {it})")).collect();
    let text = |keyword: &str| {
        format!(
            "(role ann) (other ben) (<= (role ?r) (other ?r)) (<= (legal ?r wait) (role ?r)) {numbers}
            (start (on 1)) (<= (init ?f) (start ?f)) (init (on 2)) (<= terminal (true (on 1)))
            (<= (fits ?r ?a ?b ?c) (role ?r) (number ?a) (number ?b) (number ?c) {keyword})
            (<= (goal ?r 100) (true (on ?a)) (true (on ?b)) (true (on ?c)) (fits ?r ?a ?b ?c))"
        )
    };
    for keyword in ["(role ?r)", "(init (on ?a))"] {
        let rules = |passes| {
            let options = GroundOptions { passes, ..GroundOptions::flat() };
            let game = grounded(&text(keyword), &options).unwrap_or_else(|it| panic!("{it}")).game;
            groundfrog::emit::canonical::lines(&game).collect::<Vec<_>>()
        };
        let with = rules(Passes::FLAT);
        assert!(with.iter().any(|it| it.contains("(goal ben 100)")), "{with:?}");
        assert_eq!(with, rules(Passes::NONE));
    }
}
