//! What generators have in common: numbers drawn from a seed, by SplitMix64, which is the same everywhere, and pieces of rules.

use std::fmt::Display;

/// The generator; its whole state is one number.
pub(crate) struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The generator that starts from a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which must not be 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub(super) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in so many of a hundred cases.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items, of which there must be some.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

// Pieces of text that several families share.

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
