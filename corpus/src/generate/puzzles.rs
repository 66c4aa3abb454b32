//! Puzzles for one player.

use super::pieces::SplitMix64;
use super::pieces::{board, chain, each};
use super::{Family, Parameter};

// Rows of bells, each of which is to ring all bells once.

/// Change ringing: with n bells, the condition on them has n^2 (n-1)^(n-1) rows.
pub(super) const CHANGE_RINGING: Family = Family {
    name: "change_ringing",
    summary: "Bells are called to the places of rows; each bell has to ring once in every row.",
    parameters: &[
        Parameter::new("bells", 4, (2, 14), "bells, and places of a row"),
        Parameter::new("rows", 2, (1, 100), "rows"),
    ],
    conflict: |_| None,
    body: |values| {
        let (bells, rows) = (values.get("bells"), values.get("rows"));
        let mut text = String::from("(role conductor)\n\n");
        (1..=bells).for_each(|bell| text += &format!("(bell {bell})\n"));
        (1..=rows).for_each(|row| text += &format!("(row {row})\n"));
        text += CHANGE_RINGING_RULES;
        let places =
            |literal: &dyn Fn(u32) -> String| -> String { (1..=bells).map(literal).collect() };
        let rung = places(&|place| format!(" ?p{place}"));
        for own in 1..=bells {
            // The bell rings at this place and at no other.
            let body = places(&|place| match place {
                it if it == own => format!("\n    (same ?bell ?p{it})"),
                it => format!("\n    (other ?bell ?p{it})"),
            });
            text += &format!("(<= (rings_once ?bell{rung}){body})\n");
        }
        let calls = places(&|place| format!("\n    (true (called ?row {place} ?p{place}))"));
        let once = places(&|bell| format!("\n    (rings_once {bell}{rung})"));
        text += &format!("(<= (true_row ?row){calls}{once})\n\n");
        let all: String = (1..=rows).map(|row| format!("\n    (true_row {row})")).collect();
        text + &format!("(<= true_ringing{all})\n")
    },
};

const CHANGE_RINGING_RULES: &str = include_str!("rules/change_ringing.rules");

// The towers of Hanoi with any number of disks and pegs.

/// The towers of Hanoi; there is no step counter.
pub(super) const HANOI: Family = Family {
    name: "hanoi",
    summary: "A tower of disks goes from the first peg to the last; no step counter.",
    parameters: &[
        Parameter::new("disks", 5, (2, 100), "disks of the tower"),
        Parameter::new("pegs", 3, (3, 100), "pegs, the first and the last among them"),
    ],
    conflict: |_| None,
    body: |values| {
        let (disks, pegs) = (values.get("disks"), values.get("pegs"));
        format!(
            "(role monk)\n\n{sizes}\n{disks}\n{pegs}\n(goal_peg p{last})\n{HANOI_RULES}",
            sizes = chain("smaller_by_one", 1, disks),
            disks = each("disk", 1..=disks),
            last = pegs,
            pegs = each("peg", (1..=pegs).map(|n| format!("p{n}"))),
        )
    },
};

const HANOI_RULES: &str = include_str!("rules/hanoi.rules");

// Lights out on a board of any size.

/// Lights out; there is no step counter.
pub(super) const LIGHTS_OUT: Family = Family {
    name: "lights_out",
    summary: "A press toggles a lamp and its neighbours until all are dark; no step counter.",
    parameters: &[
        Parameter::new("width", 5, (2, 100), "columns of the board"),
        Parameter::new("height", 5, (2, 100), "rows of the board"),
    ],
    conflict: |_| None,
    body: |values| {
        let (width, height) = (values.get("width"), values.get("height"));
        let board = board(width, height);
        let lamps: String = first_lamps(width, height)
            .into_iter()
            .map(|(x, y)| format!("(init (lit {x} {y}))\n"))
            .collect();
        format!("(role janitor)\n\n{board}\n{lamps}{LIGHTS_OUT_RULES}")
    },
};

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

const LIGHTS_OUT_RULES: &str = include_str!("rules/lights_out.rules");

// The sliding puzzle (eight puzzle, fifteen puzzle) of any size.

/// The sliding puzzle; there is no step counter.
pub(super) const SLIDING_PUZZLE: Family = Family {
    name: "sliding_puzzle",
    summary: "Tiles are slid into order in a frame with one gap; no step counter.",
    parameters: &[
        Parameter::new("width", 3, (2, 20), "columns of the frame"),
        Parameter::new("height", 3, (2, 20), "rows of the frame"),
        Parameter::new("seed", 1, (0, u32::MAX), "chooses the first position"),
    ],
    conflict: |_| None,
    body: |values| {
        let (width, height) = (values.get("width"), values.get("height"));
        let solved = solved(width, height);
        let start = shuffled(width as usize, height as usize, values.get("seed"));
        let facts = |open: &str, tiles: &[u32], close: &str| -> String {
            let cells = (1..=height).flat_map(|y| (1..=width).map(move |x| (x, y)));
            cells
                .zip(tiles)
                .map(|((x, y), &tile)| match tile {
                    0 => format!("({open} {x} {y} gap{close}\n"),
                    _ => format!("({open} {x} {y} {tile}{close}\n"),
                })
                .collect()
        };
        format!(
            "(role slider)\n\n{board}\n{wanted}\n{first}{SLIDING_PUZZLE_RULES}",
            board = board(width, height),
            wanted = facts("wanted", &solved, ")"),
            first = facts("init (tile", &start, "))"),
        )
    },
};

/// The tiles row by row, the gap (0) last.
fn solved(width: u32, height: u32) -> Vec<u32> {
    (1..width * height).chain([0]).collect()
}

/// A position that random slides lead to from the solved one, and so back.
fn shuffled(width: usize, height: usize, seed: u32) -> Vec<u32> {
    let mut rng = SplitMix64::new(u64::from(seed));
    let cells = width * height;
    let mut tiles = solved(width as u32, height as u32);
    let mut gap = cells - 1;
    // An odd number of slides never leads back to the solved position.
    for _ in 0..40 * cells + 1 {
        let (x, y) = (gap % width, gap / width);
        let neighbours: Vec<_> = [
            (x > 0).then(|| gap - 1),
            (x + 1 < width).then(|| gap + 1),
            (y > 0).then(|| gap - width),
            (y + 1 < height).then(|| gap + width),
        ]
        .into_iter()
        .flatten()
        .collect();
        let from = *rng.pick(&neighbours);
        tiles.swap(gap, from);
        gap = from;
    }
    tiles
}

const SLIDING_PUZZLE_RULES: &str = include_str!("rules/sliding_puzzle.rules");
