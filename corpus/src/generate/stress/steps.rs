//! A game that is little more than a step counter.

use super::super::pieces::each;
use super::super::{Family, Parameter, Values, no_conflict};
use super::steps;

/// A step counter with a few moves; the last move decides.
pub(in super::super) const STEP_COUNTER: Family = Family {
    name: "step_counter",
    summary: "A player makes one of a few moves in each of so many steps; the last one counts.",
    parameters: &[
        Parameter::new("steps", 200, (1, 100_000), "steps until the game ends"),
        Parameter::new("choices", 3, (1, 10_000), "moves to choose from in each step"),
    ],
    conflict: no_conflict,
    body,
};

fn body(values: &Values<'_>) -> String {
    format!(
        "(role walker)\n\n{choices}{RULES}\n{steps}",
        choices = each("choice", 1..=values.get("choices")),
        steps = steps(values.get("steps")),
    )
}

const RULES: &str = "
(<= (legal walker (choose ?c))
    (choice ?c))

(<= (next (chosen ?c))
    (does walker (choose ?c)))

(<= (goal walker 100)
    (true (chosen 1)))
(<= (goal walker 0)
    (not (true (chosen 1))))
";
