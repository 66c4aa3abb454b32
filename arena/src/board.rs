//! A board to look at, made from the rules alone.
//!
//! [`Layout`] says where each fluent of a game is drawn. Fluents with two arguments that make a place and a content
//! are on a grid; `(height 3 5)`, where each of a few keys always has one value, is a strip of one row; all others are
//! facts in a list. Which arguments make a place is found from what the game can hold and from a few states of
//! random matches: the content must follow from the place. The order of rows and columns is that of a relation like a
//! successor among the facts of the description, or else that of numbers and letters.
//!
//! Moves whose arguments are places are steps on the same boards, so that they can be made by clicking.

mod contents;
mod form;
mod order;
mod orientation;
mod places;
mod sample;

use std::fmt::Write as _;
use web_time::Instant;

use fxhash::FxHashMap;
use groundfrog::description::{Description, Printer, Term};
use groundfrog::symbols::Symbols;
use groundfrog_reasoner::{FluentId, MoveId, Reasoner};

pub use contents::Content;
use form::{Form, Forms, Signature};
use order::Orders;
use places::Kind;
use sample::Sample;

/// No more columns or rows than this are a grid.
const LONGEST_SIDE: usize = 64;
/// Strips that are shorter have no empty places.
const SHORTEST_ROW: usize = 6;
/// A move has no more steps than this.
const MOST_STEPS: usize = 8;
/// No more fluents or moves than this are looked at; games with more have the others in lists.
const MOST_TERMS: usize = 400_000;

/// Where fluents are drawn and moves are clicked.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    boards: Vec<Board>,
    /// How the fluents of a signature are drawn.
    fluents: FxHashMap<Signature, Drawn>,
    /// How the moves of a signature are clicked.
    moves: FxHashMap<Signature, Vec<Step>>,
    first_row_below: bool,
}

/// A grid.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Board {
    /// What it shows: the names of the fluents, and the layer if there are several.
    pub title: String,
    /// The names of the columns, first to last.
    pub columns: Vec<String>,
    /// The names of the rows, first to last; a strip has a single one without a name.
    pub rows: Vec<String>,
    /// The content that most places begin with, if each place always has one: it is drawn as an empty place.
    pub blank: Option<String>,
    /// All that can be at a place, as met.
    pub contents: Vec<Content>,
    /// Columns and rows where nothing can be.
    pub holes: Vec<(usize, usize)>,
    /// The values of the arguments that tell this board from others like it.
    #[serde(skip)]
    layer: Option<String>,
}

/// Where a fluent is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// In the list.
    Fact,
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

/// How the fluents of one form are drawn.
#[derive(Clone, Debug)]
struct Drawn {
    /// The first of the boards; there is one for each layer.
    boards: Vec<usize>,
    kind: Kind,
    /// Written before the content where a board has fluents of several names.
    prefix: String,
}

/// Which leaves of a move are a click.
#[derive(Clone, Debug)]
struct Step {
    board: usize,
    column: Option<usize>,
    row: Option<usize>,
    layer: Option<usize>,
}

impl Layout {
    /// The layout of a game: of all fluents and moves that are numbered, and of what random matches hold. `fluents` and
    /// `moves` are how many the reasoner has; one that numbers them as it meets them is given 0, and what the random matches
    /// meet counts. These have two seconds, which only rules with variables may need.
    pub fn new(
        description: &Description,
        reasoner: &mut dyn Reasoner,
        fluents: usize,
        moves: usize,
    ) -> Self {
        Self::until(description, reasoner, fluents, moves, Instant::now() + sample::TIME)
    }

    /// As [`Layout::new`], where the random matches end at a moment in any case.
    pub fn until(
        description: &Description,
        reasoner: &mut dyn Reasoner,
        fluents: usize,
        moves: usize,
        end: Instant,
    ) -> Self {
        let sample = Sample::new(reasoner, end);
        let (fluents, moves) = (fluents.max(reasoner.fluent_count()), moves.max(sample.moves));
        let terms: Vec<Term> =
            (0..fluents.min(MOST_TERMS) as u32).map(|it| reasoner.fluent(FluentId(it))).collect();
        let forms = Forms::new(&terms, &sample, reasoner.symbols());
        let orders = Orders::new(description);
        let mut layout = Layout::default();
        let mut found: Vec<(&Form, Kind)> = forms
            .forms
            .iter()
            .filter(|form| !form.is_clock)
            .filter_map(|form| Some((form, places::kind(form, &orders)?)))
            .collect();
        // Those with most places first: smaller ones are drawn on the same boards.
        found.sort_by_key(|(form, kind)| std::cmp::Reverse(kind.places(form)));
        for (form, kind) in found {
            layout.add(form, kind, &orders);
        }
        layout.name_contents(&forms);
        layout.find_blanks(&forms, &terms, reasoner);
        let actions: Vec<Term> =
            (0..moves.min(MOST_TERMS) as u32).map(|it| reasoner.move_term(MoveId(it)).1).collect();
        let forms = Forms::new(&actions, &Sample::default(), reasoner.symbols());
        for form in &forms.forms {
            let steps = layout.steps(form);
            if !steps.is_empty() {
                layout.moves.insert(form.signature.clone(), steps);
            }
        }
        layout.find_contents(&terms, &sample, reasoner);
        layout.find_orientation(reasoner);
        layout
    }

    /// The boards.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// How many clicks a move has at most.
    pub fn most_clicks(&self) -> usize {
        self.moves.values().map(Vec::len).max().unwrap_or(0)
    }

    /// Where a fluent is drawn.
    pub fn place(&self, fluent: &Term, symbols: &Symbols) -> Place {
        let (signature, leaves) = form::flatten(fluent, symbols);
        let Some(drawn) = self.fluents.get(&signature) else { return Place::Fact };
        let find = |names: &[String], leaf: usize| names.iter().position(|it| *it == leaves[leaf]);
        let board = match drawn.kind.layer {
            None => drawn.boards.first().copied(),
            Some(layer) => drawn
                .boards
                .iter()
                .copied()
                .find(|&it| self.boards[it].layer.as_deref() == Some(leaves[layer].as_str())),
        };
        let Some(board) = board else { return Place::Fact };
        let Some(column) = find(&self.boards[board].columns, drawn.kind.column) else {
            return Place::Fact;
        };
        let row = match drawn.kind.row {
            None => Some(0),
            Some(row) => find(&self.boards[board].rows, row),
        };
        let Some(row) = row else { return Place::Fact };
        Place::Cell { board, column, row, content: drawn.content(fluent, symbols) }
    }

    /// The clicks that make a move, in order; none if its arguments are no places.
    pub fn clicks(&self, action: &Term, symbols: &Symbols) -> Vec<Click> {
        let (signature, leaves) = form::flatten(action, symbols);
        let Some(steps) = self.moves.get(&signature) else { return Vec::new() };
        let click = |step: &Step| {
            let board = match step.layer {
                None => step.board,
                Some(layer) => self
                    .layers_of(step.board)
                    .into_iter()
                    .find(|&it| self.boards[it].layer.as_deref() == Some(leaves[layer].as_str()))?,
            };
            let find = |names: &[String], leaf: Option<usize>| match leaf {
                None => Some(None),
                Some(leaf) => names.iter().position(|it| *it == leaves[leaf]).map(Some),
            };
            let column = find(&self.boards[board].columns, step.column)?;
            let row = find(&self.boards[board].rows, step.row)?;
            Some(Click { board, column, row })
        };
        steps.iter().map(click).collect::<Option<Vec<_>>>().unwrap_or_default()
    }

    /// The boards of the form that this one belongs to.
    fn layers_of(&self, board: usize) -> Vec<usize> {
        let mut of = self.fluents.values().filter(|it| it.boards.contains(&board));
        of.next().map_or_else(Vec::new, |it| it.boards.clone())
    }

    fn add(&mut self, form: &Form, kind: Kind, orders: &Orders) {
        let columns = orders.sort(&form.domains[kind.column]);
        let rows =
            kind.row.map_or_else(|| vec![String::new()], |it| orders.sort(&form.domains[it]));
        let layers = match kind.layer {
            None => vec![None],
            Some(layer) => orders.sort(&form.domains[layer]).into_iter().map(Some).collect(),
        };
        let within = |some: &[String], all: &[String]| some.iter().all(|it| all.contains(it));
        let is_strip = kind.row.is_none();
        let mut boards = Vec::new();
        for layer in layers {
            let same = self.boards.iter().position(|it| {
                it.layer == layer
                    && (it.rows.len() == 1 && it.rows[0].is_empty()) == is_strip
                    && !is_strip
                    && within(&columns, &it.columns)
                    && within(&rows, &it.rows)
            });
            boards.push(same.unwrap_or_else(|| {
                let (columns, rows) = (columns.clone(), rows.clone());
                let title = String::new();
                let (contents, holes) = (Vec::new(), Vec::new());
                self.boards.push(Board {
                    title,
                    columns,
                    rows,
                    blank: None,
                    contents,
                    holes,
                    layer,
                });
                self.boards.len() - 1
            }));
        }
        let drawn = Drawn { boards, kind, prefix: String::new() };
        self.fluents.insert(form.signature.clone(), drawn);
    }

    /// Gives boards their titles, and contents the names of their fluents where a board has several.
    fn name_contents(&mut self, forms: &Forms) {
        for number in 0..self.boards.len() {
            let mut names: Vec<&str> = Vec::new();
            for form in &forms.forms {
                let Some(drawn) = self.fluents.get_mut(&form.signature) else { continue };
                if !drawn.boards.contains(&number) {
                    continue;
                }
                if !names.contains(&form.name.as_str()) {
                    names.push(&form.name);
                }
                // The first name, which has most places, goes without saying if there is another content.
                if names.first() != Some(&form.name.as_str()) || !drawn.kind.has_content(form) {
                    drawn.prefix.clone_from(&form.name);
                }
            }
            let board = &mut self.boards[number];
            board.title = names.join(", ");
            if let Some(layer) = &board.layer {
                let _ = write!(board.title, " {layer}");
            }
        }
    }

    /// Finds what is drawn as an empty place.
    fn find_blanks(&mut self, forms: &Forms, terms: &[Term], reasoner: &dyn Reasoner) {
        let roles: Vec<String> = reasoner.role_ids().map(|it| reasoner.role_text(it)).collect();
        let states = std::iter::once(forms.initial(reasoner)).chain(forms.states.iter().cloned());
        let mut counts: Vec<Vec<(String, usize)>> = vec![Vec::new(); self.boards.len()];
        let mut full = vec![true; self.boards.len()];
        for (number, state) in states.enumerate() {
            let mut held = vec![0; self.boards.len()];
            for fluent in state {
                let Some(term) = terms.get(fluent) else { continue };
                let place = self.place(term, reasoner.symbols());
                let Place::Cell { board, content, .. } = place else { continue };
                held[board] += 1;
                if number > 0 {
                    continue;
                }
                match counts[board].iter_mut().find(|it| it.0 == content) {
                    Some((_, count)) => *count += 1,
                    None => counts[board].push((content, 1)),
                }
            }
            for (board, held) in held.into_iter().enumerate() {
                full[board] &= held >= forms.places(self, board);
            }
        }
        for (number, board) in self.boards.iter_mut().enumerate() {
            let all: usize = counts[number].iter().map(|it| it.1).sum();
            let most = counts[number].iter().max_by_key(|it| it.1);
            let Some((content, count)) = most else { continue };
            let is_blank = (board.rows.len() > 1 || board.columns.len() >= SHORTEST_ROW)
                && full[number]
                && counts[number].iter().filter(|it| it.1 == *count).count() == 1
                && count * 5 >= all * 2
                && content.parse::<i64>().is_err()
                && !content.contains(['(', ' '])
                && !roles.contains(content);
            board.blank = is_blank.then(|| content.clone());
        }
    }

    /// The steps of the moves of a form, on the board that fits best.
    fn steps(&self, form: &Form) -> Vec<Step> {
        let candidates = (0..self.boards.len()).map(|it| (it, self.steps_on(form, it)));
        let best =
            candidates.max_by_key(|(board, (quality, _))| (*quality, std::cmp::Reverse(*board)));
        best.map_or_else(Vec::new, |(_, (_, steps))| steps)
    }

    /// The steps on one board, and how well they fit: pairs count more than single arguments, equal domains more than
    /// parts.
    fn steps_on(&self, form: &Form, number: usize) -> (usize, Vec<Step>) {
        let board = &self.boards[number];
        let layers = self.layers_of(number);
        if layers.len() > 1 && layers[0] != number {
            return (0, Vec::new());
        }
        let fit = |leaf: usize, names: &[String]| -> usize {
            let domain = &form.domains[leaf];
            match domain.iter().all(|it| names.contains(it)) {
                false => 0,
                true if domain.len() == names.len() => 2,
                true => 1,
            }
        };
        let (mut steps, mut quality, mut used, mut leaf) = (Vec::new(), 0, Vec::new(), 0);
        let is_strip = board.rows.len() == 1;
        while leaf + 1 < form.domains.len() && !is_strip && steps.len() < MOST_STEPS {
            let (column, row) = (fit(leaf, &board.columns), fit(leaf + 1, &board.rows));
            if column > 0 && row > 0 {
                steps.push(Step {
                    board: number,
                    column: Some(leaf),
                    row: Some(leaf + 1),
                    layer: None,
                });
                quality += 20 + 2 * (column + row) + usize::from(self.shares_functor(form, number));
                used.extend([leaf, leaf + 1]);
                leaf += 2;
            } else {
                leaf += 1;
            }
        }
        if steps.is_empty() {
            // A single argument that is any place of a column, or of a row.
            for leaf in 0..form.domains.len() {
                let (column, row) = (fit(leaf, &board.columns), fit(leaf, &board.rows));
                let step = match column >= row {
                    true if column > 0 => {
                        Step { board: number, column: Some(leaf), row: None, layer: None }
                    }
                    false => Step { board: number, column: None, row: Some(leaf), layer: None },
                    true => continue,
                };
                quality = 5 * column.max(row) + usize::from(!is_strip);
                used.push(leaf);
                steps.push(step);
                break;
            }
        }
        if layers.len() > 1 {
            let names: Vec<String> =
                layers.iter().filter_map(|&it| self.boards[it].layer.clone()).collect();
            let layer =
                (0..form.domains.len()).find(|it| !used.contains(it) && fit(*it, &names) > 0);
            let Some(layer) = layer else { return (0, Vec::new()) };
            steps.iter_mut().for_each(|it| it.layer = Some(layer));
        }
        (quality, steps)
    }

    /// Whether a form of the board nests its places in a function of the same name.
    fn shares_functor(&self, form: &Form, board: usize) -> bool {
        let mut drawn = self.fluents.iter().filter(|(_, it)| it.boards.contains(&board));
        drawn.any(|(signature, _)| {
            signature.functors().any(|it| form.signature.functors().any(|own| own == it))
        })
    }
}

impl Drawn {
    /// What is written of a fluent at its place: all that does not belong to the place.
    fn content(&self, fluent: &Term, symbols: &Symbols) -> String {
        let mut text = self.prefix.clone();
        let mut leaf = 0;
        self.write_rest(fluent, true, &mut leaf, symbols, &mut text);
        text
    }

    fn write_rest(
        &self,
        term: &Term,
        is_top: bool,
        leaf: &mut usize,
        symbols: &Symbols,
        text: &mut String,
    ) {
        let mut word = |it: &dyn std::fmt::Display| {
            let space = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{space}{it}");
        };
        match term {
            Term::Compound(compound) => {
                let first = *leaf;
                let last = first + form::leaf_count(term);
                let has_place = self.kind.leaves().any(|it| (first..last).contains(&it));
                if !is_top && !has_place {
                    word(&Printer::new(symbols).term(term));
                    *leaf = last;
                    return;
                }
                for argument in &compound.arguments {
                    self.write_rest(argument, false, leaf, symbols, text);
                }
            }
            Term::Constant(name) | Term::Variable(name) => {
                if !self.kind.leaves().any(|it| it == *leaf) {
                    word(&symbols.name(*name));
                }
                *leaf += 1;
            }
        }
    }
}
