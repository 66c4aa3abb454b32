//! Breakthrough on a board of any size.

use super::super::pieces::{board, two_players};
use super::super::{Family, Parameter, Values, no_conflict};

/// Breakthrough; each side starts with two rows of pawns.
pub(in super::super) const BREAKTHROUGH: Family = Family {
    name: "breakthrough",
    summary: "Pawns step forward and capture diagonally; the first one on the far row wins.",
    parameters: &[
        Parameter::new("width", 8, (2, 60), "columns of the board"),
        Parameter::new("height", 8, (4, 60), "rows of the board, four of which start full"),
    ],
    conflict: no_conflict,
    body,
};

fn body(values: &Values<'_>) -> String {
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
{RULES}",
        players = two_players("white", "black"),
        board = board(values.get("width"), height),
    )
}

const RULES: &str = include_str!("../rules/breakthrough.rules");
