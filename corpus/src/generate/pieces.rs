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
    format!(
        "\
(role {first})
(role {second})

(opponent {first} {second})
(opponent {second} {first})

(init (control {first}))
(<= (next (control ?other))
    (true (control ?player))
    (opponent ?player ?other))
(<= (legal ?player noop)
    (opponent ?player ?other)
    (true (control ?other)))
"
    )
}

/// The end of a game of lines: `line` holds for the player with so many marks one after the other in
/// one of four directions, and gives `terminal` and `goal`.
///
/// The rules need `room`, `(next_x a b)`, `(next_y a b)`, `(x a)`, `(y a)` and `(true (mark x y player))`.
pub(super) fn lines(in_a_row: u32) -> String {
    format!(
        "\
; step d x y u v: in the direction d, (u v) comes after (x y).
(<= (step across ?x ?y ?u ?y)
    (next_x ?x ?u)
    (y ?y))
(<= (step upwards ?x ?y ?x ?v)
    (x ?x)
    (next_y ?y ?v))
(<= (step rising ?x ?y ?u ?v)
    (next_x ?x ?u)
    (next_y ?y ?v))
(<= (step falling ?x ?y ?u ?v)
    (next_x ?x ?u)
    (next_y ?v ?y))

(direction across)
(direction upwards)
(direction rising)
(direction falling)

; run p d x y n: from (x y) on, n marks of the player p in the direction d.
{}
(<= (run ?p ?d ?x ?y 1)
    (direction ?d)
    (true (mark ?x ?y ?p)))
(<= (run ?p ?d ?x ?y ?m)
    (true (mark ?x ?y ?p))
    (step ?d ?x ?y ?u ?v)
    (longer ?n ?m)
    (run ?p ?d ?u ?v ?n))

(<= (line ?p)
    (run ?p ?d ?x ?y {in_a_row}))
(<= decided
    (line ?p))

(<= terminal
    decided)
(<= terminal
    (not room))

(<= (goal ?p 100)
    (line ?p))
(<= (goal ?p 0)
    (opponent ?p ?q)
    (line ?q))
(<= (goal ?p 50)
    (role ?p)
    (not decided))
",
        chain("longer", 1, in_a_row)
    )
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
