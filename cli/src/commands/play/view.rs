//! A state as a person sees it: fluents by name, boards as boards.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use groundfrog::Term;
use groundfrog::kif::Printer;
use groundfrog_reasoner::{FluentId, Reasoner, State};

/// Wider boards are listed instead.
const MOST_LINES: usize = 40;
/// Longer contents are no contents of a square.
const LONGEST_CONTENT: usize = 12;
/// Lists are broken where they get longer.
const WIDTH: usize = 100;

/// The fluents of one name: the arguments of each.
type Rows = Vec<Vec<String>>;

/// What a game's fluents look like.
#[derive(Debug, Default)]
pub(super) struct View {
    /// By name: the two arguments that are the coordinates of a board, and their values in order.
    boards: BTreeMap<String, Board>,
}

#[derive(Debug, PartialEq, Eq)]
struct Board {
    across: usize,
    up: usize,
    columns: Vec<String>,
    rows: Vec<String>,
}

impl View {
    /// Finds the boards among all fluents that the game has.
    pub(super) fn new(reasoner: &dyn Reasoner, fluents: impl Iterator<Item = FluentId>) -> Self {
        let initial = grouped(reasoner, reasoner.initial().fluents());
        let boards = grouped(reasoner, fluents).into_iter().filter_map(|(name, rows)| {
            let board = Board::find(&rows, initial.get(&name).map_or(&[][..], Vec::as_slice))?;
            Some((name, board))
        });
        View { boards: boards.collect() }
    }

    /// The state, one name after the other.
    pub(super) fn text(&self, reasoner: &dyn Reasoner, state: &State) -> String {
        let mut text = String::new();
        for (name, rows) in grouped(reasoner, state.fluents()) {
            match self.boards.get(&name).and_then(|board| board.text(&rows)) {
                Some(board) => text += &format!("{name}:\n{board}"),
                None => list(&name, &rows, &mut text),
            }
        }
        text
    }
}

/// Fluents by name, sorted.
fn grouped(
    reasoner: &dyn Reasoner,
    fluents: impl Iterator<Item = FluentId>,
) -> BTreeMap<String, Rows> {
    let symbols = reasoner.symbols();
    let mut groups: BTreeMap<String, Rows> = BTreeMap::new();
    for fluent in fluents {
        let (name, arguments) = match reasoner.fluent(fluent) {
            Term::Variable(name) | Term::Constant(name) => (name, Vec::new()),
            Term::Compound(it) => (it.functor, Arc::unwrap_or_clone(it).arguments.into_vec()),
        };
        let texts = arguments.iter().map(|it| Printer::new(symbols).term(it).to_string());
        groups.entry(symbols.name(name).to_owned()).or_default().push(texts.collect());
    }
    for rows in groups.values_mut() {
        rows.sort_by_cached_key(|row| row.iter().map(|it| key(it)).collect::<Vec<_>>());
    }
    groups
}

/// Sorts numbers by value, also at the end of names.
fn key(text: &str) -> (String, u64, String) {
    let stem = text.trim_end_matches(|it: char| it.is_ascii_digit());
    (stem.to_owned(), text[stem.len()..].parse().unwrap_or(0), text.to_owned())
}

/// Values that have an order: numbers, numbers after the same letters, or single letters.
fn ordered(values: &BTreeSet<&str>) -> Option<Vec<String>> {
    let stems: BTreeSet<String> = values.iter().map(|it| key(it).0).collect();
    let numbered = stems.len() == 1 && values.iter().all(|it| it.ends_with(char::is_numeric));
    let lettered = values.iter().all(|it| it.len() == 1 && it.as_bytes()[0].is_ascii_lowercase());
    if !(2..=MOST_LINES).contains(&values.len()) || !(numbered || lettered) {
        return None;
    }
    let mut values: Vec<String> = values.iter().map(|&it| it.to_owned()).collect();
    values.sort_by_cached_key(|it| key(it));
    Some(values)
}

impl Board {
    /// Two ordered arguments of three that distinguish squares in the initial state.
    fn find(all: &[Vec<String>], initial: &[Vec<String>]) -> Option<Self> {
        if all.iter().any(|row| row.len() != 3) {
            return None;
        }
        let values = |argument: usize| ordered(&all.iter().map(|it| &*it[argument]).collect());
        [(0, 1, 2), (0, 2, 1), (1, 2, 0)].into_iter().find_map(|(across, up, content)| {
            let squares: BTreeSet<_> = initial.iter().map(|it| (&it[across], &it[up])).collect();
            let fits = all.iter().all(|it| it[content].len() <= LONGEST_CONTENT);
            let found = Board { across, up, columns: values(across)?, rows: values(up)? };
            (fits && squares.len() == initial.len()).then_some(found)
        })
    }

    /// The board, the first row at the bottom; none if a square has two contents.
    fn text(&self, fluents: &[Vec<String>]) -> Option<String> {
        let content = 3 - self.across - self.up;
        let mut squares = BTreeMap::new();
        for it in fluents {
            let shown = match &*it[content] {
                "blank" | "empty" => ".",
                content => content,
            };
            if squares.insert((&*it[self.across], &*it[self.up]), shown).is_some() {
                return None;
            }
        }
        let widest = |texts: &mut dyn Iterator<Item = &str>| texts.map(str::len).max().unwrap_or(1);
        let columns = || self.columns.iter().map(String::as_str);
        let width = widest(&mut squares.values().copied().chain(columns()));
        let margin = widest(&mut self.rows.iter().map(String::as_str));
        let mut text = String::new();
        let mut line = |label: &str, entries: &mut dyn Iterator<Item = &str>| {
            let entries: String = entries.map(|it| format!(" {it:>width$}")).collect();
            text += &format!("    {label:>margin$} {}\n", entries.trim_end());
        };
        for row in self.rows.iter().rev() {
            let square = |column| squares.get(&(column, row.as_str())).copied().unwrap_or(".");
            line(row, &mut columns().map(square));
        }
        line("", &mut columns());
        Some(text)
    }
}

/// Adds the fluents of one name in lines of a moderate length.
fn list(name: &str, rows: &Rows, text: &mut String) {
    let mut line = format!("{name}:");
    for (number, row) in rows.iter().enumerate().filter(|(_, row)| !row.is_empty()) {
        let entry = row.join(" ");
        if number > 0 && line.len() + entry.len() + 2 > WIDTH {
            writeln!(text, "{line},").expect("writing to a string cannot fail");
            line = format!("    {entry}");
        } else {
            line += if number > 0 { ", " } else { " " };
            line += &entry;
        }
    }
    let line = if rows.iter().all(Vec::is_empty) { name } else { &line };
    writeln!(text, "{line}").expect("writing to a string cannot fail");
}
