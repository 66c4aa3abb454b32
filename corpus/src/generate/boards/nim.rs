//! Nim with any number of heaps.

use super::super::pieces::{chain, each, two_players};
use super::super::{Family, Parameter, Values, no_conflict};

/// Nim; all heaps start with the same number of objects.
pub(in super::super) const NIM: Family = Family {
    name: "nim",
    summary: "Two players take any number of objects from one heap; the last object wins.",
    parameters: &[
        Parameter::new("heaps", 3, (1, 100), "heaps at the beginning"),
        Parameter::new("objects", 5, (1, 200), "objects in each heap"),
    ],
    conflict: no_conflict,
    body,
};

fn body(values: &Values<'_>) -> String {
    let objects = values.get("objects");
    format!(
        "{players}\n{heaps}\n{numbers}
(<= (init (heap ?h {objects}))
    (heap ?h))
{RULES}",
        players = two_players("first", "second"),
        heaps = each("heap", (1..=values.get("heaps")).map(|n| format!("h{n}"))),
        numbers = chain("succ", 0, objects),
    )
}

const RULES: &str = include_str!("../rules/nim.rules");
