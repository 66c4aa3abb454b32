//! The saved form of a ground game, for serde. What is derived from the rest is not saved but found again,
//! and everything else is checked: no data, however damaged, make a game that breaks its invariants.

mod load;

use groundfrog_engine::{Constants, Table};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{AtomKind, GroundGame, InvalidGame, TermShape};
use crate::description::Term;

/// What is saved. Numbers refer to positions in the lists before them.
#[derive(Serialize, Deserialize)]
struct Saved {
    format: String,
    version: u32,
    symbols: Vec<String>,
    tables: Vec<SavedTable>,
    spaces: Vec<SavedSpace>,
    /// Atoms in no table: space and constants.
    extra: Vec<(u32, Vec<u32>)>,
    roles: Vec<Vec<TermPart>>,
    /// Atoms.
    init: Vec<u32>,
    heads: Vec<u32>,
    /// Lengths of the bodies.
    lengths: Vec<u32>,
    /// As [`super::GroundLiteral::code`].
    literals: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
struct SavedTable {
    arity: u32,
    rows: u32,
    values: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
struct SavedSpace {
    kind: AtomKind,
    predicate: u32,
    /// The arguments.
    shape: Vec<TermPart>,
    table: u32,
    rows: u32,
}

/// A part of a term, each function before its arguments: a flat list cannot be nested too deep for the
/// reader's stack.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum TermPart {
    /// Any constant.
    Hole,
    /// A symbol.
    Constant(u32),
    /// A symbol and how many arguments follow.
    Function(u32, u32),
}

impl Serialize for GroundGame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Saved::new(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for GroundGame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Saved::deserialize(deserializer)?.load().map_err(serde::de::Error::custom)
    }
}

impl Saved {
    fn new(game: &GroundGame) -> Self {
        let rules = &game.rules;
        let extra = |number| {
            let (space, constants) = game.extra.get(number).expect("below the length");
            (space, constants.to_vec())
        };
        Saved {
            format: InvalidGame::FORMAT.to_owned(),
            version: InvalidGame::VERSION,
            symbols: game.symbols.iter().map(|(_, name)| name.to_owned()).collect(),
            tables: game.tables.iter().map(SavedTable::new).collect(),
            spaces: game.spaces.iter().map(SavedSpace::new).collect(),
            extra: (0..game.extra.len()).map(extra).collect(),
            roles: game.roles.iter().map(term_nodes).collect(),
            init: game.init.iter().map(|atom| atom.0).collect(),
            heads: rules.heads().to_vec(),
            lengths: rules.iter().map(|rule| rule.body.len() as u32).collect(),
            literals: rules.literals().iter().map(|literal| literal.code()).collect(),
        }
    }
}

impl SavedTable {
    fn new(table: &Table) -> Self {
        SavedTable {
            arity: table.arity() as u32,
            rows: table.len() as u32,
            values: table.rows().flat_map(Constants::iter).collect(),
        }
    }
}

impl SavedSpace {
    fn new(space: &super::Space) -> Self {
        let mut shape = Vec::new();
        space.shape.arguments.iter().for_each(|argument| shape_nodes(argument, &mut shape));
        SavedSpace {
            kind: space.kind,
            predicate: space.shape.predicate.0,
            shape,
            table: space.table as u32,
            rows: space.len,
        }
    }
}

fn shape_nodes(shape: &TermShape, nodes: &mut Vec<TermPart>) {
    match shape {
        TermShape::Constant => nodes.push(TermPart::Hole),
        TermShape::Function(functor, arguments) => {
            nodes.push(TermPart::Function(functor.0, arguments.len() as u32));
            arguments.iter().for_each(|argument| shape_nodes(argument, nodes));
        }
    }
}

fn term_nodes(term: &Term) -> Vec<TermPart> {
    fn add(term: &Term, nodes: &mut Vec<TermPart>) {
        match term {
            Term::Variable(name) | Term::Constant(name) => nodes.push(TermPart::Constant(name.0)),
            Term::Compound(compound) => {
                nodes.push(TermPart::Function(compound.functor.0, compound.arguments.len() as u32));
                compound.arguments.iter().for_each(|argument| add(argument, nodes));
            }
        }
    }
    let mut nodes = Vec::new();
    add(term, &mut nodes);
    nodes
}
