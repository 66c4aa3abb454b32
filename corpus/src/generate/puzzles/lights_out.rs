//! Lights out on a board of any size.

use super::super::pieces::board;
use super::super::{Family, Parameter, Values, no_conflict};

/// Lights out; there is no step counter.
pub(in super::super) const LIGHTS_OUT: Family = Family {
    name: "lights_out",
    summary: "A press toggles a lamp and its neighbours until all are dark; no step counter.",
    parameters: &[
        Parameter::new("width", 5, (2, 100), "columns of the board"),
        Parameter::new("height", 5, (2, 100), "rows of the board"),
    ],
    conflict: no_conflict,
    body,
};

fn body(values: &Values<'_>) -> String {
    let (width, height) = (values.get("width"), values.get("height"));
    let board = board(width, height);
    let lamps: String = first_lamps(width, height)
        .into_iter()
        .map(|(x, y)| format!("(init (lit {x} {y}))\n"))
        .collect();
    format!("(role janitor)\n\n{board}\n{lamps}{RULES}")
}

/// The lamps that are lit if all are dark and the diagonal is pressed: a position with a solution.
fn first_lamps(width: u32, height: u32) -> Vec<(u32, u32)> {
    let presses = width.min(height);
    let cells = (1..=height).flat_map(|y| (1..=width).map(move |x| (x, y)));
    cells
        .filter(|&(x, y)| {
            let toggles = (1..=presses).filter(|&p| x.abs_diff(p) + y.abs_diff(p) <= 1);
            toggles.count() % 2 == 1
        })
        .collect()
}

const RULES: &str = include_str!("../rules/lights_out.rules");
