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

const RULES: &str = "
(<= (init (pawn ?x ?y ?side))
    (x ?x)
    (y ?y)
    (start ?side ?y))

(<= (forward white ?y ?v)
    (next_y ?y ?v))
(<= (forward black ?y ?v)
    (next_y ?v ?y))
(<= (beside ?x ?u)
    (next_x ?x ?u))
(<= (beside ?x ?u)
    (next_x ?u ?x))

(<= (occupied ?x ?y)
    (true (pawn ?x ?y ?side)))

(<= (legal ?side (move ?x ?y ?x ?v))
    (true (control ?side))
    (true (pawn ?x ?y ?side))
    (forward ?side ?y ?v)
    (not (occupied ?x ?v)))
(<= (legal ?side (move ?x ?y ?u ?v))
    (true (control ?side))
    (true (pawn ?x ?y ?side))
    (forward ?side ?y ?v)
    (beside ?x ?u)
    (not (true (pawn ?u ?v ?side))))

(<= (touched ?x ?y)
    (does ?side (move ?x ?y ?u ?v)))
(<= (touched ?u ?v)
    (does ?side (move ?x ?y ?u ?v)))
(<= (next (pawn ?u ?v ?side))
    (does ?side (move ?x ?y ?u ?v)))
(<= (next (pawn ?x ?y ?side))
    (true (pawn ?x ?y ?side))
    (not (touched ?x ?y)))

(<= (has_pawn ?side)
    (true (pawn ?x ?y ?side)))
(<= (wins ?side)
    (finish ?side ?y)
    (true (pawn ?x ?y ?side)))
(<= (wins ?side)
    (opponent ?side ?other)
    (not (has_pawn ?other)))

(<= terminal
    (wins ?side))

(<= (goal ?side 100)
    (wins ?side))
(<= (goal ?side 0)
    (role ?side)
    (not (wins ?side)))
";
