//! What is on boards: markers and pieces; and what counts.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::Budget;
use groundfrog::game::{AtomId, GroundGame, GroundLiteral};
use groundfrog::symbols::{Symbol, Symbols};
use groundfrog_reasoner::{FluentId, GroundReasoner, ReasonerError};

use super::cells::numbers;
use super::fluents::Fluents;
use super::readings::Reading;
use super::{Argument, Board, Counter, Marker, Structures};
use crate::analysis::Analysis;
use crate::bodies::Bodies;
use crate::condition::Condition;
use crate::families::{Form, forms};
use crate::formula::BYTES_OF_LITERAL;
use crate::induction::{Outcome, Proof, Prover};
use crate::property::{Claim, Property};
use crate::sample::Sample;

/// Random matches that are looked at before pieces are proved.
const MATCHES: usize = 50;
/// Literals of a formula.
const MOST_LITERALS: u64 = 10_000_000;

/// Lists what can be on a board.
pub(crate) fn add_markers(board: &mut Board, forms: &[(&Fluents, &Reading)], names: &Symbols) {
    let mut contents: BTreeSet<String> = BTreeSet::new();
    for ((fluents, _), placed) in forms.iter().zip(&board.fluents) {
        if placed.arguments.contains(&Argument::Quantity) {
            continue;
        }
        for row in &fluents.form.rows {
            contents.insert(content(&placed.arguments, placed.content.as_deref(), row, names));
        }
    }
    let marker = |content| Marker { content, is_piece: false };
    board.markers = contents.into_iter().map(marker).collect();
}

/// The content of a fluent: constants, or its name.
fn content(arguments: &[Argument], name: Option<&str>, row: &[u32], names: &Symbols) -> String {
    match name {
        Some(name) => name.to_owned(),
        None => {
            let own = arguments.iter().zip(row).filter(|(it, _)| **it == Argument::Content);
            own.map(|(_, &it)| names.name(Symbol(it))).collect::<Vec<_>>().join(" ")
        }
    }
}

/// Fluents of one argument that only count on: each rule of a value reads the value before.
pub(crate) fn counters(
    game: &GroundGame,
    fluents: &[Fluents],
    names: &Symbols,
    taken: &mut [bool],
) -> Vec<Counter> {
    let mut found = Vec::new();
    let bodies = Bodies::new(game);
    for (number, form) in fluents.iter().enumerate() {
        let [Some(order)] = &form.orders[..] else { continue };
        let fluent_of: FxHashMap<u32, AtomId> = form
            .form
            .rows
            .iter()
            .zip(&form.form.fluents)
            .map(|(row, &fluent)| (row[0], fluent))
            .collect();
        // Whether each rule of a fluent reads one of these.
        let follows = |allowed: &[Option<AtomId>], fluent: AtomId| {
            let Some(next) = game.next(fluent) else { return true };
            let reads =
                |it: &GroundLiteral| !it.is_negated() && allowed.contains(&Some(AtomId(it.atom())));
            bodies.of(next).all(|body| body.iter().any(reads))
        };
        let counts = |values: &[u32], stays: bool| {
            values.iter().enumerate().all(|(at, value)| {
                let Some(&fluent) = fluent_of.get(value) else { return false };
                let before = at.checked_sub(1).and_then(|it| fluent_of.get(&values[it]).copied());
                follows(&[before, Some(fluent).filter(|_| stays)], fluent)
            })
        };
        let forwards = order.values.clone();
        let backwards: Vec<u32> = forwards.iter().rev().copied().collect();
        let ways = [(&forwards, false), (&backwards, false), (&forwards, true), (&backwards, true)];
        let Some((values, stays)) = ways.into_iter().find(|(values, stays)| counts(values, *stays))
        else {
            continue;
        };
        taken[number] = true;
        let values = values.iter().map(|&it| names.name(Symbol(it)).to_owned()).collect();
        found.push(Counter {
            pattern: form.form.pattern(1, game.symbols()),
            values,
            is_clock: !stays,
        });
    }
    found
}

/// Proves which markers are pieces: on one cell at most at a time.
pub(crate) fn find_pieces(
    found: &mut Structures,
    reasoner: &mut GroundReasoner,
    analysis: &Analysis,
    time: Duration,
) -> Result<(), ReasonerError> {
    let budget = Budget::within(time).with_memory(MOST_LITERALS * BYTES_OF_LITERAL);
    let game = std::sync::Arc::clone(reasoner.game());
    let forms = forms(&game);
    let mut candidates: Vec<(usize, usize, Vec<AtomId>)> = Vec::new();
    for (number, board) in found.boards.iter().enumerate() {
        for (marker, group) in groups(board, &forms, &game).into_iter().enumerate() {
            candidates.push((number, marker, group));
        }
    }
    let sample = Sample::new(reasoner, 1, MATCHES, &budget.share(1, 3))?;
    let first = game.fluents().next().map_or(0, |fluent| fluent.0);
    let mut groups_of: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (number, (.., group)) in candidates.iter().enumerate() {
        group.iter().for_each(|fluent| groups_of.entry(fluent.0 - first).or_default().push(number));
    }
    let mut several: FxHashSet<usize> = FxHashSet::default();
    for state in sample.states() {
        let mut met: FxHashSet<usize> = FxHashSet::default();
        for FluentId(fluent) in state.fluents() {
            for &group in groups_of.get(&fluent).into_iter().flatten() {
                if !met.insert(group) {
                    several.insert(group);
                }
            }
        }
    }
    let mut left: Vec<(usize, usize, Vec<AtomId>)> = Vec::new();
    for (number, candidate) in candidates.into_iter().enumerate() {
        if !several.contains(&number) {
            left.push(candidate);
        }
    }
    let is_of_groups = |it: &&(Property, Claim)| {
        matches!(it.0, Property::ExactlyOne { .. } | Property::AtMostOne { .. })
    };
    let lemmas = analysis.proved.iter().filter(is_of_groups);
    let lemmas: Vec<Condition> = lemmas.flat_map(|it| it.1.parts.clone()).collect();
    let claim = |group: &Vec<AtomId>| Claim::at_most_one(std::slice::from_ref(group));
    let (known, open): (Vec<_>, Vec<_>) =
        left.into_iter().partition(|it| claim(&it.2).parts.iter().all(|it| lemmas.contains(it)));
    let mut prover = Prover::new(&game, budget);
    prover.add_lemmas(Proof { claims: vec![Claim::of_states(lemmas)], depth: 1 });
    let claims: Vec<Claim> = open.iter().map(|it| claim(&it.2)).collect();
    let proved = open.into_iter().zip(prover.prove(&claims, 1));
    let proved = proved.filter(|it| it.1 == Outcome::Proved).map(|it| it.0);
    for (board, marker, _) in known.into_iter().chain(proved) {
        found.boards[board].markers[marker].is_piece = true;
    }
    Ok(())
}

/// By marker of a board: the fluents that put it somewhere.
fn groups(board: &Board, forms: &[Form], game: &GroundGame) -> Vec<Vec<AtomId>> {
    let names = game.symbols();
    let mut found: BTreeMap<String, Vec<AtomId>> = BTreeMap::new();
    for placed in &board.fluents {
        for form in forms.iter().filter(|it| it.pattern(0, names) == placed.pattern) {
            for (row, &fluent) in form.rows.iter().zip(&form.fluents) {
                let content = content(&placed.arguments, placed.content.as_deref(), row, names);
                found.entry(content).or_default().push(fluent);
            }
        }
    }
    let group = |marker: &Marker| found.remove(&marker.content).unwrap_or_default();
    board.markers.iter().map(group).collect()
}

/// Where a fluent is, and what it puts there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Location {
    pub(crate) board: usize,
    /// The cell, or both of an edge.
    pub(crate) cells: Vec<usize>,
    /// The content, and the layer if there is one.
    pub(crate) content: String,
}

/// By fluent of a game: where it is, if it is on a board.
pub(crate) fn locations(structures: &Structures, game: &GroundGame) -> Vec<Option<Location>> {
    let first = game.fluents().next().map_or(0, |fluent| fluent.0);
    let names = game.symbols();
    let mut found = vec![None; game.fluents().len()];
    for form in forms(game) {
        let pattern = form.pattern(0, names);
        let boards = structures.boards.iter().enumerate();
        let on = boards.filter_map(|(number, board)| {
            Some((number, board, board.fluents.iter().find(|it| it.pattern == pattern)?))
        });
        for (number, board, placed) in on {
            let numbers = numbers(&board.cells);
            for (row, &fluent) in form.rows.iter().zip(&form.fluents) {
                let own = |end: usize| -> Option<usize> {
                    let at =
                        placed.arguments.iter().zip(row).filter(|(argument, _)| match argument {
                            Argument::Coordinate { end: it, .. } | Argument::Cell { end: it } => {
                                *it == end
                            }
                            _ => false,
                        });
                    numbers
                        .get(&at.map(|(_, &it)| names.name(Symbol(it))).collect::<Vec<&str>>())
                        .copied()
                };
                let rest = placed.arguments.iter().zip(row).filter(|(argument, _)| {
                    matches!(argument, Argument::Content | Argument::Quantity | Argument::Layer)
                });
                let mut content: Vec<&str> = rest.map(|(_, &it)| names.name(Symbol(it))).collect();
                content.extend(placed.content.as_deref());
                let cells: Vec<usize> = [own(0), own(1)].into_iter().flatten().collect();
                if !cells.is_empty() {
                    let content = content.join(" ");
                    found[(fluent.0 - first) as usize] =
                        Some(Location { board: number, cells, content });
                }
            }
        }
    }
    found
}
