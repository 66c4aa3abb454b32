//! A state as a person sees it: boards as boards, all other fluents by name.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::Arc;

use groundfrog::Term;
use groundfrog::description::Printer;
use groundfrog_arena::board::{Board, Layout, Place};
use groundfrog_reasoner::{FluentId, Reasoner, State};

/// Lists are broken where they get longer.
const WIDTH: usize = 100;
/// Boards that are wider, in characters, are listed instead.
const WIDEST: usize = 160;

/// The fluents of one name: the arguments of each.
type Rows = Vec<Vec<String>>;

/// The contents of a board by column and row.
type Contents = HashMap<(usize, usize), String>;

/// What the state has, one board after the other, then the rest by name.
pub(super) fn text(layout: &Layout, reasoner: &dyn Reasoner, state: &State) -> String {
    let mut boards: Vec<(Contents, Vec<FluentId>)> =
        vec![Default::default(); layout.boards().len()];
    let mut facts = Vec::new();
    for fluent in state.fluents() {
        let term = reasoner.fluent(fluent);
        let place = layout.place(&term, reasoner.symbols());
        let Place::Cell { board, column, row, content } = place else {
            facts.push(fluent);
            continue;
        };
        let (contents, held) = &mut boards[board];
        held.push(fluent);
        let all = contents.entry((column, row)).or_default();
        let comma = if all.is_empty() { "" } else { "," };
        let _ = write!(all, "{comma}{content}");
    }
    let mut text = String::new();
    for (board, (contents, held)) in layout.boards().iter().zip(boards) {
        match drawn(board, &contents) {
            Some(lines) => text += &format!("{}:\n{lines}", board.title),
            None => facts.extend(held),
        }
    }
    for (name, rows) in grouped(reasoner, facts.into_iter()) {
        list(&name, &rows, &mut text);
    }
    text
}

/// A board, the first row at the bottom; none if it is too wide.
fn drawn(board: &Board, contents: &Contents) -> Option<String> {
    let at = |column: usize, row: usize| match contents.get(&(column, row)) {
        Some(content) if Some(content) != board.blank.as_ref() => content.as_str(),
        _ if board.holes.contains(&(column, row)) => " ",
        _ => ".",
    };
    let length = |text: &str| text.chars().count();
    let (columns, rows) = (board.columns.len(), board.rows.len());
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let widest = places.map(|(column, row)| length(at(column, row))).max().unwrap_or(1);
    let width = board.columns.iter().map(|it| length(it)).max().unwrap_or(1).max(widest);
    let margin = board.rows.iter().map(|it| length(it)).max().unwrap_or(0);
    if (width + 1) * columns + margin > WIDEST {
        return None;
    }
    let mut text = String::new();
    let mut line = |label: &str, entries: &mut dyn Iterator<Item = &str>| {
        let entries: String = entries.map(|it| format!(" {it:>width$}")).collect();
        text += &format!("    {label:>margin$} {}\n", entries.trim_end());
    };
    for row in (0..rows).rev() {
        line(&board.rows[row], &mut (0..columns).map(|column| at(column, row)));
    }
    line("", &mut board.columns.iter().map(String::as_str));
    Some(text)
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
