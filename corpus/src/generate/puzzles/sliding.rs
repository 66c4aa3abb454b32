//! The sliding puzzle (eight puzzle, fifteen puzzle) of any size.

use super::super::pieces::board;
use super::super::rng::SplitMix64;
use super::super::{Family, Parameter, Values, no_conflict};

/// The sliding puzzle; there is no step counter.
pub(in super::super) const SLIDING_PUZZLE: Family = Family {
    name: "sliding_puzzle",
    summary: "Tiles are slid into order in a frame with one gap; no step counter.",
    parameters: &[
        Parameter::new("width", 3, (2, 20), "columns of the frame"),
        Parameter::new("height", 3, (2, 20), "rows of the frame"),
        Parameter::new("seed", 1, (0, u32::MAX), "chooses the first position"),
    ],
    conflict: no_conflict,
    body,
};

fn body(values: &Values<'_>) -> String {
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
        "(role slider)\n\n{board}\n{wanted}\n{first}{RULES}",
        board = board(width, height),
        wanted = facts("wanted", &solved, ")"),
        first = facts("init (tile", &start, "))"),
    )
}

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

const RULES: &str = include_str!("../rules/sliding_puzzle.rules");
