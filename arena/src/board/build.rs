//! From what is known of a game to what is drawn.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::description::{Description, Printer, Term};
use groundfrog::symbols::Symbols;
use groundfrog_knowledge::structures::{
    Argument, Board as Found, Output, Placed, RelationKind, Shape, Structures, structures,
};
use groundfrog_knowledge::{Analysis, AnalysisOptions, Property, Verdict, analyse};
use groundfrog_reasoner::{FluentId, GroundReasoner, MoveId, Vocabulary};

use super::{Board, BoardShape, Drawn, Ground, Known, Layout, Look, between};

/// No more columns or rows than this are a board.
pub(super) const LONGEST_SIDE: usize = 64;
/// No more fluents or moves than this are looked at.
const MOST_TERMS: usize = 400_000;
/// Neighbours that are drawn as lines, at most.
const MOST_LINKS: usize = 200;

/// What the terms of a pattern have in common: for each constant the values that it can have, and the terms.
#[derive(Debug, Default)]
pub(super) struct Pattern {
    pub(super) domains: Vec<FxHashSet<String>>,
    pub(super) rows: Vec<Vec<String>>,
}

pub(super) type Patterns = FxHashMap<String, Pattern>;

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
        let mut layout = Layout::of_structures(&analysis, &found, reasoner, look);
        layout.known = Some(Arc::new(Known { analysis, structures: found }));
        layout
    }

    /// The layout of what is known of a game.
    pub(super) fn of_structures(
        analysis: &Analysis,
        found: &Structures,
        reasoner: &mut GroundReasoner,
        look: &Look,
    ) -> Self {
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
            layout.add_stack(stack, between::sizes(stack), &fluents);
        }
        let (edges, boards): (Vec<&Found>, Vec<&Found>) =
            found.boards.iter().partition(|it| it.shape == Shape::Edges);
        boards.into_iter().for_each(|it| layout.add_board(it, found, &fluents, &moves));
        edges.into_iter().for_each(|it| layout.add_edges(it, &fluents));
        found.quantities.iter().for_each(|it| layout.add_quantity(it, &fluents));
        layout.add_sides(found, &fluents);
        layout.add_lines(&fluents);
        let is_fact = |pattern: &str, it: &Drawn| {
            look.facts.iter().any(|fact| fact == functor(pattern))
                || it.secondary && it.bare && is_number_of_key(analysis, pattern)
        };
        layout.fluents.retain(|pattern, it| !is_fact(pattern, it));
        for (pattern, of) in &moves {
            let steps = layout.steps(of);
            if !steps.is_empty() {
                layout.moves.insert(pattern.clone(), steps);
            }
        }
        layout.find_names(&moves);
        layout.forget_bookkeeping(found);
        layout.name_contents();
        if let (Some(shape), Some(board)) = (look.shape, layout.boards.first_mut()) {
            board.shape = shape;
        }
        layout.find_blanks(found, reasoner, look);
        layout.find_contents(found, reasoner);
        layout.find_blocks(reasoner);
        layout.find_orientation(reasoner);
        layout
    }

    fn add_board(&mut self, found: &Found, all: &Structures, fluents: &Patterns, moves: &Patterns) {
        if found.axes.len() < 2 && found.fluents.len() == 1 && self.add_pile(found, fluents, moves)
        {
            return;
        }
        let is_of_stack = |ground: &Ground| {
            self.boards[ground.boards[0]].shape == BoardShape::Stacks
                && found.cells.iter().all(|cell| ground.places.contains_key(&cell.names))
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
        let place = |cell: &groundfrog_knowledge::structures::Cell, number: usize| {
            let at = |axis: usize| cell.coordinates.get(axis).map_or(0, |it| *it as usize);
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

    /// Adds a board for each layer and level.
    pub(super) fn add_ground(&mut self, mut ground: Ground, board: &Board) -> usize {
        let count = ground.layers.len().max(1) * ground.levels;
        for _ in 0..count {
            ground.boards.push(self.boards.len());
            self.boards.push(board.clone());
        }
        self.grounds.push(ground);
        self.grounds.len() - 1
    }

    pub(super) fn draw(
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

/// The axes of the constants that name a place, in the order in which a fluent has them.
pub(super) fn order(placed: &Placed) -> Vec<usize> {
    let axis = |argument: &Argument| match *argument {
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

// Patterns of terms: what is the same in terms that differ in constants only.

/// A term as its pattern, in which each constant is `_`, and its constants. A term that is a constant is its own pattern.
#[derive(Clone, Debug, Default)]
pub(super) struct Flat {
    pub(super) pattern: String,
    pub(super) leaves: Vec<String>,
}

impl Flat {
    pub(super) fn new(term: &Term, symbols: &Symbols) -> Self {
        let mut flat = Flat::default();
        match term {
            Term::Constant(name) | Term::Variable(name) => {
                symbols.name(*name).clone_into(&mut flat.pattern)
            }
            Term::Compound(_) => flat.add(term, symbols),
        }
        flat
    }

    fn add(&mut self, term: &Term, symbols: &Symbols) {
        match term {
            Term::Compound(it) => {
                let _ = write!(self.pattern, "({}", symbols.name(it.functor));
                for argument in &it.arguments {
                    self.pattern.push(' ');
                    self.add(argument, symbols);
                }
                self.pattern.push(')');
            }
            Term::Constant(name) | Term::Variable(name) => {
                self.pattern.push('_');
                self.leaves.push(symbols.name(*name).to_owned());
            }
        }
    }
}

/// The functions of a pattern: `cell` of `(cell _ _ _)`, `at` of `(at (cell _ _) _)`.
pub(super) fn functor(pattern: &str) -> &str {
    let inner = pattern.trim_start_matches('(');
    inner.split([' ', ')', '(']).next().unwrap_or(pattern)
}

fn leaf_count(term: &Term) -> usize {
    match term {
        Term::Compound(it) => it.arguments.iter().map(leaf_count).sum(),
        Term::Constant(_) | Term::Variable(_) => 1,
    }
}

/// What is written of a fluent at its place: all leaves that are content, with the functions that have nothing else.
pub(super) fn content(
    fluent: &Term,
    symbols: &Symbols,
    prefix: &str,
    is_content: impl Fn(usize) -> bool,
) -> String {
    let mut text = prefix.to_owned();
    write_content(fluent, true, &mut 0, symbols, &is_content, &mut text);
    text
}

fn write_content(
    term: &Term,
    is_top: bool,
    leaf: &mut usize,
    symbols: &Symbols,
    is_content: &impl Fn(usize) -> bool,
    text: &mut String,
) {
    let mut word = |word: &dyn std::fmt::Display| {
        let space = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{space}{word}");
    };
    match term {
        Term::Compound(compound) => {
            let last = *leaf + leaf_count(term);
            if !is_top && (*leaf..last).all(is_content) && last > *leaf {
                word(&Printer::new(symbols).term(term));
                *leaf = last;
                return;
            }
            for argument in &compound.arguments {
                write_content(argument, false, leaf, symbols, is_content, text);
            }
        }
        Term::Constant(name) | Term::Variable(name) => {
            if is_content(*leaf) {
                word(&symbols.name(*name));
            }
            *leaf += 1;
        }
    }
}
