//! Things that lie on each other, and numbers of things.

use fxhash::FxHashSet;
use groundfrog_knowledge::structures::{Argument, AxisKind, Board as Found, Quantity, Stack};

use super::build::{LONGEST_SIDE, Patterns};
use super::{Board, BoardShape, Ground, Layout};

impl Layout {
    /// Things on things, and on what they are not: `(on a b)`, `(on a table)`; or in order on a few grounds: `(on disc peg)`. Whether
    /// it is such a board.
    pub(super) fn add_pile(&mut self, found: &Found, fluents: &Patterns, moves: &Patterns) -> bool {
        let placed = &found.fluents[0];
        let content = placed.arguments.iter().position(|it| *it == Argument::Content);
        let (Some(content), 2) = (content, placed.arguments.len()) else { return false };
        let Some(pattern) = fluents.get(&placed.pattern) else { return false };
        let things: Vec<String> = match found.axes.first() {
            Some(axis) => axis.values.clone(),
            None => found.cells.iter().map(|it| it.names[0].clone()).collect(),
        };
        let mut grounds: Vec<String> =
            pattern.domains[content].iter().filter(|it| !things.contains(it)).cloned().collect();
        grounds.sort_unstable();
        let on_things = pattern.domains[content].len() - grounds.len();
        // Things in order are on grounds that moves name.
        let is_ground_of =
            |domain: &FxHashSet<String>| grounds.iter().all(|it| domain.contains(it));
        let mut named = moves.values().flat_map(|it| &it.domains);
        let is_ordered = found.axes.iter().any(|it| it.kind == AxisKind::Line);
        let are_pegs = on_things == 0 && is_ordered && grounds.len() < 8 && named.any(is_ground_of);
        if grounds.is_empty() || !(on_things > 1 || are_pegs) {
            return false;
        }
        let on_itself = |row: &Vec<String>| row[0] == row[1];
        if pattern.rows.iter().any(on_itself) {
            return false;
        }
        let sizes = if are_pegs { (0..things.len()).collect() } else { Vec::new() };
        let stack = Stack { pattern: placed.pattern.clone(), above: 1 - content, things, grounds };
        self.add_stack(&stack, sizes, fluents);
        true
    }

    pub(super) fn add_stack(&mut self, stack: &Stack, sizes: Vec<usize>, fluents: &Patterns) {
        let columns: Vec<String> = stack.things.iter().chain(&stack.grounds).cloned().collect();
        if columns.len() > LONGEST_SIDE {
            return;
        }
        let board = Board {
            shape: BoardShape::Stacks,
            bases: (stack.things.len()..columns.len()).collect(),
            sizes,
            rows: vec![String::new()],
            columns,
            ..Board::default()
        };
        let ground = strip_ground(&board.columns);
        let number = self.add_ground(ground, &board);
        let mut arguments = vec![Argument::Content; 2];
        arguments[stack.above] = Argument::Cell { end: 0 };
        self.draw(&stack.pattern, number, arguments, false, fluents);
    }

    /// Numbers of several keys that are on no other board.
    pub(super) fn add_quantity(&mut self, quantity: &Quantity, fluents: &Patterns) {
        let pattern = quantity.pattern.replace('*', "_");
        let is_plain = quantity.keys.iter().all(|it| !it.contains(' ')) && quantity.keys.len() > 1;
        if self.fluents.contains_key(&pattern) || !is_plain || quantity.keys.len() > LONGEST_SIDE {
            return;
        }
        let arguments = quantity.pattern.chars().filter_map(|sign| match sign {
            '_' => Some(Argument::Cell { end: 0 }),
            '*' => Some(Argument::Quantity),
            _ => None,
        });
        let board = Board {
            columns: quantity.keys.clone(),
            rows: vec![String::new()],
            quantities: true,
            ..Board::default()
        };
        let number = self.add_ground(strip_ground(&board.columns), &board);
        self.draw(&pattern, number, arguments.collect(), false, fluents);
    }
}

fn strip_ground(columns: &[String]) -> Ground {
    let places = columns.iter().enumerate().map(|(at, it)| (vec![it.clone()], (0, at, 0)));
    Ground { levels: 1, places: places.collect(), order: vec![0], ..Ground::default() }
}

/// The sizes of things that are called by numbers; none of others.
pub(super) fn sizes(stack: &Stack) -> Vec<usize> {
    let number = |name: &String| {
        let stem = name.trim_end_matches(|it: char| it.is_ascii_digit());
        name[stem.len()..].parse::<u32>().ok()
    };
    let numbers: Option<Vec<u32>> = stack.things.iter().map(number).collect();
    let Some(numbers) = numbers else { return Vec::new() };
    let rank = |it: &u32| numbers.iter().filter(|other| *other < it).count();
    numbers.iter().map(rank).collect()
}
