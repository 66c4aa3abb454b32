//! Games of marks in a row: tic-tac-toe and connect four, of any size.

use super::super::pieces::{board, chain, lines, two_players};
use super::super::{Family, Parameter, Values};

/// Tic-tac-toe on a board of any size.
pub(in super::super) const TIC_TAC_TOE: Family = Family {
    name: "tic_tac_toe",
    summary: "Two players mark the cells of a board in turn; so many in a line win.",
    parameters: &[
        Parameter::new("width", 3, (2, 100), "columns of the board"),
        Parameter::new("height", 3, (2, 100), "rows of the board"),
        Parameter::new("in_a_row", 3, (2, 100), "marks in a line that win"),
    ],
    conflict: too_long,
    body: tic_tac_toe,
};

/// Connect four on a board of any size.
pub(in super::super) const CONNECT_FOUR: Family = Family {
    name: "connect_four",
    summary: "Two players drop discs into the columns of a board; so many in a line win.",
    parameters: &[
        Parameter::new("width", 7, (2, 100), "columns of the board"),
        Parameter::new("height", 6, (2, 100), "rows of the board"),
        Parameter::new("in_a_row", 4, (2, 100), "discs in a line that win"),
    ],
    conflict: too_long,
    body: connect_four,
};

fn too_long(values: &Values<'_>) -> Option<String> {
    let (longest, wanted) = (values.get("width").max(values.get("height")), values.get("in_a_row"));
    (wanted > longest)
        .then(|| format!("in_a_row is {wanted}, but no line of the board is longer than {longest}"))
}

fn tic_tac_toe(values: &Values<'_>) -> String {
    let board = board(values.get("width"), values.get("height"));
    format!(
        "{players}\n{board}{MARKING}\n{lines}",
        players = two_players("cross", "nought"),
        lines = lines(values.get("in_a_row")),
    )
}

const MARKING: &str = include_str!("../rules/marking.rules");

fn connect_four(values: &Values<'_>) -> String {
    let (width, height) = (values.get("width"), values.get("height"));
    format!(
        "{players}\n{board}\n{levels}{DROPPING}\n{lines}",
        players = two_players("yellow", "red"),
        board = board(width, height),
        levels = chain("above", 1, height + 1),
        lines = lines(values.get("in_a_row")),
    )
}

const DROPPING: &str = include_str!("../rules/dropping.rules");
