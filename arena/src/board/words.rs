//! Moves by their pieces and places.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

use fxhash::FxHashMap;
use groundfrog::description::Term;
use groundfrog::symbols::Symbols;

use super::build::Patterns;
use super::pattern::{self, Flat};
use super::{Click, Layout, Part, Step};

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
    /// Finds out which name of moves goes without saying, and where the functions within a move have to be told.
    pub(super) fn find_names(&mut self, moves: &Patterns) {
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (pattern, of) in moves {
            let goes = self.moves.get(pattern).is_some_and(|it| it.len() > 1);
            let count = counts.entry(pattern::functor(pattern)).or_default();
            *count = (count.0 + if goes { of.rows.len() } else { 0 }, count.1 + 1);
        }
        let plain = counts.iter().max_by_key(|it| (it.1.0, Reverse(*it.0)));
        self.plain = plain.map_or_else(String::new, |it| (*it.0).to_owned());
        let is_nested = |it: &&String| it.matches('(').count() > 1;
        let is_shared = |it: &&String| counts[pattern::functor(it)].1 > 1;
        self.nested = moves.keys().filter(is_nested).filter(is_shared).cloned().collect();
    }

    /// Moves of one role in words, where `held` tells what is at a place; `None` where a move has no places, or another would be said
    /// alike.
    pub fn words<'t>(
        &self,
        moves: impl Iterator<Item = &'t Term>,
        symbols: &Symbols,
        held: impl Fn(&Click) -> Option<String>,
    ) -> Vec<Option<MoveWords>> {
        let full: Vec<Option<MoveWords>> = moves.map(|it| self.say(it, symbols, &held)).collect();
        // All other names are told.
        let brief = |words: &MoveWords| match words.piece.is_empty() || words.name != self.plain {
            true => words.clone(),
            false => MoveWords { name: String::new(), ..words.clone() },
        };
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        for words in full.iter().flatten() {
            *counts.entry(words.to_string()).or_default() += 1;
            let brief = brief(words);
            if brief != *words {
                *counts.entry(brief.to_string()).or_default() += 1;
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
        if self.nested.contains(&flat.pattern) {
            return None;
        }
        let clicks = self.clicks(action, symbols);
        let first = clicks.first()?;
        let blank = self.boards[first.board].blank.as_ref();
        let is_edge = self.edge(action, symbols).is_some();
        let piece = (clicks.len() > 1 && !is_edge).then(|| held(first)).flatten();
        let piece = piece.filter(|it| Some(it) != blank).unwrap_or_default();
        let used = |leaf: &usize| steps.iter().any(|it| it.leaves.contains(leaf));
        let rest = (0..flat.leaves.len()).filter(|it| !used(it)).map(|it| flat.leaves[it].as_str());
        let mut rest: Vec<&str> = rest.collect();
        // What says which piece moves is said by the piece.
        let own: Vec<&str> = piece.split([' ', '(', ')']).filter(|it| !it.is_empty()).collect();
        if own.iter().all(|it| rest.contains(it)) {
            for word in own {
                if let Some(at) = rest.iter().position(|it| *it == word) {
                    rest.remove(at);
                }
            }
        }
        Some(MoveWords {
            name: pattern::functor(&flat.pattern).to_owned(),
            piece,
            board: first.board,
            places: steps.iter().map(|it| self.place_name(it, &flat.leaves)).collect(),
            rest: rest.join(" "),
        })
    }

    /// A place as people write it: `g1`, `3,4`, `b`. It has all the names that the move has.
    fn place_name(&self, step: &Step, leaves: &[String]) -> String {
        let names: Vec<&str> = step.leaves.iter().map(|&it| leaves[it].as_str()).collect();
        let names = match step.part {
            Part::Place => self.grounds[step.ground].in_order(&names),
            Part::Column | Part::Row => return names.join(","),
        };
        let is_letter = |it: &str| it.len() == 1 && it.as_bytes()[0].is_ascii_alphabetic();
        match &names[..] {
            [column, row] if is_letter(column) && !is_letter(row) => format!("{column}{row}"),
            names => names.join(","),
        }
    }
}
