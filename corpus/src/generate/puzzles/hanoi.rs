//! The towers of Hanoi with any number of disks and pegs.

use super::super::pieces::{chain, each};
use super::super::{Family, Parameter, Values, no_conflict};

/// The towers of Hanoi; there is no step counter.
pub(in super::super) const HANOI: Family = Family {
    name: "hanoi",
    summary: "A tower of disks goes from the first peg to the last; no step counter.",
    parameters: &[
        Parameter::new("disks", 5, (2, 100), "disks of the tower"),
        Parameter::new("pegs", 3, (3, 100), "pegs, the first and the last among them"),
    ],
    conflict: no_conflict,
    body,
};

fn body(values: &Values<'_>) -> String {
    let (disks, pegs) = (values.get("disks"), values.get("pegs"));
    format!(
        "(role monk)\n\n{sizes}\n{disks}\n{pegs}\n(goal_peg p{last})\n{RULES}",
        sizes = chain("smaller_by_one", 1, disks),
        disks = each("disk", 1..=disks),
        last = pegs,
        pegs = each("peg", (1..=pegs).map(|n| format!("p{n}"))),
    )
}

const RULES: &str = "
(<= (smaller ?a ?b)
    (smaller_by_one ?a ?b))
(<= (smaller ?a ?c)
    (smaller_by_one ?a ?b)
    (smaller ?b ?c))

(<= (init (on ?d p1))
    (disk ?d))

; A disk may be moved, and may come to a peg, if no smaller disk is there.
(<= (blocked ?d ?peg)
    (smaller ?e ?d)
    (true (on ?e ?peg)))

(<= (legal monk (move ?d ?from ?to))
    (true (on ?d ?from))
    (peg ?to)
    (distinct ?from ?to)
    (not (blocked ?d ?from))
    (not (blocked ?d ?to)))

(<= (moved ?d)
    (does monk (move ?d ?from ?to)))
(<= (next (on ?d ?to))
    (does monk (move ?d ?from ?to)))
(<= (next (on ?d ?peg))
    (true (on ?d ?peg))
    (not (moved ?d)))

(<= unfinished
    (goal_peg ?last)
    (disk ?d)
    (not (true (on ?d ?last))))

(<= terminal
    (not unfinished))

(<= (goal monk 100)
    (not unfinished))
(<= (goal monk 0)
    unfinished)
";
