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

const RULES: &str = include_str!("../rules/hanoi.rules");
