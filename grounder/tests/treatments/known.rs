//! Known games on the textbook evaluator and on two threads.

use groundfrog::options::{Engine, GroundOptions};
use libtest_mimic::{Failed, Trial};

use crate::given;
use crate::support::{self, Known};

/// Games with more rules, and these, take the textbook evaluator longer than about a second.
const MOST_RULES_FOR_NAIVE: usize = 3000;
const SLOW_FOR_NAIVE: &[&str] = &[
    "colonelBlottoVariant",
    "colonelBlottoVariant2",
    "hanoi7_bugfix",
    "quad_5x5",
    "twisty-passages",
];

/// Games that take seconds on any number of threads.
const SLOW: &[&str] = &["crissrace", "skirmish", "skirmishFinal1", "skirmishHoles"];

/// Some games whose own base and input cover what one step finds.
const GIVEN: &[&str] = &[
    "atariGo_7x7",
    "beatMania",
    "connectFour",
    "dotsAndBoxes",
    "eightPuzzle",
    "futoshiki4",
    "knightsTour",
    "maze",
    "nonogram_5x5_1",
    "peg",
    "rubiksCube",
    "tron_10x10",
];

pub fn trials(games: Vec<Known>) -> Vec<Trial> {
    let of_game = |game: Known| {
        let naive = GroundOptions { engine: Engine::Naive, ..GroundOptions::flat() };
        let two_threads = GroundOptions { threads: 2, ..GroundOptions::flat() };
        let name = game.name.as_str();
        let rules = game.expected.as_ref().map_or(0, |it| it.residual_rules);
        let is_small = rules <= MOST_RULES_FOR_NAIVE && !SLOW_FOR_NAIVE.contains(&name);
        let treatments =
            [("naive", naive, is_small), ("two_threads", two_threads, !SLOW.contains(&name))];
        treatments.into_iter().filter(|it| it.2).map(move |(label, options, _)| {
            let known = game.clone();
            Trial::test(format!("{}::{label}", game.name), move || as_expected(&known, &options))
        })
    };
    let has_given = |game: &Known| GIVEN.contains(&game.name.as_str());
    let given = games
        .clone()
        .into_iter()
        .filter(has_given)
        .map(|game| Trial::test(format!("{}::given", game.name), move || given::known(&game)));
    let listed = games.into_iter().filter(|game| game.expected.is_some());
    listed.flat_map(of_game).chain(given).collect()
}

fn as_expected(game: &Known, options: &GroundOptions) -> Result<(), Failed> {
    let expected = game.expected.as_ref().expect("only such games have tests");
    let text = std::fs::read(&game.path)?;
    let found = support::ground_text(&game.name, &text, options)?.game;
    support::same("residual", &support::canonical_sha256(&found), &expected.residual_sha256)?;
    support::same("base", &found.fluents().len(), &expected.base)?;
    support::same("input", &found.inputs().len(), &expected.input)
}
