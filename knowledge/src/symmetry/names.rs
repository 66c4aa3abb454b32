//! What symmetries are on boards.

use std::collections::{BTreeMap, BTreeSet};

use groundfrog::description::Printer;
use groundfrog::game::GroundGame;

use super::Symmetry;
use crate::structures::contents::{Location, locations};
use crate::structures::{AxisKind, Board, Structures};

/// Names symmetries of one game.
pub(crate) struct Namer<'run> {
    structures: &'run Structures,
    /// By fluent.
    locations: Vec<Option<Location>>,
    roles: Vec<String>,
}

impl<'run> Namer<'run> {
    pub(crate) fn new(game: &GroundGame, structures: &'run Structures) -> Self {
        let printer = Printer::new(game.symbols());
        Namer {
            structures,
            locations: locations(structures, game),
            roles: game.roles().iter().map(|it| printer.term(it).to_string()).collect(),
        }
    }

    /// What a symmetry is, in parts; empty if that is not known.
    pub(crate) fn name(&self, symmetry: &Symmetry) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut cells: BTreeMap<(usize, usize), (usize, usize)> = BTreeMap::new();
        let mut contents: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (location, &image) in self.locations.iter().zip(&symmetry.fluents) {
            let (Some(from), Some(to)) = (location, &self.locations[image as usize]) else {
                continue;
            };
            // An edge may be turned round.
            if let ([from_cell], [to_cell]) = (&from.cells[..], &to.cells[..]) {
                let to = (to.board, *to_cell);
                if *cells.entry((from.board, *from_cell)).or_insert(to) != to {
                    return String::new();
                }
            }
            contents.entry(&from.content).or_default().insert(&to.content);
        }
        let boards: BTreeMap<usize, BTreeSet<usize>> =
            cells.iter().fold(BTreeMap::new(), |mut boards, (from, to)| {
                boards.entry(from.0).or_insert_with(BTreeSet::new).insert(to.0);
                boards
            });
        for (number, board) in self.structures.boards.iter().enumerate() {
            let Some(images) = boards.get(&number) else { continue };
            if images.iter().ne([&number]) {
                parts.push("exchange of boards".to_owned());
                continue;
            }
            let image: Option<Vec<usize>> =
                (0..board.cells.len()).map(|it| cells.get(&(number, it)).map(|it| it.1)).collect();
            let Some(image) = image else { continue };
            let Some(name) = geometric(board, &image) else { return String::new() };
            if !name.is_empty() {
                parts.push(format!("{name} of {}", board.fluents[0].pattern));
            }
        }
        let roles: Vec<(&str, &str)> = self
            .roles
            .iter()
            .zip(&symmetry.roles)
            .map(|(from, &to)| (from.as_str(), self.roles[to as usize].as_str()))
            .collect();
        if let Some(text) = exchange(&roles) {
            parts.push(format!("exchange of roles {text}"));
        }
        let contents: Option<Vec<(&str, &str)>> =
            contents.into_iter().map(|(from, to)| Some((from, to.into_iter().next()?))).collect();
        if let Some(text) = contents.as_deref().and_then(exchange) {
            parts.push(format!("exchange of contents {text}"));
        }
        parts.dedup();
        parts.join(", ")
    }
}

/// So many cycles are told.
const MOST_CYCLES: usize = 4;

/// What is exchanged, by cycles: `x and o, a to b to c`. `None` if nothing is.
fn exchange(pairs: &[(&str, &str)]) -> Option<String> {
    let mut images: BTreeMap<&str, &str> =
        pairs.iter().filter(|(from, to)| from != to).copied().collect();
    let mut cycles: Vec<String> = Vec::new();
    while let Some((&first, _)) = images.first_key_value() {
        let next = |from: &&str| images.get(from).copied().filter(|&to| to != first);
        let cycle: Vec<&str> =
            std::iter::successors(Some(first), next).take(images.len()).collect();
        images.retain(|from, _| !cycle.contains(from));
        cycles.push(cycle.join(if cycle.len() > 2 { " to " } else { " and " }));
    }
    let more = cycles.len().saturating_sub(MOST_CYCLES);
    cycles.truncate(MOST_CYCLES);
    let rest = if more > 0 { format!(", {more} more") } else { String::new() };
    (!cycles.is_empty()).then(|| cycles.join(", ") + &rest)
}

/// What a permutation of the cells of a board is; nothing if it moves none. `None` if it is nothing with a name.
fn geometric(board: &Board, image: &[usize]) -> Option<String> {
    if image.iter().enumerate().all(|(from, &to)| from == to) {
        return Some(String::new());
    }
    let size = board.axes.len();
    if size == 0 || board.cells.iter().any(|it| it.coordinates.len() != size) {
        return None;
    }
    // By axis: the axis that its coordinate comes from, and by value of that its own.
    let mut maps: Vec<(usize, BTreeMap<i32, i32>)> = Vec::new();
    for to_axis in 0..size {
        let found = (0..size).find_map(|from_axis| {
            let mut map: BTreeMap<i32, i32> = BTreeMap::new();
            for (from, &to) in image.iter().enumerate() {
                let (from, to) = (
                    board.cells[from].coordinates[from_axis],
                    board.cells[to].coordinates[to_axis],
                );
                if *map.entry(from).or_insert(to) != to {
                    return None;
                }
            }
            let is_injective = map.values().collect::<BTreeSet<_>>().len() == map.len();
            is_injective.then_some((from_axis, map))
        });
        maps.push(found?);
    }
    let is_same = |map: &BTreeMap<i32, i32>| map.iter().all(|(from, to)| from == to);
    let is_reversed = |map: &BTreeMap<i32, i32>| {
        let sum = map.iter().next().map_or(0, |(from, to)| from + to);
        map.len() > 1 && map.iter().all(|(from, to)| from + to == sum)
    };
    let turns = maps.iter().enumerate().any(|(axis, it)| axis != it.0);
    let reversed: Vec<bool> = maps.iter().map(|it| is_reversed(&it.1)).collect();
    let is_plain = maps.iter().all(|it| is_same(&it.1) || is_reversed(&it.1));
    if size == 2 && is_plain {
        let name = match (turns, reversed[0], reversed[1]) {
            (false, true, false) => "reflection of axis 0",
            (false, false, true) => "reflection of axis 1",
            (false, ..) => "half turn",
            (true, false, false) => "reflection in the diagonal",
            (true, true, true) => "reflection in the other diagonal",
            (true, ..) => "quarter turn",
        };
        return Some(name.to_owned());
    }
    let mut parts: Vec<String> = Vec::new();
    if turns {
        let from: Vec<String> = maps.iter().map(|it| it.0.to_string()).collect();
        parts.push(format!("exchange of axes to {}", from.join(" ")));
    }
    for (axis, (from, map)) in maps.iter().enumerate() {
        let length = board.axes[axis].values.len() as i32;
        let is_ring = board.axes[*from].kind == AxisKind::Ring;
        let shift = |sign: i32| {
            let first = map.iter().next().map_or(0, |(from, to)| to - sign * from);
            map.iter().all(|(from, to)| (to - sign * from - first).rem_euclid(length) == 0)
        };
        if is_same(map) {
            continue;
        } else if is_reversed(map) || is_ring && shift(-1) {
            parts.push(format!("reflection of axis {axis}"));
        } else if is_ring && shift(1) {
            parts.push(format!("rotation of axis {axis}"));
        } else if board.axes[*from].kind == AxisKind::Unordered {
            parts.push(format!("exchange of values of axis {axis}"));
        } else {
            return None;
        }
    }
    Some(parts.join(" and "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanges_are_told_by_cycles() {
        let told = |pairs: &[(&str, &str)]| exchange(pairs);
        assert_eq!(told(&[("x", "o"), ("o", "x"), ("b", "b")]).as_deref(), Some("o and x"));
        let three = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "e"), ("e", "d")];
        assert_eq!(told(&three).as_deref(), Some("a to b to c, d and e"));
        assert_eq!(told(&[("a", "a")]), None);
        let names: Vec<String> = (0..12).map(|it| format!("n{it:02}")).collect();
        let pairs: Vec<(&str, &str)> =
            (0..12).map(|it| (names[it].as_str(), names[it ^ 1].as_str())).collect();
        let text = told(&pairs).expect("there are six");
        assert!(text.ends_with("n06 and n07, 2 more"), "{text}");
    }
}
