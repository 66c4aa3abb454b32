//! Which fluents are on boards, which share one, and which are stacks or numbers.

use std::collections::BTreeSet;

use groundfrog::Budget;
use groundfrog::description::Description;
use groundfrog::game::GroundGame;
use groundfrog::rewrite::or_elimination::eliminate_or;
use groundfrog::rewrite::statics;

use super::axes::Orders;

use super::contents::counters;
use super::fluents::{Fluents, functor, known, view};
use super::neighbours::Geometry;
use super::readings::Reading;
use super::relations::{binaries, described, tables};
use super::sorts::Sorts;
use super::{Argument, AxisKind, Board, Output, Placed, Quantity, Stack, Structures};
use crate::analysis::{Analysis, Verdict};
use crate::families::forms;
use crate::property::Property;

/// What is worth less is no board if it is a number.
const CLEAR: u32 = 30;

/// Finds all structures but pieces.
pub(crate) fn find(
    description: &Description,
    game: &GroundGame,
    analysis: &Analysis,
) -> Structures {
    let mut names = game.symbols().clone();
    let Ok(rules) = eliminate_or(description, &Budget::unlimited()) else {
        return Structures::default();
    };
    let statics = statics::analyse(&rules);
    let tables = tables(description, &statics, &mut names);
    let sorts = Sorts::new(description, &mut names, |_| false);
    let flows = Sorts::new(description, &mut names, |atom| {
        !statics.is_dynamic(atom.predicate()) && !description.keywords.contains(atom.predicate)
    });
    let binaries = binaries(&tables, &sorts, &names);
    let orders = Orders::new(&binaries, &names);
    let fluents: Vec<Fluents> = forms(game)
        .into_iter()
        .map(|form| view(form, &sorts, &flows, &orders, flows.of_roles(), analysis, game.symbols()))
        .collect();
    let geometry = Geometry {
        tables: &tables,
        binaries: &binaries,
        sorts: &sorts,
        orders: &orders,
        names: &names,
    };
    let mut search =
        Search { game, analysis, fluents: &fluents, geometry, roles: flows.of_roles() };
    let mut found = search.run();
    found.relations = described(&binaries, &names);
    found
}

pub(super) struct Search<'run> {
    game: &'run GroundGame,
    analysis: &'run Analysis,
    pub(super) fluents: &'run [Fluents],
    pub(super) geometry: Geometry<'run>,
    pub(super) roles: Option<usize>,
}

impl Search<'_> {
    fn run(&mut self) -> Structures {
        let mut found = Structures::default();
        let mut taken = vec![false; self.fluents.len()];
        let mut groups: Vec<Vec<Reading>> = self.across(&mut taken);
        let mut stacks: Vec<usize> = Vec::new();
        found.counters = counters(self.game, self.fluents, self.geometry.names, &mut taken);
        for (form, _) in taken.iter().enumerate().filter(|it| !it.1) {
            if self.fluents[form].size() == 0 {
                continue;
            }
            if let Some(stack) = self.stack(form) {
                found.stacks.push(stack);
                stacks.push(form);
                continue;
            }
            let quantity = self.quantity(form);
            match self.reading(form) {
                // What is noted of each role is no board, though roles follow each other in a ring.
                Some(Reading { place, .. })
                    if place.len() == 1 && self.is_of_roles(form, place[0]) =>
                {
                    found.quantities.extend(quantity)
                }
                Some(reading) if quantity.is_none() || reading.rank >= CLEAR => {
                    groups.push(vec![reading])
                }
                _ => found.quantities.extend(quantity),
            }
        }
        let counted: Vec<Option<usize>> = (0..self.fluents.len())
            .filter(|&it| taken[it] && self.fluents[it].size() == 1)
            .map(|it| self.fluents[it].flows[0])
            .collect();
        let stacked: Vec<Option<usize>> =
            stacks.iter().map(|&it| self.fluents[it].flows[0]).collect();
        // What is noted of a count, or of a thing on a stack, is on no board.
        groups.retain(|group| {
            let place = &group[0].place;
            let flow = self.fluents[group[0].form].flows[place[0]];
            place.len() > 1 || !(counted.contains(&flow) || stacked.contains(&flow))
        });
        for reading in groups.iter().flatten().filter(|it| it.is_quantity) {
            found.quantities.extend(self.quantity(reading.form));
        }
        found.boards = self.merged(groups).iter().map(|group| self.board(group)).collect();
        found.boards.sort_by_key(|it| std::cmp::Reverse(it.cells.len()));
        found
    }

    /// Forms with the same arguments of which one at a time holds for each key: `(cross m board)` and `(ring m board)`.
    fn across(&self, taken: &mut [bool]) -> Vec<Vec<Reading>> {
        let mut found = Vec::new();
        for finding in &self.analysis.findings {
            let (Property::ExactlyOne { pattern } | Property::AtMostOne { pattern }) =
                &finding.property
            else {
                continue;
            };
            if !pattern.contains(" | ") || matches!(finding.verdict, Verdict::Refuted { .. }) {
                continue;
            }
            let patterns: Vec<&str> = pattern.split(" | ").collect();
            let symbols = self.game.symbols();
            let is_in = |form: &usize| {
                patterns.contains(&self.fluents[*form].form.pattern(0, symbols).as_str())
            };
            let forms: Vec<usize> = (0..self.fluents.len()).filter(is_in).collect();
            if forms.iter().any(|&it| taken[it]) {
                continue;
            }
            let (output, is_proved) =
                known(self.analysis, pattern).unwrap_or((Output::Several, false));
            let readings: Option<Vec<Reading>> = forms
                .iter()
                .map(|&form| {
                    let reading = self.keyed(form, 0, output, is_proved)?;
                    (reading.rank >= 30).then_some(reading)
                })
                .collect();
            if let Some(readings) = readings {
                forms.iter().for_each(|&it| taken[it] = true);
                found.push(readings);
            }
        }
        found
    }

    /// Things of which each is on one other, and each bears one.
    fn stack(&self, form: usize) -> Option<Stack> {
        let fluents = &self.fluents[form];
        let has = |mask: u32| fluents.contents.iter().any(|it| it.0 == mask);
        if fluents.size() != 2 || !has(1) || !has(2) || fluents.sorts[0] != fluents.sorts[1] {
            return None;
        }
        let [first, second] = [&fluents.domains[0], &fluents.domains[1]];
        let both = first.iter().filter(|it| second.contains(it)).count();
        let is_on_itself = fluents.form.rows.iter().any(|row| row[0] == row[1]);
        let initial = self.initial(form);
        if both < 2 || (is_on_itself && initial.iter().any(|row| row[0] == row[1])) {
            return None;
        }
        // What bears others and is on nothing is a ground: the table, a peg.
        let above = usize::from(second.len() < first.len());
        let (things, all) = (&fluents.domains[above], &fluents.domains[1 - above]);
        let grounds: Vec<u32> = all.iter().copied().filter(|it| !things.contains(it)).collect();
        Some(Stack {
            pattern: fluents.form.pattern(0, self.game.symbols()),
            above,
            things: self.texts(things),
            grounds: self.texts(&grounds),
        })
    }

    /// The constants of the fluents of a form that hold at first.
    fn initial(&self, form: usize) -> Vec<&Vec<u32>> {
        let form = &self.fluents[form].form;
        let holds =
            |it: &(&groundfrog::AtomId, &Vec<u32>)| self.game.init().binary_search(it.0).is_ok();
        form.fluents.iter().zip(&form.rows).filter(holds).map(|it| it.1).collect()
    }

    /// A number for each key.
    fn quantity(&self, form: usize) -> Option<Quantity> {
        let fluents = &self.fluents[form];
        let (mask, argument) = fluents.contents.iter().rev().find_map(|&(mask, ..)| {
            let argument = mask.trailing_zeros() as usize;
            (mask.count_ones() == 1 && fluents.is_ordered(argument)).then_some((mask, argument))
        })?;
        let order = fluents.orders[argument].as_ref()?;
        if order.axis.kind == AxisKind::Ring {
            return None;
        }
        let key = |row: &Vec<u32>| -> Vec<u32> {
            (0..fluents.size()).filter(|&it| it != argument).map(|it| row[it]).collect()
        };
        let keys: BTreeSet<Vec<u32>> = fluents.form.rows.iter().map(key).collect();
        let keys =
            keys.iter().filter(|it| !it.is_empty()).map(|it| self.texts(it).join(" ")).collect();
        let pattern = fluents.form.pattern(mask, self.game.symbols());
        Some(Quantity { pattern, values: order.axis.values.clone(), keys })
    }

    fn texts(&self, values: &[u32]) -> Vec<String> {
        values.iter().map(|&it| self.geometry.text(it).to_owned()).collect()
    }

    /// Puts together what is on the same places: a rule passes them on from one form to the other.
    fn merged(&self, mut groups: Vec<Vec<Reading>>) -> Vec<Vec<Reading>> {
        groups.sort_by_key(|it| std::cmp::Reverse(it[0].rank));
        let mut boards: Vec<Vec<Reading>> = Vec::new();
        for group in groups {
            let flows = |reading: &Reading, place: &[usize]| -> Vec<Option<usize>> {
                place.iter().map(|&at| self.fluents[reading.form].flows[at]).collect()
            };
            let fits = |board: &&mut Vec<Reading>| {
                let (one, other) = (&board[0], &group[0]);
                let is_same = |place: &[usize]| {
                    one.place.len() == place.len()
                        && flows(one, &one.place) == flows(other, place)
                        && self.geometry.shares(
                            &self.fluents[one.form],
                            &one.place,
                            &self.fluents[other.form],
                            place,
                        )
                };
                one.other_end.is_empty() == other.other_end.is_empty()
                    && one.layer.is_some() == other.layer.is_some()
                    && (self.is_mirrored(one) == self.is_mirrored(other))
                    && is_same(&other.place)
            };
            match boards.iter_mut().find(fits) {
                Some(board) => board.extend(group),
                None if group[0].rank > 10 => boards.push(group),
                None => {
                    let keys = self.fluents[group[0].form].domains.first().map_or(0, Vec::len);
                    if group[0].rank == 15 && keys > 2 {
                        boards.push(group);
                    }
                }
            }
        }
        boards
    }

    /// Whether a place is named by several constants or one.
    fn is_mirrored(&self, reading: &Reading) -> bool {
        reading.place.len() > 1
    }

    fn board(&self, group: &[Reading]) -> Board {
        let first = &group[0];
        let forms: Vec<(&Fluents, &Reading)> =
            group.iter().map(|it| (&self.fluents[it.form], it)).collect();
        let lattice = self.geometry.lattice(&forms);
        let is_single = lattice.axes.is_empty() || first.place.len() == 1 && lattice.axes.len() > 1;
        let placed = group.iter().map(|it| self.placed(it, is_single)).collect();
        let layers = first.layer.map_or_else(Vec::new, |layer| {
            self.geometry.orders.unordered(&self.fluents[first.form].domains[layer]).axis.values
        });
        let mut board = Board {
            fluents: placed,
            shape: lattice.shape,
            axes: lattice.axes,
            layers,
            cells: lattice.cells,
            neighbours: lattice.neighbours,
            blocks: lattice.blocks,
            markers: Vec::new(),
        };
        super::contents::add_markers(&mut board, &forms, self.geometry.names);
        board
    }

    fn placed(&self, reading: &Reading, is_single: bool) -> Placed {
        let fluents = &self.fluents[reading.form];
        let argument = |at: usize| {
            let within = |place: &[usize], end: usize| {
                let axis = place.iter().position(|&it| it == at)?;
                Some(if is_single {
                    Argument::Cell { end }
                } else {
                    Argument::Coordinate { axis, end }
                })
            };
            within(&reading.place, 0)
                .or_else(|| within(&reading.other_end, 1))
                .or_else(|| (reading.layer == Some(at)).then_some(Argument::Layer))
                .unwrap_or(if reading.is_quantity { Argument::Quantity } else { Argument::Content })
        };
        let arguments: Vec<Argument> = (0..fluents.size()).map(argument).collect();
        let has_content =
            arguments.iter().any(|it| matches!(it, Argument::Content | Argument::Quantity));
        let content = (!has_content).then(|| functor(&fluents.form, self.game.symbols()));
        Placed {
            pattern: fluents.form.pattern(0, self.game.symbols()),
            arguments,
            content,
            output: reading.output,
            is_proved: reading.is_proved,
        }
    }
}
