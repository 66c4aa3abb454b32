//! Moves by their pieces and places.

use std::fmt;

use fxhash::FxHashMap;
use groundfrog::description::Term;
use groundfrog::symbols::Symbols;

use super::pattern::{self, Flat};
use super::{Click, Layout};

/// A move in words: what moves from where to where, and what else it says. Its [`Display`](fmt::Display) is `wn g1 to f3`.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct MoveWords {
    /// The name of the move, unless what moves says enough.
    pub name: String,
    /// What moves, as [`Place::Cell`](super::Place::Cell) has it.
    pub piece: String,
    /// The board that it is on.
    pub board: usize,
    /// The places.
    pub places: Vec<String>,
    /// What else it says.
    pub rest: String,
}

impl fmt::Display for MoveWords {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = self.places.join(" to ");
        let words = [&self.name, &self.piece, &places].into_iter().filter(|it| !it.is_empty());
        let text = words.map(String::as_str).collect::<Vec<_>>().join(" ");
        match self.rest.is_empty() {
            true => out.write_str(&text),
            false => write!(out, "{text}: {}", self.rest),
        }
    }
}

impl Layout {
    /// Moves of one role in words, where `held` tells what is at a place; `None` where a move has no places, or another would be said
    /// alike.
    pub fn words<'t>(
        &self,
        moves: impl Iterator<Item = &'t Term>,
        symbols: &Symbols,
        held: impl Fn(&Click) -> Option<String>,
    ) -> Vec<Option<MoveWords>> {
        let full: Vec<Option<MoveWords>> = moves.map(|it| self.say(it, symbols, &held)).collect();
        let brief = |words: &MoveWords| match words.piece.is_empty() {
            true => words.clone(),
            false => MoveWords { name: String::new(), ..words.clone() },
        };
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        for words in full.iter().flatten() {
            *counts.entry(words.to_string()).or_default() += 1;
            if !words.piece.is_empty() {
                *counts.entry(brief(words).to_string()).or_default() += 1;
            }
        }
        let is_one = |it: &MoveWords| counts[&it.to_string()] == 1;
        let chosen =
            |words: MoveWords| Some(brief(&words)).filter(is_one).or(Some(words).filter(is_one));
        full.into_iter().map(|it| it.and_then(chosen)).collect()
    }

    fn say(
        &self,
        action: &Term,
        symbols: &Symbols,
        held: &impl Fn(&Click) -> Option<String>,
    ) -> Option<MoveWords> {
        let flat = Flat::new(action, symbols);
        let steps = self.moves.get(&flat.pattern)?;
        let clicks = self.clicks(action, symbols);
        let first = clicks.first()?;
        let blank = self.boards[first.board].blank.as_ref();
        let is_edge = self.edge(action, symbols).is_some();
        let piece = (clicks.len() > 1 && !is_edge).then(|| held(first)).flatten();
        let piece = piece.filter(|it| Some(it) != blank).unwrap_or_default();
        let used = |leaf: &usize| {
            steps.iter().any(|it| it.leaves.contains(leaf) || it.layer == Some(*leaf))
        };
        let own: Vec<&str> = piece.split([' ', '(', ')']).collect();
        let rest = (0..flat.leaves.len()).filter(|it| !used(it)).map(|it| flat.leaves[it].as_str());
        let rest: Vec<&str> = rest.filter(|it| !own.contains(it)).collect();
        Some(MoveWords {
            name: pattern::functor(&flat.pattern).to_owned(),
            piece,
            board: first.board,
            places: clicks.iter().map(|it| self.place_name(it)).collect(),
            rest: rest.join(" "),
        })
    }

    /// A place as people write it: `g1`, `3,4`, `b`.
    fn place_name(&self, click: &Click) -> String {
        let board = &self.boards[click.board];
        let own =
            board.names.iter().find(|it| Some(it.0) == click.column && Some(it.1) == click.row);
        if let Some((_, _, name)) = own {
            return name.clone();
        }
        let name = |names: &[String], at: usize| names.get(at).cloned().unwrap_or_default();
        let column = click.column.map(|it| name(&board.columns, it));
        let row = click.row.map(|it| name(&board.rows, it)).filter(|it| !it.is_empty());
        let is_letter = |it: &str| it.len() == 1 && it.as_bytes()[0].is_ascii_alphabetic();
        match (column, row) {
            (Some(column), Some(row)) if is_letter(&column) && !is_letter(&row) => {
                format!("{column}{row}")
            }
            (Some(column), Some(row)) => format!("{column},{row}"),
            (one, other) => one.or(other).unwrap_or_default(),
        }
    }
}
