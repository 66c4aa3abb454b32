//! A board to look at, made from what is proved of a game.
//!
//! [`Layout`] says where each fluent of a game is drawn: on the boards that [`structures`](groundfrog_knowledge::structures()) finds, on stacks, or in a list of
//! facts. Numbers and states that belong to things on a board, but are none themselves, are facts too. Moves whose arguments are places
//! are clicks on the same boards. A game's hint file, a [`Look`], overrides what the rules say.

mod between;
mod build;
mod contents;
mod gallery;
mod sketch;
mod steps;

use std::sync::Arc;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::description::Term;
use groundfrog::symbols::Symbols;
use groundfrog_knowledge::structures::Argument;
use groundfrog_knowledge::{Analysis, Structures};
use groundfrog_reasoner::{FluentId, GroundReasoner, Vocabulary};

use build::Flat;
pub use contents::Content;
pub use gallery::{Drawing, Look, LookError, Picture, gallery, gallery_script};
pub use steps::{MoveWords, ShownMove};

/// Where fluents are drawn and moves are clicked.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    boards: Vec<Board>,
    grounds: Vec<Ground>,
    /// How the fluents of a pattern are drawn.
    fluents: FxHashMap<String, Drawn>,
    /// How the moves of a pattern are clicked.
    moves: FxHashMap<String, Vec<Step>>,
    /// The name of most moves that go from one place to another.
    plain: String,
    /// Patterns of moves of which words do not tell the functions within: others have the same name.
    nested: FxHashSet<String>,
    first_row_below: bool,
    known: Option<Arc<Known>>,
}

/// What is known of a game whose layout was made.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Known {
    /// What is proved of it.
    #[serde(flatten)]
    pub analysis: Analysis,
    /// What it is made of.
    pub structures: Structures,
}

/// How the places of a board lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardShape {
    /// Columns and rows, or one row.
    #[default]
    Grid,
    /// Rows of which each is half a place further than the one before: six neighbours.
    Hexagonal,
    /// One line that goes round.
    Ring,
    /// Rings within each other.
    Rings,
    /// Lines of several lengths, of places with six neighbours.
    Lines,
    /// Two rows of numbers of things that are sown around.
    Pits,
    /// Things on things: each column is a thing, and its content is what it is on.
    Stacks,
}

/// A board.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Board {
    /// What it shows: the names of the fluents, and the layer if there are several.
    pub title: String,
    /// How its places lie.
    pub shape: BoardShape,
    /// The names of the columns, first to last.
    pub columns: Vec<String>,
    /// The names of the rows, first to last; a single one without a name where places have one number.
    pub rows: Vec<String>,
    /// The names of places that have one of their own, by column and row.
    pub names: Vec<(usize, usize, String)>,
    /// Hexagonal: whether a row lies half a place to the right (1) or left (-1) of the one before.
    pub slant: i8,
    /// Columns and rows of the blocks that the board is made of; 0 without such.
    pub blocks: (usize, usize),
    /// Neighbours, where these are not plain: the columns and rows of two places.
    pub links: Vec<[usize; 4]>,
    /// Points between which lines are drawn.
    pub points: Vec<(f32, f32)>,
    /// Stacks: the columns of what only bears other things.
    pub bases: Vec<usize>,
    /// Stacks: the rank of each thing where they have sizes, from the smallest.
    pub sizes: Vec<usize>,
    /// Whether what is at a place is how many.
    pub quantities: bool,
    /// The content that is drawn as an empty place.
    pub blank: Option<String>,
    /// All that can be at a place.
    pub contents: Vec<Content>,
    /// Columns and rows where nothing can be.
    pub holes: Vec<(usize, usize)>,
}

/// Where a fluent is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// On a board.
    Cell {
        /// The board's number.
        board: usize,
        /// The column, from 0.
        column: usize,
        /// The row, from 0.
        row: usize,
        /// What is there, as KIF.
        content: String,
    },
    /// A line between two places of a board.
    Edge(Edge, String),
    /// In the list.
    Fact,
}

/// A line: the board's number, and the columns and rows of its ends, where whole numbers are the middles of places.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Edge(pub usize, pub f32, pub f32, pub f32, pub f32);

/// Where the fluents of a state are drawn.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct DrawnState {
    /// Board, column, row and content.
    pub cells: Vec<(usize, usize, usize, String)>,
    /// Lines between places: board, columns and rows of the ends, content.
    pub edges: Vec<(usize, f32, f32, f32, f32, String)>,
    /// What is on no board, as KIF.
    pub facts: Vec<String>,
}

impl DrawnState {
    /// The drawing of fluents in KIF.
    pub fn new(
        layout: &Layout,
        rules: &mut (impl Vocabulary + ?Sized),
        fluents: &[String],
    ) -> Self {
        let mut drawing = DrawnState::default();
        for text in fluents {
            let found = rules.find_fluent(text).map(|it| rules.fluent(it));
            match found.map(|it| layout.place(&it, rules.symbols())) {
                Some(Place::Cell { board, column, row, content }) => {
                    drawing.cells.push((board, column, row, content));
                }
                Some(Place::Edge(it, content)) => {
                    drawing.edges.push((it.0, it.1, it.2, it.3, it.4, content));
                }
                Some(Place::Fact) | None => drawing.facts.push(text.clone()),
            }
        }
        drawing
    }
}

/// A click that belongs to a move: a place, or any place of a column or row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Click {
    /// The board's number.
    pub board: usize,
    /// The column, unless it can be any.
    pub column: Option<usize>,
    /// The row, unless it can be any.
    pub row: Option<usize>,
}

/// Boards that look the same, and the names of their places.
#[derive(Clone, Debug, Default)]
struct Ground {
    /// By layer, and in a layer by level.
    boards: Vec<usize>,
    layers: Vec<String>,
    levels: usize,
    /// By the names of a place: level, column and row.
    places: FxHashMap<Vec<String>, (usize, usize, usize)>,
    /// Constants of a name, and the axis of each in the order in which fluents have them.
    order: Vec<usize>,
    /// Whether what lies on it is between its places.
    edges: Edges,
}

/// What lines are drawn for the places of a ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Edges {
    /// None: the places are drawn.
    #[default]
    None,
    /// From one place to another, each so far from the middle of what is drawn.
    Between { corner: f32 },
    /// The side above each place, or to its left.
    Side { is_row: bool },
}

/// How the fluents of a pattern are drawn.
#[derive(Clone, Debug)]
struct Drawn {
    ground: usize,
    arguments: Vec<Argument>,
    /// Written before the content where a board has fluents of several names.
    prefix: String,
    /// Whether it says more of what is there by another fluent.
    secondary: bool,
    /// Whether it is there or not: its content is always the same.
    bare: bool,
}

/// Which leaves of a move are a click.
#[derive(Clone, Debug)]
struct Step {
    ground: usize,
    /// The leaves that name the place; or one that names its column or row.
    leaves: Vec<usize>,
    part: Part,
    layer: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Place,
    Column,
    Row,
}

impl Layout {
    /// The boards.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// How many clicks a move has at most.
    pub fn most_clicks(&self) -> usize {
        self.moves.values().map(Vec::len).max().unwrap_or(0)
    }

    /// What is known of the game; `None` of one without a layout.
    pub fn known(&self) -> Option<&Known> {
        self.known.as_deref()
    }

    /// Whether the first row of the boards is to be drawn below all others.
    pub fn first_row_below(&self) -> bool {
        self.first_row_below
    }

    /// Where a fluent is drawn.
    pub fn place(&self, fluent: &Term, symbols: &Symbols) -> Place {
        let flat = Flat::new(fluent, symbols);
        let Some(drawn) = self.fluents.get(&flat.pattern) else { return Place::Fact };
        let ground = &self.grounds[drawn.ground];
        let content = || build::content(fluent, symbols, &drawn.prefix, |it| drawn.is_content(it));
        let layer = drawn.arguments.iter().position(|it| *it == Argument::Layer);
        let end = |end: usize| {
            let names = drawn.names(&flat.leaves, end);
            ground.find(&names, layer.map(|it| flat.leaves[it].as_str()))
        };
        let Some((board, column, row)) = end(0) else { return Place::Fact };
        if ground.edges == Edges::None {
            return Place::Cell { board, column, row, content: content() };
        }
        match ground.line((board, column, row), end(1)) {
            Some(edge) => Place::Edge(edge, content()),
            None => Place::Fact,
        }
    }

    /// Where each fluent of a game is drawn.
    fn places(&self, reasoner: &GroundReasoner) -> impl Iterator<Item = (FluentId, Place)> {
        let all = (0..reasoner.game().fluents().len() as u32).map(FluentId);
        all.map(|it| (it, self.place(&reasoner.fluent(it), reasoner.symbols())))
    }

    /// The clicks that make a move, in order; none if its arguments are no places.
    pub fn clicks(&self, action: &Term, symbols: &Symbols) -> Vec<Click> {
        let flat = Flat::new(action, symbols);
        let Some(steps) = self.moves.get(&flat.pattern) else { return Vec::new() };
        let click = |step: &Step| self.click(step, &flat.leaves);
        steps.iter().map(click).collect::<Option<Vec<_>>>().unwrap_or_default()
    }

    /// The line that a move draws, if it is one between two places.
    pub fn edge(&self, action: &Term, symbols: &Symbols) -> Option<Edge> {
        let flat = Flat::new(action, symbols);
        let steps = self.moves.get(&flat.pattern)?;
        let ground = &self.grounds[steps.first()?.ground];
        if self.boards[ground.boards[0]].points.is_empty() || steps.len() > 2 {
            return None;
        }
        let place = |step: &Step| {
            let click = self.click(step, &flat.leaves)?;
            Some((click.board, click.column?, click.row?))
        };
        ground.line(place(&steps[0])?, steps.get(1).and_then(place))
    }

    fn click(&self, step: &Step, leaves: &[String]) -> Option<Click> {
        let ground = &self.grounds[step.ground];
        let names: Vec<&str> = step.leaves.iter().map(|&it| leaves[it].as_str()).collect();
        let layer = step.layer.map(|it| leaves[it].as_str());
        let find = |all: &[String]| all.iter().position(|it| it == names[0]);
        let board = || ground.board(layer, 0);
        match step.part {
            Part::Place => {
                let (board, column, row) = ground.find(&ground.in_order(&names), layer)?;
                Some(Click { board, column: Some(column), row: Some(row) })
            }
            Part::Column => {
                let board = board()?;
                let column = Some(find(&self.boards[board].columns)?);
                Some(Click { board, column, row: None })
            }
            Part::Row => {
                let board = board()?;
                let row = Some(find(&self.boards[board].rows)?);
                Some(Click { board, column: None, row })
            }
        }
    }
}

impl Ground {
    /// Names in the order of the axes.
    fn in_order(&self, names: &[&str]) -> Vec<String> {
        let mut sorted = vec![String::new(); names.len()];
        for (name, &axis) in names.iter().zip(&self.order) {
            sorted[axis] = (*name).to_owned();
        }
        sorted
    }

    fn board(&self, layer: Option<&str>, level: usize) -> Option<usize> {
        let layer = match layer {
            None => 0,
            Some(layer) => self.layers.iter().position(|it| it == layer)?,
        };
        self.boards.get(layer * self.levels + level).copied()
    }

    /// The line of a place, or from one place to another.
    fn line(&self, from: (usize, usize, usize), to: Option<(usize, usize, usize)>) -> Option<Edge> {
        let (board, column, row) = (from.0, from.1 as f32, from.2 as f32);
        match self.edges {
            Edges::None => None,
            Edges::Between { corner } => {
                let (_, to_column, to_row) = to?;
                let (to_column, to_row) = (to_column as f32 - corner, to_row as f32 - corner);
                Some(Edge(board, column - corner, row - corner, to_column, to_row))
            }
            Edges::Side { is_row: true } => {
                Some(Edge(board, column - 0.5, row - 0.5, column + 0.5, row - 0.5))
            }
            Edges::Side { is_row: false } => {
                Some(Edge(board, column - 0.5, row - 0.5, column - 0.5, row + 0.5))
            }
        }
    }

    /// Board, column and row of a place.
    fn find(&self, names: &[String], layer: Option<&str>) -> Option<(usize, usize, usize)> {
        let &(level, column, row) = self.places.get(names)?;
        Some((self.board(layer, level)?, column, row))
    }
}

impl Drawn {
    fn is_content(&self, leaf: usize) -> bool {
        matches!(self.arguments[leaf], Argument::Content | Argument::Quantity)
    }

    /// The names of one of the places that a fluent has, in the order of the axes.
    fn names(&self, leaves: &[String], wanted: usize) -> Vec<String> {
        let mut names: Vec<(usize, String)> = Vec::new();
        for (argument, leaf) in self.arguments.iter().zip(leaves) {
            match *argument {
                Argument::Coordinate { axis, end } if end == wanted => {
                    names.push((axis, leaf.clone()));
                }
                Argument::Cell { end } if end == wanted => names.push((0, leaf.clone())),
                _ => {}
            }
        }
        names.sort_by_key(|it| it.0);
        names.into_iter().map(|it| it.1).collect()
    }
}
