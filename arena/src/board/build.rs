//! From what is known of a game to what is drawn.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::description::Description;
use groundfrog_knowledge::structures::{
    Argument, AxisKind, Board as Found, Output, Placed, Quantity, RelationKind, Shape, Stack,
    Structures, structures,
};
use groundfrog_knowledge::{Analysis, AnalysisOptions, Property, Verdict, analyse};
use groundfrog_reasoner::{FluentId, GroundReasoner, MoveId, Reasoner};

use super::pattern::{Flat, functor};
use super::sample::Sample;
use super::{Board, BoardShape, Drawn, Edges, Ground, Known, Layout, Look, Part, Step};

/// No more columns or rows than this are a board.
const LONGEST_SIDE: usize = 64;
/// A move has no more clicks than this.
const MOST_STEPS: usize = 8;
/// No more fluents or moves than this are looked at.
const MOST_TERMS: usize = 400_000;
/// Neighbours that are drawn as lines, at most.
const MOST_LINKS: usize = 200;

/// What the terms of a pattern have in common: for each constant the values that it can have, and the terms.
#[derive(Debug, Default)]
struct Pattern {
    domains: Vec<FxHashSet<String>>,
    rows: Vec<Vec<String>>,
}

type Patterns = FxHashMap<String, Pattern>;

fn patterns(all: impl Iterator<Item = Flat>) -> Patterns {
    let mut found = Patterns::default();
    for flat in all.take(MOST_TERMS) {
        let pattern = found.entry(flat.pattern).or_default();
        pattern.domains.resize_with(flat.leaves.len(), FxHashSet::default);
        for (domain, leaf) in pattern.domains.iter_mut().zip(&flat.leaves) {
            domain.insert(leaf.clone());
        }
        pattern.rows.push(flat.leaves);
    }
    found
}

impl Layout {
    /// The layout of a game. What is not found out in time is in the list of facts.
    pub fn new(
        description: &Description,
        reasoner: &mut GroundReasoner,
        time: Duration,
        look: &Look,
    ) -> Self {
        let options = AnalysisOptions { time: time / 3, ..AnalysisOptions::default() };
        let Ok(analysis) = analyse(reasoner, &options) else { return Layout::default() };
        let found = structures(description, reasoner, &analysis, time / 3);
        let Ok(found) = found else { return Layout::default() };
        let game = Arc::clone(reasoner.game());
        let symbols = game.symbols();
        let fluents = patterns(
            (0..game.fluents().len() as u32)
                .map(|it| Flat::new(&reasoner.fluent(FluentId(it)), symbols)),
        );
        let moves = patterns(
            (0..game.moves().len() as u32)
                .map(|it| Flat::new(&reasoner.move_term(MoveId(it)).1, symbols)),
        );
        let mut layout = Layout::default();
        for stack in &found.stacks {
            layout.add_stack(stack, sizes(stack), &fluents);
        }
        let (edges, boards): (Vec<&Found>, Vec<&Found>) =
            found.boards.iter().partition(|it| it.shape == Shape::Edges);
        boards.into_iter().for_each(|it| layout.add_board(it, &found, &fluents, &moves));
        edges.into_iter().for_each(|it| layout.add_edges(it, &fluents));
        found.quantities.iter().for_each(|it| layout.add_quantity(it, &fluents));
        layout.add_sides(&found, &fluents);
        layout.add_lines(&fluents);
        let is_fact = |pattern: &str, it: &Drawn| {
            look.facts.iter().any(|fact| fact == functor(pattern))
                || it.secondary && it.bare && is_number_of_key(&analysis, pattern)
        };
        layout.fluents.retain(|pattern, it| !is_fact(pattern, it));
        for (pattern, of) in &moves {
            let steps = layout.steps(of);
            if !steps.is_empty() {
                layout.moves.insert(pattern.clone(), steps);
            }
        }
        layout.forget_bookkeeping(&found);
        layout.name_contents();
        if let (Some(shape), Some(board)) = (look.shape, layout.boards.first_mut()) {
            board.shape = shape;
        }
        let sample = Sample::new(reasoner, time / 6);
        layout.find_blanks(&found, reasoner, look);
        layout.find_contents(&found, &sample, reasoner);
        layout.find_orientation(reasoner);
        layout.known = Some(Arc::new(Known { analysis, structures: found }));
        layout
    }

    fn add_board(&mut self, found: &Found, all: &Structures, fluents: &Patterns, moves: &Patterns) {
        if found.axes.len() < 2 && found.fluents.len() == 1 && self.add_pile(found, fluents, moves)
        {
            return;
        }
        let is_of_stack = |it: &Ground| {
            self.boards[it.boards[0]].shape == BoardShape::Stacks
                && found.cells.iter().all(|cell| it.places.contains_key(&cell.names))
        };
        if self.grounds.iter().any(is_of_stack) {
            return;
        }
        let values = |axis: usize| found.axes.get(axis).map_or(&[][..], |it| &it.values[..]);
        let across = |outer: &[String], inner: &[String]| -> Vec<String> {
            outer.iter().flat_map(|it| inner.iter().map(move |own| format!("{it} {own}"))).collect()
        };
        let no_rows = vec![String::new()];
        let mut blocks = blocks(found);
        if blocks == (0, 0) {
            blocks = nine_blocks(found, fluents);
        }
        let (columns, rows, levels) = match found.axes.len() {
            0 => (found.cells.iter().map(|it| it.names.join(" ")).collect(), no_rows, 1),
            1 => (values(0).to_vec(), no_rows, 1),
            2 => (values(0).to_vec(), values(1).to_vec(), 1),
            3 => (values(0).to_vec(), values(1).to_vec(), values(2).len()),
            _ => {
                blocks = (values(2).len(), values(3).len());
                (across(values(0), values(2)), across(values(1), values(3)), 1)
            }
        };
        if columns.len().max(rows.len()) > LONGEST_SIDE || columns.len() * rows.len() < 2 {
            return;
        }
        let place = |it: &groundfrog_knowledge::structures::Cell, number: usize| {
            let at = |axis: usize| it.coordinates.get(axis).map_or(0, |it| *it as usize);
            match found.axes.len() {
                0 => (0, number, 0),
                1 => (0, at(0), 0),
                2 | 3 => (at(2), at(0), at(1)),
                _ => (0, at(0) * blocks.0 + at(2), at(1) * blocks.1 + at(3)),
            }
        };
        let cells = (0..).zip(&found.cells);
        let mut places: FxHashMap<_, _> =
            cells.map(|(number, it)| (it.names.clone(), place(it, number))).collect();
        let (mut columns, mut rows) = (columns, rows);
        let lines = lines(found);
        if let Some(lines) = &lines {
            let longest = lines.iter().map(Vec::len).max().unwrap_or(0);
            columns = (1..=longest).map(|it| it.to_string()).collect();
            rows = (1..=lines.len()).map(|it| it.to_string()).collect();
            let at = lines.iter().enumerate().flat_map(|(row, line)| {
                line.iter()
                    .enumerate()
                    .map(move |(column, it)| (vec![it.clone()], (0, column, row)))
            });
            places = at.collect();
        }
        let is_strip = rows.len() == 1 && rows[0].is_empty();
        let is_quantity =
            is_strip && found.fluents.iter().any(|it| it.arguments.contains(&Argument::Quantity));
        let mut board = Board {
            shape: match found.shape {
                _ if lines.is_some() => BoardShape::Lines,
                Shape::Graph | Shape::Ring if is_quantity => BoardShape::Pits,
                Shape::Hexagonal => BoardShape::Hexagonal,
                Shape::Graph if is_strip && found.cells.len() <= 24 => BoardShape::Ring,
                Shape::Ring => BoardShape::Ring,
                Shape::Rings => BoardShape::Rings,
                _ => BoardShape::Grid,
            },
            names: match (lines.is_some() || found.axes.len() == 2)
                && found.cells.iter().all(|it| it.names.len() == 1)
            {
                true => places.iter().map(|(names, at)| (at.1, at.2, names[0].clone())).collect(),
                false => Vec::new(),
            },
            slant: slant(found),
            blocks,
            quantities: is_quantity,
            columns,
            rows,
            ..Board::default()
        };
        if matches!(board.shape, BoardShape::Ring | BoardShape::Rings) {
            board.links = links(found, |it| place(&found.cells[it], it));
        }
        if board.shape == BoardShape::Pits {
            board.columns = sown(&board.columns, all);
            places =
                (0..).zip(&board.columns).map(|(at, it)| (vec![it.clone()], (0, at, 0))).collect();
        }
        let first = &found.fluents[0];
        let ground = Ground {
            layers: found.layers.clone(),
            levels,
            places,
            order: order(first),
            ..Ground::default()
        };
        let number = self.add_ground(ground, &board);
        for (position, placed) in found.fluents.iter().enumerate() {
            // More about what is there already, unless each content has a fluent of its own.
            let secondary = position > 0
                && (first.content.is_none()
                    || first.output == Output::One && placed.output != Output::One);
            // Numbers and places that belong to what is there.
            let is_place = |leaf: usize| {
                let domain = fluents.get(&placed.pattern).map(|it| &it.domains[leaf]);
                let is_value = |it: &String| found.axes.iter().any(|axis| axis.values.contains(it));
                domain.is_some_and(|it| it.len() > 1 && it.iter().all(is_value))
            };
            let arguments = placed.arguments.iter().enumerate();
            let mut contents = arguments.filter(|(_, it)| **it == Argument::Content);
            let is_number = placed.arguments.contains(&Argument::Quantity);
            if !(secondary && (is_number || contents.any(|it| is_place(it.0)))) {
                self.draw(&placed.pattern, number, placed.arguments.clone(), secondary, fluents);
            }
        }
    }

    /// Things on things, and on what they are not: `(on a b)`, `(on a table)`; or in order on a few grounds: `(on disc peg)`. Whether
    /// it is such a board.
    fn add_pile(&mut self, found: &Found, fluents: &Patterns, moves: &Patterns) -> bool {
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

    /// Lines between the places of another board, or along their sides; or else between points of their own.
    fn add_edges(&mut self, found: &Found, fluents: &Patterns) {
        if found.axes.len() != 2 {
            return;
        }
        let values = [&found.axes[0].values, &found.axes[1].values];
        let within = |own: &[String], all: &[String]| own.iter().all(|it| all.contains(it));
        let host = |corner: usize| {
            self.grounds.iter().position(|it| {
                let board = &self.boards[it.boards[0]];
                it.boards.len() == 1
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
        let place = |it: &groundfrog_knowledge::structures::Cell| {
            (0, it.coordinates[0] as usize, it.coordinates[1] as usize)
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
    fn add_sides(&mut self, found: &Structures, fluents: &Patterns) {
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
    fn add_lines(&mut self, fluents: &Patterns) {
        let mut rest: Vec<&String> =
            fluents.keys().filter(|it| !self.fluents.contains_key(*it)).collect();
        rest.sort_unstable();
        for pattern in rest {
            let of = &fluents[pattern];
            if of.domains.len() != 4 {
                continue;
            }
            let fits = |it: &Ground| {
                let is_place = |row: &[String]| {
                    let names: Vec<&str> = row.iter().map(String::as_str).collect();
                    it.places.contains_key(&it.in_order(&names))
                };
                it.order.len() == 2
                    && it.boards.len() == 1
                    && it.edges == Edges::None
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

    fn add_stack(&mut self, stack: &Stack, sizes: Vec<usize>, fluents: &Patterns) {
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
    fn add_quantity(&mut self, quantity: &Quantity, fluents: &Patterns) {
        let pattern = quantity.pattern.replace('*', "_");
        let is_plain = quantity.keys.iter().all(|it| !it.contains(' ')) && quantity.keys.len() > 1;
        if self.fluents.contains_key(&pattern) || !is_plain || quantity.keys.len() > LONGEST_SIDE {
            return;
        }
        let arguments = quantity.pattern.chars().filter_map(|it| match it {
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

    /// Adds a board for each layer and level.
    fn add_ground(&mut self, mut ground: Ground, board: &Board) -> usize {
        let count = ground.layers.len().max(1) * ground.levels;
        for _ in 0..count {
            ground.boards.push(self.boards.len());
            self.boards.push(board.clone());
        }
        self.grounds.push(ground);
        self.grounds.len() - 1
    }

    fn draw(
        &mut self,
        pattern: &str,
        ground: usize,
        arguments: Vec<Argument>,
        secondary: bool,
        fluents: &Patterns,
    ) {
        let Some(of) = fluents.get(pattern) else { return };
        let is_content = |it: &Argument| matches!(it, Argument::Content | Argument::Quantity);
        let mut contents = arguments.iter().zip(&of.domains).filter(|it| is_content(it.0));
        let bare = contents.all(|it| it.1.len() == 1);
        let drawn = Drawn { ground, arguments, prefix: String::new(), secondary, bare };
        self.fluents.insert(pattern.to_owned(), drawn);
    }

    /// The steps of the moves of a pattern, on the board that fits most of it; of equals on the smallest one.
    fn steps(&self, moves: &Pattern) -> Vec<Step> {
        let all = (0..self.grounds.len()).map(|it| (it, self.steps_on(moves, it)));
        let best = all.max_by_key(|(ground, (quality, _))| {
            (*quality, Reverse((self.grounds[*ground].places.len(), *ground)))
        });
        best.map_or_else(Vec::new, |it| it.1.1)
    }

    /// The steps on one board, and how well they fit: places count more than columns.
    fn steps_on(&self, moves: &Pattern, number: usize) -> (usize, Vec<Step>) {
        let ground = &self.grounds[number];
        let board = &self.boards[ground.boards[0]];
        let (width, count) = (ground.order.len(), moves.domains.len());
        let (mut steps, mut used, mut leaf) = (Vec::new(), 0, 0);
        while leaf + width <= count && steps.len() < MOST_STEPS {
            let names = |row: &Vec<String>| {
                let names: Vec<&str> = row[leaf..leaf + width].iter().map(String::as_str).collect();
                ground.places.contains_key(&ground.in_order(&names))
            };
            if moves.rows.iter().all(names) {
                let leaves = (leaf..leaf + width).collect();
                steps.push(Step { ground: number, leaves, part: Part::Place, layer: None });
                (used, leaf) = (used + width, leaf + width);
            } else {
                leaf += 1;
            }
        }
        let is_line = matches!(ground.edges, Edges::Between { .. })
            && steps.len() == 2
            && !board.points.is_empty();
        let mut quality = 20 * used + width + usize::from(is_line)
            - usize::from(ground.edges != Edges::None && steps.len() != 2);
        if steps.is_empty() && width > 1 {
            let fits = |leaf: usize, names: &[String]| {
                moves.domains[leaf].iter().all(|it| names.contains(it))
                    && moves.domains[leaf].len() > 1
            };
            let sides = [(Part::Column, &board.columns), (Part::Row, &board.rows)];
            let side = (0..count).flat_map(|leaf| sides.map(|(part, names)| (leaf, part, names)));
            let Some((leaf, part, names)) = side.into_iter().find(|it| fits(it.0, it.2)) else {
                return (0, steps);
            };
            quality = 1 + usize::from(moves.domains[leaf].len() == names.len());
            steps.push(Step { ground: number, leaves: vec![leaf], part, layer: None });
        }
        if ground.layers.len() > 1 && !steps.is_empty() {
            let is_layer = |leaf: &usize| {
                !steps.iter().any(|it| it.leaves.contains(leaf))
                    && moves.domains[*leaf].iter().all(|it| ground.layers.contains(it))
            };
            let Some(layer) = (0..count).find(is_layer) else { return (0, Vec::new()) };
            steps.iter_mut().for_each(|it| it.layer = Some(layer));
        }
        (if steps.is_empty() { 0 } else { quality }, steps)
    }

    /// What nobody clicks on beside what is a board is told as facts: numbers of few keys, a lone mark that wanders on a grid of its own,
    /// and marks that are on no other board.
    fn forget_bookkeeping(&mut self, found: &Structures) {
        let is_strip = |it: &Board| it.rows.len() == 1 && it.shape != BoardShape::Stacks;
        let is_wanderer = |it: &Found| it.markers.len() == 1 && it.axes.len() > 1;
        let wanderers: FxHashSet<usize> = found
            .boards
            .iter()
            .filter(|it| is_wanderer(it))
            .filter_map(|it| Some(self.fluents.get(&it.fluents[0].pattern)?.ground))
            .collect();
        let mut has_main = false;
        let mut goes = Vec::new();
        for (number, ground) in self.grounds.iter().enumerate() {
            let board = &self.boards[ground.boards[0]];
            let clicked =
                || self.moves.values().flatten().map(|it| &self.grounds[it.ground].boards);
            let is_clicked = clicked().any(|it| *it == ground.boards);
            let is_bare = self.fluents.values().filter(|it| it.ground == number).all(|it| it.bare);
            let is_needless = match is_strip(board) {
                true => board.quantities || clicked().next().is_some() || self.grounds.len() > 1,
                false => {
                    wanderers.contains(&number) && self.grounds.len() > 1
                        || has_main && is_bare && ground.edges == Edges::None
                }
            };
            goes.push(is_needless && !is_clicked);
            has_main |= !goes[number];
        }
        self.fluents.retain(|_, it| !goes[it.ground]);
        let of = |wanted: bool| -> FxHashSet<usize> {
            let those = (0..goes.len()).filter(|&it| goes[it] == wanted);
            those.flat_map(|it| self.grounds[it].boards.clone()).collect()
        };
        let kept = of(false);
        let gone: FxHashSet<usize> = of(true).difference(&kept).copied().collect();
        let mut numbers = FxHashMap::default();
        let kept = (0..self.boards.len()).filter(|it| !gone.contains(it));
        for (new, old) in kept.enumerate() {
            numbers.insert(old, new);
        }
        let mut number = 0;
        self.boards.retain(|_| (!gone.contains(&number), number += 1).0);
        for ground in &mut self.grounds {
            ground.boards =
                ground.boards.iter().filter_map(|it| numbers.get(it).copied()).collect();
        }
    }

    /// Gives boards their titles, and contents the names of their fluents where a board has several.
    fn name_contents(&mut self) {
        let mut patterns: Vec<String> = self.fluents.keys().cloned().collect();
        patterns.sort_by_key(|it| (self.fluents[it].secondary, it.clone()));
        for (number, ground) in self.grounds.iter().enumerate() {
            let mut names: Vec<&str> = Vec::new();
            for pattern in &patterns {
                let name = functor(pattern);
                let Some(drawn) = self.fluents.get_mut(pattern) else { continue };
                if drawn.ground != number {
                    continue;
                }
                let has_content = (0..drawn.arguments.len()).any(|it| drawn.is_content(it));
                if !has_content || (!names.is_empty() && !names.contains(&name)) {
                    name.clone_into(&mut drawn.prefix);
                }
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            for (at, &board) in ground.boards.iter().enumerate() {
                let title = &mut self.boards[board].title;
                let layer = ground.layers.get(at / ground.levels).cloned();
                let level = (ground.levels > 1).then(|| (at % ground.levels + 1).to_string());
                let before = if title.is_empty() { Vec::new() } else { vec![title.clone()] };
                let own = names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>().join(", ");
                let parts = [(!own.is_empty()).then_some(own), layer, level].into_iter().flatten();
                let own: Vec<String> = parts.collect();
                *title = before
                    .into_iter()
                    .chain([own.join(" ")])
                    .filter(|it| !it.is_empty())
                    .collect::<Vec<_>>()
                    .join(", ");
            }
        }
    }
}

fn strip_ground(columns: &[String]) -> Ground {
    let places = columns.iter().enumerate().map(|(at, it)| (vec![it.clone()], (0, at, 0)));
    Ground { levels: 1, places: places.collect(), order: vec![0], ..Ground::default() }
}

/// The axes of the constants that name a place, in the order in which a fluent has them.
fn order(placed: &Placed) -> Vec<usize> {
    let axis = |it: &Argument| match *it {
        Argument::Coordinate { axis, end: 0 } => Some(axis),
        Argument::Cell { end: 0 } => Some(0),
        _ => None,
    };
    placed.arguments.iter().filter_map(axis).collect()
}

/// Columns and rows of the blocks of a board, if they are rectangles.
fn blocks(found: &Found) -> (usize, usize) {
    let (Some(&first), 2) = (found.blocks.first(), found.axes.len()) else { return (0, 0) };
    let own = found.cells.iter().zip(&found.blocks).filter(|it| *it.1 == first);
    let own: Vec<&Vec<i32>> = own.map(|it| &it.0.coordinates).collect();
    let side = |axis: usize| own.iter().map(|it| it[axis] as usize + 1).max().unwrap_or(0);
    let (width, height) = (side(0), side(1));
    let is_block = own.len() == width * height && own.len() < found.cells.len();
    if is_block { (width, height) } else { (0, 0) }
}

/// Blocks of a board of nine times nine places for nine numbers, whose rules name no relation that divides it.
fn nine_blocks(found: &Found, fluents: &Patterns) -> (usize, usize) {
    let placed = &found.fluents[0];
    let is_nine = found.axes.len() == 2 && found.axes.iter().all(|it| it.values.len() == 9);
    let content = placed.arguments.iter().position(|it| *it == Argument::Quantity);
    let domain = content.and_then(|it| Some(&fluents.get(&placed.pattern)?.domains[it]));
    if is_nine && domain.is_some_and(|it| it.len() == 9) { (3, 3) } else { (0, 0) }
}

/// To which side a row of a hexagonal board is shifted: neighbours go up and to the left, or up and to the right.
fn slant(found: &Found) -> i8 {
    let step = |&(one, other): &(usize, usize)| {
        let [one, other] = [&found.cells[one].coordinates, &found.cells[other].coordinates];
        (one.len() == 2).then(|| (other[0] - one[0]) * (other[1] - one[1]))
    };
    let is_right = found.neighbours.iter().filter_map(step).find(|it| *it != 0);
    if is_right.is_some_and(|it| it > 0) { -1 } else { 1 }
}

fn links(found: &Found, place: impl Fn(usize) -> (usize, usize, usize)) -> Vec<[usize; 4]> {
    let link = |&(one, other): &(usize, usize)| {
        let ((_, column, row), (_, to_column, to_row)) = (place(one), place(other));
        [column, row, to_column, to_row]
    };
    found.neighbours.iter().take(MOST_LINKS).map(link).collect()
}

/// Whether a fluent is a number, or a place, of each key: one of its coordinates follows from the others.
fn is_number_of_key(analysis: &Analysis, pattern: &str) -> bool {
    analysis.findings.iter().any(|finding| {
        let (Property::ExactlyOne { pattern: it } | Property::AtMostOne { pattern: it }) =
            &finding.property
        else {
            return false;
        };
        it.contains('_')
            && it.contains('*')
            && it.replace('*', "_") == pattern
            && !matches!(finding.verdict, Verdict::Refuted { .. })
    })
}

/// Cells that are called by a letter and a number, where the lines of the letters differ in length: the cells of each line.
fn lines(found: &Found) -> Option<Vec<Vec<String>>> {
    let mut lines: BTreeMap<char, BTreeMap<u32, String>> = BTreeMap::new();
    for cell in &found.cells {
        let [name] = &cell.names[..] else { return None };
        let letter = name.chars().next().filter(char::is_ascii_alphabetic)?;
        lines.entry(letter).or_default().insert(name[1..].parse().ok()?, name.clone());
    }
    let longest = lines.values().map(BTreeMap::len).max()?;
    let is_ragged = lines.len() > 2 && longest > 2 && lines.values().any(|it| it.len() < longest);
    is_ragged.then(|| lines.into_values().map(|it| it.into_values().collect()).collect())
}

/// Pits in the order in which they are sown: that of a ring, with those of others put in behind what comes before them there.
fn sown(pits: &[String], all: &Structures) -> Vec<String> {
    let mut order: Vec<String> = Vec::new();
    let rings = all.relations.iter().filter(|it| it.kind == RelationKind::Ring);
    for chain in rings.flat_map(|it| &it.chains).filter(|it| it.len() * 2 > pits.len()) {
        for (at, pit) in chain.iter().enumerate().filter(|it| pits.contains(it.1)) {
            if order.contains(pit) {
                continue;
            }
            let before = &chain[(at + chain.len() - 1) % chain.len()];
            let behind = order.iter().position(|it| it == before);
            order.insert(behind.map_or(order.len(), |it| it + 1), pit.clone());
        }
    }
    let rest: Vec<String> = pits.iter().filter(|it| !order.contains(it)).cloned().collect();
    order.into_iter().chain(rest).collect()
}

/// The sizes of things that are called by numbers; none of others.
fn sizes(stack: &Stack) -> Vec<usize> {
    let number = |it: &String| {
        let stem = it.trim_end_matches(|it: char| it.is_ascii_digit());
        it[stem.len()..].parse::<u32>().ok()
    };
    let numbers: Option<Vec<u32>> = stack.things.iter().map(number).collect();
    let Some(numbers) = numbers else { return Vec::new() };
    let rank = |it: &u32| numbers.iter().filter(|other| *other < it).count();
    numbers.iter().map(rank).collect()
}
