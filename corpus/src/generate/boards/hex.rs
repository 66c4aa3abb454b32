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

const RULES: &str = "
; Three of a cell's six neighbours; the other three by symmetry.
(<= (borders ?x ?y ?u ?y)
    (next_x ?x ?u)
    (y ?y))
(<= (borders ?x ?y ?x ?v)
    (x ?x)
    (next_y ?y ?v))
(<= (borders ?x ?v ?u ?y)
    (next_x ?x ?u)
    (next_y ?y ?v))
(<= (adjacent ?x ?y ?u ?v)
    (borders ?x ?y ?u ?v))
(<= (adjacent ?x ?y ?u ?v)
    (borders ?u ?v ?x ?y))

(<= (taken ?x ?y)
    (true (stone ?x ?y ?p)))

(<= (legal ?p (place ?x ?y))
    (true (control ?p))
    (x ?x)
    (y ?y)
    (not (taken ?x ?y)))

(<= (next (stone ?x ?y ?p))
    (does ?p (place ?x ?y)))
(<= (next (stone ?x ?y ?p))
    (true (stone ?x ?y ?p)))

; The stones that are connected with the player's first edge.
(<= (connected ?p ?x ?y)
    (source ?p ?x ?y)
    (true (stone ?x ?y ?p)))
(<= (connected ?p ?u ?v)
    (connected ?p ?x ?y)
    (adjacent ?x ?y ?u ?v)
    (true (stone ?u ?v ?p)))
(<= (bridge ?p)
    (target ?p ?x ?y)
    (connected ?p ?x ?y))

(<= terminal
    (bridge ?p))

(<= (goal ?p 100)
    (bridge ?p))
(<= (goal ?p 0)
    (role ?p)
    (not (bridge ?p)))
";
