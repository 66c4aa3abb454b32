//! Known games on the textbook evaluator and on two threads.

use groundfrog::options::{Engine, GroundOptions};
use libtest_mimic::{Failed, Trial};

use crate::given;
use crate::support::{self, Known};

/// Games that the textbook evaluator takes longer than about a second for.
const TOO_LARGE_FOR_NAIVE: &[&str] = &[
    "amazonsSuicide_10x10",
    "battlebrushes",
    "blobwars",
    "breakthrough",
    "breakthroughHoles",
    "breakthroughWalls",
    "cephalopodMicro",
    "checkers",
    "checkers-cylinder-mustjump",
    "checkers-mustjump",
    "checkers-suicide-cylinder-mustjump",
    "checkersBarrelNoKings",
    "checkersSmall",
    "checkersTiny",
    "checkersTorus",
    "checkersTorusNoKings",
    "chineseCheckers4",
    "chineseCheckers6",
    "colonelBlotto",
    "colonelBlottoVariant",
    "colonelBlottoVariant2",
    "crissrace",
    "crossers3",
    "cylinder-checkers",
    "god",
    "golden_rectangle",
    "hanoi7_bugfix",
    "hex",
    "kalaha5x2x3",
    "kalaha6x2x4",
    "kalaha_2009",
    "knightThrough",
    "knightfight",
    "linesOfAction",
    "mineClearingSmall",
    "othello-comp2007",
    "othelloSuicide",
    "pacman2p",
    "pacman3p",
    "pancakes88",
    "pawnToQueen",
    "quad",
    "quad_5x5",
    "quad_7x7",
    "quarto",
    "quartoSuicide",
    "queens",
    "queens12ug",
    "reversi",
    "shogi_ctk",
    "skirmish",
    "skirmishFinal1",
    "skirmishHoles",
    "skirmishNew",
    "speedChess",
    "sudokuGrade1",
    "sudokuGrade2",
    "sudokuGrade3",
    "sudokuGrade4",
    "sudokuGrade5",
    "sudokuGrade6E",
    "sudokuGrade6H",
    "tron_10x10",
    "ttcc4_2player",
    "tttcc4",
    "twisty-passages",
    "wargame01",
    "zhadu",
    "zombieAttack1PL6",
];

/// Games that take seconds on any number of threads.
const SLOW: &[&str] = &["crissrace", "skirmish", "skirmishFinal1", "skirmishHoles"];

/// Games whose own base and input cover what one step finds, with at most 300 000 flat rules over them.
const GIVEN: &[&str] = &[
    "2pffa_zerosum",
    "3pConnectFour",
    "amazonsSuicide_10x10",
    "atariGoVariant_7x7",
    "atariGo_7x7",
    "battlebrushes",
    "beatMania",
    "biddingTicTacToe_10coins",
    "blocker",
    "breakthrough",
    "breakthroughSuicideSmall",
    "breakthroughWalls",
    "cephalopodMicro",
    "chickentictactoe",
    "chineseCheckers1",
    "connectFour",
    "connectFourLarger",
    "connectFourSuicide",
    "connectFourSuicide_7x7",
    "dotsAndBoxes",
    "eightPuzzle",
    "englishDraughts",
    "escortLatch",
    "futoshiki4",
    "futoshiki6",
    "god",
    "gomoku_15x15",
    "gomoku_swap2_11x11",
    "gomoku_swap2_15x15",
    "hidato19",
    "hidato37",
    "kalaha5x2x3",
    "kalaha6x2x4",
    "knightsTour",
    "knightsTourLarge",
    "linesOfAction",
    "majorities",
    "maze",
    "nineBoardTicTacToe",
    "nonogram_5x5_1",
    "pancakes6",
    "pawnToQueen",
    "peg",
    "pegEuro",
    "queens06ug",
    "queens08lg",
    "queens12ug",
    "reversi",
    "rubiksCube",
    "shmup",
    "speedChess",
    "ticTacToe",
    "ticTacToeParallel",
    "ticTacToeSerial",
    "ticTicToe",
    "tictactoe_3player",
    "tron_10x10",
    "ttcc4_2player",
    "untwistycomplex2",
];

pub fn trials(games: Vec<Known>) -> Vec<Trial> {
    let treatments = [
        (
            "naive",
            GroundOptions { engine: Engine::Naive, ..GroundOptions::flat() },
            TOO_LARGE_FOR_NAIVE,
        ),
        ("two_threads", GroundOptions { threads: 2, ..GroundOptions::flat() }, SLOW),
    ];
    let of_game = |game: Known| {
        treatments.clone().map(|(name, options, left_out)| {
            let known = game.clone();
            (!left_out.contains(&known.name.as_str())).then(|| {
                Trial::test(format!("{}::{name}", game.name), move || as_expected(&known, &options))
            })
        })
    };
    let has_given = |game: &Known| GIVEN.contains(&game.name.as_str());
    let given = games
        .clone()
        .into_iter()
        .filter(has_given)
        .map(|game| Trial::test(format!("{}::given", game.name), move || given::known(&game)));
    let listed = games.into_iter().filter(|game| game.expected.is_some());
    listed.flat_map(of_game).flatten().chain(given).collect()
}

fn as_expected(game: &Known, options: &GroundOptions) -> Result<(), Failed> {
    let expected = game.expected.as_ref().expect("only such games have tests");
    let text = std::fs::read(&game.path)?;
    let found = support::ground_text(&game.name, &text, options)?.game;
    support::same("residual", &support::canonical_sha256(&found), &expected.residual_sha256)?;
    support::same("base", &found.fluents().len(), &expected.base)?;
    support::same("input", &found.inputs().len(), &expected.input)
}
