//! Hex on a board of any size.

use super::super::pieces::{board, two_players};
use super::super::{Family, Parameter, Values, no_conflict};

/// Hex, whose connections are a recursive predicate over the state.
pub(in super::super) const HEX: Family = Family {
    name: "hex",
    summary: "Two players fill a rhombus of hexagons; each wants to connect its two edges.",
    parameters: &[Parameter::new("size", 5, (2, 40), "cells on each edge")],
    conflict: no_conflict,
    body,
};

fn body(values: &Values<'_>) -> String {
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
{RULES}",
        players = two_players("blue", "orange"),
        board = board(size, size),
    )
}

const RULES: &str = include_str!("../rules/hex.rules");
