//! What is drawn between places: lines from one to another, and sides.

use fxhash::FxHashSet;
use groundfrog_knowledge::structures::{
    Argument, AxisKind, Board as Found, Quantity, Stack, Structures,
};

use super::build::{LONGEST_SIDE, Pattern, Patterns, order};
use super::{Board, BoardShape, Edges, Ground, Layout};

impl Layout {
    /// Lines between the places of another board, or along their sides; or else between points of their own.
    pub(super) fn add_edges(&mut self, found: &Found, fluents: &Patterns) {
        if found.axes.len() != 2 {
            return;
        }
        let values = [&found.axes[0].values, &found.axes[1].values];
        let within = |own: &[String], all: &[String]| own.iter().all(|it| all.contains(it));
        let host = |corner: usize| {
            self.grounds.iter().position(|ground| {
                let board = &self.boards[ground.boards[0]];
                ground.boards.len() == 1
                    && [&board.columns, &board.rows]
                        .into_iter()
                        .zip(values)
                        .all(|(own, all)| own.len() + corner == all.len() && within(own, all))
            })
        };
        let faces = host(1);
        let number = faces.or_else(|| host(0));
        let points =
            found.cells.iter().map(|it| (it.coordinates[0] as f32, it.coordinates[1] as f32));
        let corner = if faces.is_some() { 0.5 } else { 0.0 };
        let points: Vec<(f32, f32)> = points.map(|(x, y)| (x - corner, y - corner)).collect();
        let place = |cell: &groundfrog_knowledge::structures::Cell| {
            (0, cell.coordinates[0] as usize, cell.coordinates[1] as usize)
        };
        let mut ground = Ground {
            boards: number.map_or_else(Vec::new, |it| self.grounds[it].boards.clone()),
            levels: 1,
            places: found.cells.iter().map(|it| (it.names.clone(), place(it))).collect(),
            order: order(&found.fluents[0]),
            edges: Edges::Between { corner },
            ..Ground::default()
        };
        if number.is_none() {
            let [columns, rows] = values.map(Clone::clone);
            self.boards.push(Board { columns, rows, ..Board::default() });
            ground.boards.push(self.boards.len() - 1);
        }
        if faces.is_some() || number.is_none() {
            self.boards[ground.boards[0]].points = points;
        }
        self.grounds.push(ground);
        let number = self.grounds.len() - 1;
        for placed in &found.fluents {
            self.draw(&placed.pattern, number, placed.arguments.clone(), false, fluents);
        }
    }

    /// Fluents of the sides of places: those above and below are one row more, those to the left and right one column more.
    pub(super) fn add_sides(&mut self, found: &Structures, fluents: &Patterns) {
        let grids: Vec<&Found> =
            found.boards.iter().filter(|it| it.axes.len() == 2 && it.layers.is_empty()).collect();
        for grid in grids {
            let Some(host) = grid
                .fluents
                .first()
                .and_then(|it| self.fluents.get(&it.pattern))
                .map(|it| it.ground)
            else {
                continue;
            };
            let sides = [&grid.axes[0].values, &grid.axes[1].values];
            let longer = |axis: usize| {
                let chains = found.relations.iter().flat_map(|it| &it.chains);
                chains
                    .filter(|it| it.starts_with(sides[axis]))
                    .find(|it| it.len() == sides[axis].len() + 1)
            };
            let (Some(across), Some(along)) = (longer(0), longer(1)) else { continue };
            let is_all = |domain: &FxHashSet<String>, values: &[String]| {
                domain.len() == values.len() && values.iter().all(|it| domain.contains(it))
            };
            let kind = |pattern: &Pattern| match &pattern.domains[..] {
                [one, other] if is_all(one, sides[0]) && is_all(other, along) => Some(true),
                [one, other] if is_all(one, across) && is_all(other, sides[1]) => Some(false),
                _ => None,
            };
            let mut own: Vec<(&String, bool)> = fluents
                .iter()
                .filter(|(it, _)| !self.fluents.contains_key(*it))
                .filter_map(|(it, of)| Some((it, kind(of)?)))
                .collect();
            own.sort_unstable();
            if !own.iter().any(|it| it.1) || !own.iter().any(|it| !it.1) {
                continue;
            }
            let board = self.grounds[host].boards.clone();
            let points = (0..across.len())
                .flat_map(|x| (0..along.len()).map(move |y| (x as f32 - 0.5, y as f32 - 0.5)));
            self.boards[board[0]].points = points.collect();
            for (pattern, is_row) in own {
                let (columns, rows) = if is_row { (sides[0], along) } else { (across, sides[1]) };
                let places = columns.iter().enumerate().flat_map(|(x, column)| {
                    rows.iter()
                        .enumerate()
                        .map(move |(y, row)| (vec![column.clone(), row.clone()], (0, x, y)))
                });
                self.grounds.push(Ground {
                    boards: board.clone(),
                    levels: 1,
                    places: places.collect(),
                    order: vec![0, 1],
                    edges: Edges::Side { is_row },
                    ..Ground::default()
                });
                let arguments = (0..2).map(|axis| Argument::Coordinate { axis, end: 0 }).collect();
                self.draw(pattern, self.grounds.len() - 1, arguments, false, fluents);
            }
        }
    }

    /// Fluents of two places of a grid that are on no board are lines from one to the other.
    pub(super) fn add_lines(&mut self, fluents: &Patterns) {
        let mut rest: Vec<&String> =
            fluents.keys().filter(|it| !self.fluents.contains_key(*it)).collect();
        rest.sort_unstable();
        for pattern in rest {
            let of = &fluents[pattern];
            if of.domains.len() != 4 {
                continue;
            }
            let fits = |ground: &Ground| {
                let is_place = |row: &[String]| {
                    let names: Vec<&str> = row.iter().map(String::as_str).collect();
                    ground.places.contains_key(&ground.in_order(&names))
                };
                ground.order.len() == 2
                    && ground.boards.len() == 1
                    && ground.edges == Edges::None
                    && of.rows.iter().all(|row| is_place(&row[..2]) && is_place(&row[2..]))
            };
            let Some(host) = self.grounds.iter().find(|it| fits(it)) else { continue };
            let ground = Ground { edges: Edges::Between { corner: 0.0 }, ..host.clone() };
            let order = ground.order.clone();
            self.grounds.push(ground);
            let ends = (0..2)
                .flat_map(|end| order.iter().map(move |&axis| Argument::Coordinate { axis, end }));
            self.draw(pattern, self.grounds.len() - 1, ends.collect(), false, fluents);
        }
    }
}

// Things that lie on each other, and numbers of things.

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
