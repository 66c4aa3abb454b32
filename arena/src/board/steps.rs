//! Moves on boards: which of their arguments are places, what they are in words, and what is no board as nobody clicks on it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::RoleId;
use groundfrog::description::Term;
use groundfrog::symbols::Symbols;
use groundfrog_knowledge::structures::{Board as Found, Structures};
use groundfrog_reasoner::Vocabulary;

use super::build::{Flat, Pattern, Patterns, functor};
use super::{Board, BoardShape, Click, DrawnState, Edge, Edges, Layout, Part, Step};

/// A move has no more clicks than this.
const MOST_STEPS: usize = 8;

/// A move as a page gets it.
#[derive(Clone, Debug, serde::Serialize)]
pub struct ShownMove {
    /// The move, as KIF.
    #[serde(rename = "move")]
    pub text: String,
    /// The clicks that make it.
    pub clicks: Vec<Click>,
    /// The line that it draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge: Option<Edge>,
    /// What it is in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<MoveWords>,
}

impl Layout {
    /// The steps of the moves of a pattern, on the board that fits most of it; of equals on the smallest one.
    pub(super) fn steps(&self, moves: &Pattern) -> Vec<Step> {
        let all = (0..self.grounds.len()).map(|it| (it, self.steps_on(moves, it)));
        let best = all.max_by_key(|(ground, (quality, _))| {
            (*quality, Reverse((self.grounds[*ground].places.len(), *ground)))
        });
        best.map_or_else(Vec::new, |it| it.1.1)
    }

    /// The steps on one board, and how well they fit: places count more than columns.
    pub(super) fn steps_on(&self, moves: &Pattern, number: usize) -> (usize, Vec<Step>) {
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
    pub(super) fn forget_bookkeeping(&mut self, found: &Structures) {
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
}

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
            let count = counts.entry(functor(pattern)).or_default();
            *count = (count.0 + if goes { of.rows.len() } else { 0 }, count.1 + 1);
        }
        let plain = counts.iter().max_by_key(|it| (it.1.0, Reverse(*it.0)));
        self.plain = plain.map_or_else(String::new, |it| (*it.0).to_owned());
        let is_nested = |it: &&String| it.matches('(').count() > 1;
        let is_shared = |it: &&String| counts[functor(it)].1 > 1;
        self.nested = moves.keys().filter(is_nested).filter(is_shared).cloned().collect();
    }

    /// Moves of a role as a page gets them, in a state that is drawn.
    pub fn shown(
        &self,
        rules: &mut (impl Vocabulary + ?Sized),
        role: RoleId,
        moves: &[String],
        state: &DrawnState,
    ) -> Vec<ShownMove> {
        let find = |text: &String| {
            let number = rules.find_move(role, text)?;
            Some(rules.move_term(number).1)
        };
        let terms: Vec<_> = moves.iter().map(find).collect();
        let symbols = rules.symbols();
        let held = |click: &Click| {
            let here = |cell: &&(usize, usize, usize, String)| {
                cell.0 == click.board && Some(cell.1) == click.column && Some(cell.2) == click.row
            };
            state.cells.iter().find(here).map(|it| it.3.clone())
        };
        let mut words = self.words(terms.iter().flatten(), symbols, held).into_iter();
        let shown = |(text, term): (&String, &Option<Term>)| {
            let edge = term.as_ref().and_then(|it| self.edge(it, symbols));
            // A line is clicked itself.
            let placed = term.as_ref().filter(|_| edge.is_none());
            let clicks = placed.map_or_else(Vec::new, |it| self.clicks(it, symbols));
            let words = term.as_ref().and_then(|_| words.next().flatten());
            ShownMove { text: text.clone(), clicks, edge, words }
        };
        moves.iter().zip(&terms).map(shown).collect()
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
            name: functor(&flat.pattern).to_owned(),
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
