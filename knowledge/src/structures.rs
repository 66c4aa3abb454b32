//! Boards, counters, stacks, quantities and relations of a game, found by its rules and by what is proved of it, never by names.
//!
//! Arguments are of one sort if a variable joins them. A relation that does not change is a *successor* if it is functional, injective
//! and antisymmetric, a *ring* if it goes round, an *order* if it is antisymmetric and transitive (Thielscher's tutorial at IJCAI
//! 2009, slides 69 to 77). An argument of a fluent is an axis if a successor or ring of its sort has all of its values.

mod axes;
mod boards;
mod cells;
pub(crate) mod contents;
mod fluents;
mod neighbours;
mod readings;
mod relations;
mod sorts;

use std::time::Duration;

use groundfrog::description::Description;
use groundfrog::game::GroundGame;
use groundfrog_reasoner::{GroundReasoner, ReasonerError};
use serde::{Deserialize, Serialize};

use crate::analysis::Analysis;

/// A relation that does not change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relation {
    /// As KIF, with `*` for the two arguments that it relates: `(succ * *)`, `(step north * *)`.
    pub pattern: String,
    /// What it is.
    pub kind: RelationKind,
    /// The constants of each chain of a successor, or of each ring, one after the other.
    pub chains: Vec<Vec<String>>,
}

/// What a relation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RelationKind {
    /// Antisymmetric, functional and injective, with an end.
    Successor,
    /// A successor that goes round.
    Ring,
    /// Antisymmetric and transitive.
    Order,
}

/// What tells the places of a board apart in one direction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axis {
    /// What orders the values.
    pub kind: AxisKind,
    /// The relation, as its pattern.
    pub relation: Option<String>,
    /// The relation that goes the other way, if there is one.
    pub reverse: Option<String>,
    /// Whether the rules tell one direction from the other. If not, names did, and the other direction is as good.
    pub is_directed: bool,
    /// The values in order. Coordinates of cells are positions in this list.
    pub values: Vec<String>,
}

/// What orders the values of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AxisKind {
    /// A successor relation.
    Line,
    /// A ring: behind the last comes the first.
    Ring,
    /// No relation: names did.
    Unordered,
}

/// How the places of a board lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Places in rows: one to four axes. With three, the last tells levels; with four, the first two tell small boards, and the
    /// last two the places in these, or as they stand in [`Board::blocks`].
    Grid,
    /// A grid of two axes of which each inner place has six neighbours.
    Hexagonal,
    /// Rings within each other: one axis goes round, and not each place has a neighbour across.
    Rings,
    /// One ring.
    Ring,
    /// Places and which are neighbours: [`Board::neighbours`].
    Graph,
    /// The contents lie between neighbouring points, which are the cells.
    Edges,
    /// Places without a known order.
    Places,
}

/// What a constant of a fluent is on its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "argument")]
pub enum Argument {
    /// A coordinate.
    Coordinate {
        /// Of this axis.
        axis: usize,
        /// 0, or 1 for the second point of an edge.
        end: usize,
    },
    /// A cell by its only name.
    Cell {
        /// 0, or 1 for the second point of an edge.
        end: usize,
    },
    /// Tells one of several boards that look the same.
    Layer,
    /// A part of the content.
    Content,
    /// The content is a number.
    Quantity,
}

/// How many of the fluents of a place hold at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Output {
    /// Just one.
    One,
    /// None or one.
    AtMostOne,
    /// Any number.
    Several,
}

/// Fluents of one pattern on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    /// As KIF, with `_` for each constant.
    pub pattern: String,
    /// What each constant is, from left to right.
    pub arguments: Vec<Argument>,
    /// Its content if no argument tells it: the name of the fluent.
    pub content: Option<String>,
    /// How many of these fluents hold at a place.
    pub output: Output,
    /// Whether that is proved.
    pub is_proved: bool,
}

/// A place of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The constants that name it: one for each axis, or a single one.
    pub names: Vec<String>,
    /// Its place on each axis. Empty if there is no grid.
    pub coordinates: Vec<i32>,
}

/// What can be on the cells of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marker {
    /// The constants of the content, or the name of its fluent.
    pub content: String,
    /// Proved: on one cell at most at a time.
    pub is_piece: bool,
}

/// A board. To draw one:
///
/// 1. Lay out the [`cells`](Board::cells) by their coordinates, which begin with 0: the first axis goes across, the second upwards (see
///    [`Axis::is_directed`]). Where these are empty, by [`neighbours`](Board::neighbours).
/// 2. For each fluent that holds, find the [`Placed`] whose pattern has the same functions at the same places. Its constants from left
///    to right are what [`Placed::arguments`] say: those of coordinates are the cell's names, those of the content what to draw there.
/// 3. Draw first what is on [`Shape::Edges`]: a fluent has two cells, `end` 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    /// What is on it. The first is what the board was found by.
    pub fluents: Vec<Placed>,
    /// How its places lie.
    pub shape: Shape,
    /// Its axes: none if a place has a single name that no grid fits.
    pub axes: Vec<Axis>,
    /// The values of [`Argument::Layer`].
    pub layers: Vec<String>,
    /// The places.
    pub cells: Vec<Cell>,
    /// Pairs of cells that a relation makes neighbours, the smaller number first.
    pub neighbours: Vec<(usize, usize)>,
    /// By cell: a number that cells of one block share, if a relation divides the board into blocks.
    pub blocks: Vec<usize>,
    /// What can be on it.
    pub markers: Vec<Marker>,
}

/// A fluent that counts on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counter {
    /// As KIF, with `*` for the number.
    pub pattern: String,
    /// Its values, in the order in which it takes them.
    pub values: Vec<String>,
    /// Whether each joint move goes on to the next value; otherwise some do not change it.
    pub is_clock: bool,
}

/// Numbers that change: one, or one for each key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quantity {
    /// As KIF, with `*` for the number and `_` for the key.
    pub pattern: String,
    /// Its values, in order.
    pub values: Vec<String>,
    /// The keys.
    pub keys: Vec<String>,
}

/// Things that are on each other: `(on a b)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stack {
    /// As KIF.
    pub pattern: String,
    /// Which constant is the thing above: 0 or 1.
    pub above: usize,
    /// What is on something.
    pub things: Vec<String>,
    /// What only bears things.
    pub grounds: Vec<String>,
}

/// What a game is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Structures {
    /// Relations that order constants.
    pub relations: Vec<Relation>,
    /// Boards, those with more cells first.
    pub boards: Vec<Board>,
    /// Fluents that count on.
    pub counters: Vec<Counter>,
    /// Numbers that change.
    pub quantities: Vec<Quantity>,
    /// Things on things.
    pub stacks: Vec<Stack>,
}

/// Finds the structures of a game. `analysis` is what is proved of it; that pieces are such is proved here, within `time`.
///
/// # Errors
/// Those of the reasoner.
pub fn structures(
    description: &Description,
    reasoner: &mut GroundReasoner,
    analysis: &Analysis,
    time: Duration,
) -> Result<Structures, ReasonerError> {
    let game = std::sync::Arc::clone(reasoner.game());
    let mut found = boards::find(description, &game, analysis);
    contents::find_pieces(&mut found, reasoner, analysis, time)?;
    Ok(found)
}

/// Finds the structures of a game by what is known of it, whose markers are taken for no pieces. Of `game` only the roles, the
/// fluents and the initial state are looked at.
pub fn structures_of_fluents(
    description: &Description,
    game: &GroundGame,
    analysis: &Analysis,
) -> Structures {
    boards::find(description, game, analysis)
}
