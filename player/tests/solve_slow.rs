//! Solved values of larger games.

use groundfrog::{Description, GroundOptions, ParseOptions, Silent, ground};
use groundfrog_corpus::{Parameters, family, game};
use groundfrog_player::solve::{SolveOptions, solve};

fn values(text: &str) -> Vec<f64> {
    let description =
        Description::parse(text.as_bytes(), &ParseOptions::default()).expect("parses");
    let game = ground(&description, &GroundOptions::compact(), &mut Silent).expect("grounds").game;
    let solution = solve(game, &SolveOptions::default(), |_| {}).expect("can be played");
    solution.values.iter().map(|it| it.exact().expect("is decided")).collect()
}

fn generated(name: &str, parameters: &[(&str, u32)]) -> String {
    let given = parameters.iter().fold(Parameters::new(), |all, it| all.with(it.0, it.1));
    family(name).expect("a family").generate(&given).expect("in range")
}

#[test]
fn peg_solitaire_ends_in_the_middle() {
    assert_eq!(values(game("peg_solitaire").expect("is there").text), [100.0]);
}

#[test]
fn nobody_wins_on_small_boards() {
    let line = [("width", 4), ("height", 4), ("in_a_row", 4)];
    assert_eq!(values(&generated("tic_tac_toe", &line)), [50.0, 50.0]);
    for height in [4, 5] {
        let board = [("width", 5), ("height", height)];
        assert_eq!(values(&generated("connect_four", &board)), [50.0, 50.0]);
    }
}

#[test]
fn the_second_wins_connect_four_on_six_low_columns() {
    let board = [("width", 6), ("height", 4)];
    assert_eq!(values(&generated("connect_four", &board)), [0.0, 100.0]);
}

#[test]
fn the_second_wins_breakthrough_on_three_columns() {
    let board = [("width", 3), ("height", 5)];
    assert_eq!(values(&generated("breakthrough", &board)), [0.0, 100.0]);
}
