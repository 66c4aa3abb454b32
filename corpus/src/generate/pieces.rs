//! Pieces of text that several families share.

use std::fmt::Display;

/// Facts `(name 1 2)`, `(name 2 3)` and so on up to `last`.
pub(super) fn chain(name: &str, first: u32, last: u32) -> String {
    (first..last).map(|n| format!("({name} {n} {})\n", n + 1)).collect()
}

/// Facts `(name value)`, one for each value.
pub(super) fn each<T: Display>(name: &str, values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|value| format!("({name} {value})\n")).collect()
}

/// Two roles that move in turn: `control` says whose turn it is, the other one has `noop`.
pub(super) fn two_players(first: &str, second: &str) -> String {
    let rules = include_str!("rules/two_players.rules");
    rules.replace("FIRST", first).replace("SECOND", second)
}

/// The end of a game of lines: `line` holds for the player with so many marks one after the other in
/// one of four directions, and gives `terminal` and `goal`.
///
/// The rules need `room`, `(next_x a b)`, `(next_y a b)`, `(x a)`, `(y a)` and `(true (mark x y player))`.
pub(super) fn lines(in_a_row: u32) -> String {
    let rules = include_str!("rules/lines.rules");
    let longer = chain("longer", 1, in_a_row);
    rules.replace("LONGER\n", &longer).replace("IN_A_ROW", &in_a_row.to_string())
}

/// The orders and sets of coordinates of a board: `next_x`, `next_y`, `x` and `y`.
pub(super) fn board(width: u32, height: u32) -> String {
    [
        chain("next_x", 1, width),
        chain("next_y", 1, height),
        each("x", 1..=width),
        each("y", 1..=height),
    ]
    .join("\n")
}
