//! Which arguments of a fluent are places, and which fluents share a board.

use std::collections::BTreeSet;

use groundfrog::description::Description;
use groundfrog::game::{GroundGame, TermShape};
use groundfrog::symbols::{Symbol, Symbols};

use super::axes::{Order, Orders};
use super::cells::Geometry;
use super::contents::counters;
use super::relations::{binaries, changing, described, tables};
use super::sorts::{Path, STATE, Sorts};
use super::{Argument, Axis, AxisKind, Board, Output, Placed, Quantity, Shape, Stack, Structures};
use crate::analysis::{Analysis, Verdict};
use crate::families::{Form, forms};
use crate::property::Property;

/// Fluents with more constants are not looked at.
const MOST_ARGUMENTS: usize = 8;
/// No more boards that look the same are told apart by one argument.
const MOST_LAYERS: usize = 16;
/// What is worth less is no board if it is a number.
const CLEAR: u32 = 30;
/// No more axes.
const MOST_AXES: usize = 4;

/// A form of fluents, and what is known of its arguments.
#[derive(Debug)]
pub(crate) struct Fluents {
    pub(crate) form: Form,
    /// By argument: its values.
    pub(crate) domains: Vec<Vec<u32>>,
    /// By argument: its class.
    pub(crate) sorts: Vec<Option<usize>>,
    /// By argument: its class where relations that do not change join nothing.
    pub(crate) flows: Vec<Option<usize>>,
    pub(crate) orders: Vec<Option<Order>>,
    /// Sets of arguments, as bits, of which the others are a key, with how many fluents of a key hold, and whether that is proved.
    pub(crate) contents: Vec<(u32, Output, bool)>,
}

impl Fluents {
    fn size(&self) -> usize {
        self.domains.len()
    }

    fn is_ordered(&self, argument: usize) -> bool {
        self.orders[argument].is_some()
    }
}

/// A way to see the fluents of a form.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) form: usize,
    /// The arguments that are the place, or the first point of an edge.
    pub(crate) place: Vec<usize>,
    /// Those of the second point.
    pub(crate) other_end: Vec<usize>,
    pub(crate) layer: Option<usize>,
    pub(crate) is_quantity: bool,
    pub(crate) output: Output,
    pub(crate) is_proved: bool,
    /// The better ones have more.
    pub(crate) rank: u32,
}

/// Finds all structures but pieces.
pub(crate) fn find(
    description: &Description,
    game: &GroundGame,
    analysis: &Analysis,
) -> Structures {
    let mut names = game.symbols().clone();
    let changing = changing(description);
    let tables = tables(description, &changing, &mut names);
    let sorts = Sorts::new(description, &mut names, |_| false);
    let flows = Sorts::new(description, &mut names, |atom| {
        !changing.contains(&atom.predicate()) && !description.keywords.contains(atom.predicate)
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

fn view(
    form: Form,
    sorts: &Sorts,
    flows: &Sorts,
    orders: &Orders<'_>,
    roles: Option<usize>,
    analysis: &Analysis,
    symbols: &Symbols,
) -> Fluents {
    let mut paths: Vec<Path> = Vec::new();
    if let Some(fluent) = form.shape.arguments.first() {
        holes(fluent, vec![STATE], &mut paths);
    }
    let domains: Vec<Vec<u32>> = (0..paths.len())
        .map(|hole| form.rows.iter().map(|row| row[hole]).collect::<BTreeSet<u32>>())
        .map(|values| values.into_iter().collect())
        .collect();
    let classes: Vec<Option<usize>> = paths.iter().map(|path| sorts.of(path)).collect();
    let flows: Vec<Option<usize>> = paths.iter().map(|path| flows.of(path)).collect();
    // Who is next after whom orders roles, and no board.
    let found = (0..paths.len()).map(|hole| {
        let is_role = roles.is_some() && flows[hole] == roles;
        orders.order(&domains[hole], classes[hole]).filter(|_| !is_role)
    });
    let orders = found.collect();
    let mut contents = Vec::new();
    if (1..=MOST_ARGUMENTS).contains(&paths.len()) {
        for mask in 1..1u32 << paths.len() {
            let pattern = form.pattern(mask, symbols);
            contents
                .extend(known(analysis, &pattern).map(|(output, proved)| (mask, output, proved)));
        }
    }
    Fluents { form, domains, sorts: classes, flows, orders, contents }
}

/// The paths of the constants of a term.
fn holes(shape: &TermShape, path: Path, paths: &mut Vec<Path>) {
    match shape {
        TermShape::Constant => paths.push(path),
        TermShape::Function(functor, arguments) => {
            for (position, argument) in arguments.iter().enumerate() {
                let mut inner = path.clone();
                inner.extend([functor.0, arguments.len() as u32, position as u32]);
                holes(argument, inner, paths);
            }
        }
    }
}

/// How many fluents of a key of a pattern hold, and whether that is proved.
fn known(analysis: &Analysis, pattern: &str) -> Option<(Output, bool)> {
    let mut best = None;
    for finding in &analysis.findings {
        let output = match &finding.property {
            Property::ExactlyOne { pattern: it } if it == pattern => Output::One,
            Property::AtMostOne { pattern: it } if it == pattern => Output::AtMostOne,
            _ => continue,
        };
        match finding.verdict {
            Verdict::Proved => return Some((output, true)),
            Verdict::Unknown { .. } => best = best.or(Some((output, false))),
            Verdict::Refuted { .. } => {}
        }
    }
    best
}

struct Search<'run> {
    game: &'run GroundGame,
    analysis: &'run Analysis,
    fluents: &'run [Fluents],
    geometry: Geometry<'run>,
    roles: Option<usize>,
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
            let is_in = |it: &usize| {
                patterns.contains(&self.fluents[*it].form.pattern(0, symbols).as_str())
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

    /// The best way to see the fluents of a form as something on a board.
    fn reading(&self, form: usize) -> Option<Reading> {
        let fluents = &self.fluents[form];
        let mut readings: Vec<Reading> = self.edges(form).into_iter().collect();
        for &(mask, output, is_proved) in &fluents.contents {
            readings.extend(self.keyed(form, mask, output, is_proved));
            readings.extend(self.located(form, mask));
        }
        let ordered: Vec<usize> =
            (0..fluents.size()).filter(|&it| fluents.is_ordered(it)).collect();
        let is_joined = self.geometry.has_neighbours(fluents, &[0]);
        if (2..MOST_AXES).contains(&ordered.len()) {
            let place = ordered;
            readings.push(self.several(form, place, 50));
        } else if fluents.size() == 1
            && is_joined
            && !is_line(&fluents.orders[0])
            && !self.is_of_roles(form, 0)
        {
            readings.push(self.several(form, vec![0], 45));
        } else if fluents.size() == 2 && is_joined {
            readings.push(self.several(form, vec![0], 30));
        } else if fluents.size() == 3
            && is_of_one_kind(fluents, &[0, 1])
            && self.fills(fluents, &[0, 1])
        {
            readings.push(self.several(form, vec![0, 1], 25));
        } else if fluents.size() <= 3 {
            // Only where another form has such places.
            readings.push(self.several(form, (0..fluents.size()).collect(), 5));
        }
        let best = readings.iter().map(|it| it.rank).max()?;
        // Of equals that with the last arguments as content.
        readings.into_iter().rev().find(|it| it.rank == best)
    }

    fn several(&self, form: usize, place: Vec<usize>, rank: u32) -> Reading {
        let output = Output::Several;
        Reading {
            form,
            place,
            other_end: Vec::new(),
            layer: None,
            is_quantity: false,
            output,
            is_proved: true,
            rank,
        }
    }

    fn is_of_roles(&self, form: usize, argument: usize) -> bool {
        self.roles.is_some() && self.fluents[form].flows[argument] == self.roles
    }

    /// The arguments besides the content are the place.
    fn keyed(&self, form: usize, mask: u32, output: Output, is_proved: bool) -> Option<Reading> {
        let fluents = &self.fluents[form];
        let content: Vec<usize> = (0..fluents.size()).filter(|&it| mask >> it & 1 == 1).collect();
        let key: Vec<usize> = (0..fluents.size()).filter(|&it| mask >> it & 1 == 0).collect();
        let (ordered, other): (Vec<usize>, Vec<usize>) =
            key.iter().partition(|&&it| fluents.is_ordered(it));
        let is_joined = |it: &Vec<usize>| self.geometry.has_neighbours(fluents, it);
        let mut layer = None;
        let mut place = key.clone();
        let mut rank = match (ordered.len(), other.len()) {
            (0, 0) => return None,
            (2..=MOST_AXES, 0) => 100,
            (2..=MOST_AXES, 1) if fluents.domains[other[0]].len() <= MOST_LAYERS => {
                (layer, place) = (Some(other[0]), ordered);
                90
            }
            (_, 2..)
                if self.fills(fluents, &key)
                    && key.len() <= MOST_AXES
                    && is_of_one_kind(fluents, &key) =>
            {
                70
            }
            (0, 2..=3) if is_joined(&key) => 65,
            (0, 1) if self.is_of_roles(form, other[0]) => return None,
            (0, 1) if is_joined(&key) => 60,
            (1, 0) => 40,
            (1, 1) if fluents.domains[other[0]].len() <= MOST_LAYERS => {
                (layer, place) = (Some(other[0]), ordered);
                35
            }
            (0, 2)
                if fluents.domains[key[0]].len().min(fluents.domains[key[1]].len())
                    <= MOST_LAYERS
                    && self.fills(fluents, &key) =>
            {
                let (small, large) =
                    match fluents.domains[key[0]].len() <= fluents.domains[key[1]].len() {
                        true => (key[0], key[1]),
                        false => (key[1], key[0]),
                    };
                (layer, place) = (Some(small), vec![large]);
                34
            }
            (0, 1) => 10,
            _ => return None,
        };
        let is_quantity =
            !content.is_empty() && content.iter().all(|&it| is_line(&fluents.orders[it]));
        if !is_quantity && content.len() <= 1 {
            rank += 5;
        } else if content.len() == 1 && place.len() == 1 && layer.is_none() {
            // A position of each key, or a number: queens in rows are the former.
            let same = |it: &Option<Order>| it.as_ref().map(|order| order.axis.relation.clone());
            let both = [&fluents.orders[content[0]], &fluents.orders[place[0]]].map(same);
            if both[0] == both[1] && rank == 40 {
                rank = 39;
            }
        }
        Some(Reading {
            form,
            place,
            other_end: Vec::new(),
            layer,
            is_quantity,
            output,
            is_proved,
            rank,
        })
    }

    /// The content is the place of what the key names.
    fn located(&self, form: usize, mask: u32) -> Option<Reading> {
        let fluents = &self.fluents[form];
        let of = |bit: u32| (0..fluents.size()).filter(move |it| mask >> it & 1 == bit);
        let place: Vec<usize> = of(1).filter(|&it| fluents.is_ordered(it)).collect();
        let is_place =
            (2..=MOST_AXES).contains(&place.len()) && of(0).all(|it| !fluents.is_ordered(it));
        is_place.then(|| self.several(form, place, 80))
    }

    /// The arguments are two points that are neighbours.
    fn edges(&self, form: usize) -> Option<Reading> {
        let fluents = &self.fluents[form];
        (0..fluents.size()).find_map(|first| {
            [2, 1].into_iter().find_map(|width| {
                let place: Vec<usize> = (first..first + width).collect();
                let other_end: Vec<usize> = (first + width..first + 2 * width).collect();
                if first + 2 * width > fluents.size()
                    || !self.geometry.are_edges(fluents, &place, &other_end)
                {
                    return None;
                }
                let mut reading = self.several(form, place, 200);
                reading.other_end = other_end;
                Some(reading)
            })
        })
    }

    /// Whether most combinations of values of some arguments occur.
    fn fills(&self, fluents: &Fluents, key: &[usize]) -> bool {
        let place = |row: &Vec<u32>| key.iter().map(|&it| row[it]).collect::<Vec<u32>>();
        let places: BTreeSet<Vec<u32>> = fluents.form.rows.iter().map(place).collect();
        let all: usize = key.iter().map(|&it| fluents.domains[it].len()).product();
        places.len() * 5 >= all * 2 && key.iter().all(|&it| fluents.domains[it].len() > 1)
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
            let flows = |it: &Reading, place: &[usize]| -> Vec<Option<usize>> {
                place.iter().map(|&at| self.fluents[it.form].flows[at]).collect()
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
        let layers = first.layer.map_or_else(Vec::new, |it| {
            self.geometry.orders.unordered(&self.fluents[first.form].domains[it]).axis.values
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

/// Whether the arguments of a key have as many values, or pass them on.
fn is_of_one_kind(fluents: &Fluents, key: &[usize]) -> bool {
    let first = key[0];
    key.iter().all(|&it| {
        fluents.domains[it] == fluents.domains[first]
            || fluents.sorts[it] == fluents.sorts[first]
            || fluents.domains[it].len().abs_diff(fluents.domains[first].len()) <= 2
    })
}

fn is_line(order: &Option<Order>) -> bool {
    order.as_ref().is_some_and(|it| it.axis.kind == AxisKind::Line)
}

/// The names of the functions of a fluent.
fn functor(form: &Form, symbols: &Symbols) -> String {
    fn walk<'text>(shape: &TermShape, symbols: &'text Symbols, found: &mut Vec<&'text str>) {
        if let TermShape::Function(functor, arguments) = shape {
            found.push(symbols.name(Symbol(functor.0)));
            arguments.iter().for_each(|it| walk(it, symbols, found));
        }
    }
    let mut found = Vec::new();
    form.shape.arguments.iter().for_each(|it| walk(it, symbols, &mut found));
    found.join(" ")
}

/// Axes, places and neighbours.
#[derive(Debug)]
pub(crate) struct Lattice {
    pub(crate) shape: Shape,
    pub(crate) axes: Vec<Axis>,
    pub(crate) cells: Vec<super::Cell>,
    pub(crate) neighbours: Vec<(usize, usize)>,
    pub(crate) blocks: Vec<usize>,
}
