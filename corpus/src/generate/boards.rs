//! Board games for two players that move in turn.

use super::pieces::{board, chain, each, lines, two_players};
use super::{Family, Parameter, Values};

// Breakthrough on a board of any size.

/// Breakthrough; each side starts with two rows of pawns.
pub(super) const BREAKTHROUGH: Family = Family {
    name: "breakthrough",
    summary: "Pawns step forward and capture diagonally; the first one on the far row wins.",
    parameters: &[
        Parameter::new("width", 8, (2, 60), "columns of the board"),
        Parameter::new("height", 8, (4, 60), "rows of the board, four of which start full"),
    ],
    conflict: |_| None,
    body: |values| {
        let height = values.get("height");
        let second_last = height - 1;
        format!(
            "{players}\n{board}
(start white 1)
(start white 2)
(start black {second_last})
(start black {height})
(finish white {height})
(finish black 1)
{BREAKTHROUGH_RULES}",
            players = two_players("white", "black"),
            board = board(values.get("width"), height),
        )
    },
};

const BREAKTHROUGH_RULES: &str = include_str!("rules/breakthrough.rules");

// Hex on a board of any size.

/// Hex, whose connections are a recursive predicate over the state.
pub(super) const HEX: Family = Family {
    name: "hex",
    summary: "Two players fill a rhombus of hexagons; each wants to connect its two edges.",
    parameters: &[Parameter::new("size", 5, (2, 40), "cells on each edge")],
    conflict: |_| None,
    body: |values| {
        let size = values.get("size");
        format!(
            "{players}\n{board}
(<= (source blue 1 ?y)
    (y ?y))
(<= (source orange ?x 1)
    (x ?x))
(<= (target blue {size} ?y)
    (y ?y))
(<= (target orange ?x {size})
    (x ?x))
{HEX_RULES}",
            players = two_players("blue", "orange"),
            board = board(size, size),
        )
    },
};

const HEX_RULES: &str = include_str!("rules/hex.rules");

// Games of marks in a row: tic-tac-toe and connect four, of any size.

/// Tic-tac-toe on a board of any size.
pub(super) const TIC_TAC_TOE: Family = Family {
    name: "tic_tac_toe",
    summary: "Two players mark the cells of a board in turn; so many in a line win.",
    parameters: &[
        Parameter::new("width", 3, (2, 100), "columns of the board"),
        Parameter::new("height", 3, (2, 100), "rows of the board"),
        Parameter::new("in_a_row", 3, (2, 100), "marks in a line that win"),
    ],
    conflict: too_long,
    body: |values| {
        let board = board(values.get("width"), values.get("height"));
        format!(
            "{players}\n{board}{MARKING}\n{lines}",
            players = two_players("cross", "nought"),
            lines = lines(values.get("in_a_row")),
        )
    },
};

/// Connect four on a board of any size.
pub(super) const CONNECT_FOUR: Family = Family {
    name: "connect_four",
    summary: "Two players drop discs into the columns of a board; so many in a line win.",
    parameters: &[
        Parameter::new("width", 7, (2, 100), "columns of the board"),
        Parameter::new("height", 6, (2, 100), "rows of the board"),
        Parameter::new("in_a_row", 4, (2, 100), "discs in a line that win"),
    ],
    conflict: too_long,
    body: |values| {
        let (width, height) = (values.get("width"), values.get("height"));
        format!(
            "{players}\n{board}\n{levels}{DROPPING}\n{lines}",
            players = two_players("yellow", "red"),
            board = board(width, height),
            levels = chain("above", 1, height + 1),
            lines = lines(values.get("in_a_row")),
        )
    },
};

fn too_long(values: &Values<'_>) -> Option<String> {
    let (longest, wanted) = (values.get("width").max(values.get("height")), values.get("in_a_row"));
    (wanted > longest)
        .then(|| format!("in_a_row is {wanted}, but no line of the board is longer than {longest}"))
}

const MARKING: &str = include_str!("rules/marking.rules");

const DROPPING: &str = include_str!("rules/dropping.rules");

// Nim with any number of heaps.

/// Nim; all heaps start with the same number of objects.
pub(super) const NIM: Family = Family {
    name: "nim",
    summary: "Two players take any number of objects from one heap; the last object wins.",
    parameters: &[
        Parameter::new("heaps", 3, (1, 100), "heaps at the beginning"),
        Parameter::new("objects", 5, (1, 200), "objects in each heap"),
    ],
    conflict: |_| None,
    body: |values| {
        let objects = values.get("objects");
        format!(
            "{players}\n{heaps}\n{numbers}
(<= (init (heap ?h {objects}))
    (heap ?h))
{NIM_RULES}",
            players = two_players("first", "second"),
            heaps = each("heap", (1..=values.get("heaps")).map(|n| format!("h{n}"))),
            numbers = chain("succ", 0, objects),
        )
    },
};

const NIM_RULES: &str = include_str!("rules/nim.rules");
