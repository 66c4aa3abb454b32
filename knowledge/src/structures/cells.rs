//! The places of a board: where they lie. Places that have a single name get coordinates by what their neighbours lie like.

use std::collections::BTreeSet;

use fxhash::{FxHashMap, FxHashSet};

use super::axes::{Order, natural};
use super::fluents::Fluents;
use super::neighbours::{Geometry, JoinedPlace, Place, places, sorts_of};
use super::readings::Reading;
use super::sorts::argument;
use super::{Axis, AxisKind, Cell, Shape};

/// No more relations are tried as directions.
const MOST_DIRECTIONS: usize = 16;

/// Axes, places and neighbours.
#[derive(Debug)]
pub(crate) struct Lattice {
    pub(crate) shape: Shape,
    pub(crate) axes: Vec<Axis>,
    pub(crate) cells: Vec<Cell>,
    pub(crate) neighbours: Vec<(usize, usize)>,
    pub(crate) blocks: Vec<usize>,
}

impl Geometry<'_> {
    /// How the places of some forms lie.
    pub(crate) fn lattice(&self, forms: &[(&Fluents, &Reading)]) -> Lattice {
        let (first, reading) = forms[0];
        let mut all: BTreeSet<Place> = BTreeSet::new();
        for (fluents, reading) in forms {
            all.extend(places(fluents, &reading.place));
            if !reading.other_end.is_empty() {
                all.extend(places(fluents, &reading.other_end));
            }
        }
        let sorts = sorts_of(first, &reading.place);
        let joined = self.neighbours(&sorts, &all);
        let orders: Vec<Order> = (0..reading.place.len())
            .map(|axis| {
                let values: BTreeSet<u32> = all.iter().map(|place| place[axis]).collect();
                let values: Vec<u32> = values.into_iter().collect();
                self.orders
                    .order(&values, sorts[axis])
                    .unwrap_or_else(|| self.orders.unordered(&values))
            })
            .collect();
        let is_ordered = orders.iter().all(|it| it.axis.kind != AxisKind::Unordered);
        let is_edges = !reading.other_end.is_empty();
        let mut lattice = match reading.place.len() {
            1 if !is_ordered => self.single(&all, &joined),
            _ => self.coordinated(&all, &orders, &joined),
        };
        if is_edges {
            lattice.shape = Shape::Edges;
            lattice.neighbours = edges(forms, &lattice.cells, |it| self.text(it));
        }
        if reading.place.len() == 2 {
            lattice.blocks = self.blocks(&sorts, &lattice.cells);
        }
        lattice
    }

    /// Places that several arguments tell, or one that is in order.
    fn coordinated(
        &self,
        all: &BTreeSet<Place>,
        orders: &[Order],
        joined: &[JoinedPlace],
    ) -> Lattice {
        let position = |axis: usize, value: u32| {
            orders[axis].values.iter().position(|&it| it == value).unwrap_or(0) as i32
        };
        let coordinates = |place: &Place| -> Vec<i32> {
            place.iter().enumerate().map(|(axis, &it)| position(axis, it)).collect()
        };
        let mut cells: Vec<(Vec<i32>, &Place)> =
            all.iter().map(|place| (coordinates(place), place)).collect();
        cells.sort();
        let numbers: FxHashMap<&Place, usize> =
            cells.iter().enumerate().map(|(at, it)| (it.1, at)).collect();
        let best: Option<&JoinedPlace> = joined.first();
        let neighbours = best.map_or_else(Vec::new, |it| numbered(&it.pairs, &numbers));
        let step = |&(one, other): &(usize, usize)| -> Vec<i32> {
            cells[one].0.iter().zip(&cells[other].0).map(|(from, to)| to - from).collect()
        };
        let kinds: Vec<AxisKind> = orders.iter().map(|it| it.axis.kind).collect();
        let vectors: BTreeSet<Vec<i32>> =
            neighbours.iter().map(step).map(|it| upwards(&it)).collect();
        let shape = match kinds[..] {
            [AxisKind::Ring] => Shape::Ring,
            [AxisKind::Line, AxisKind::Line] if is_hexagonal(&vectors) => Shape::Hexagonal,
            [AxisKind::Ring, AxisKind::Line] | [AxisKind::Line, AxisKind::Ring]
                if is_partly_joined(&kinds, &cells, &neighbours) =>
            {
                Shape::Rings
            }
            [AxisKind::Unordered, AxisKind::Unordered, ..]
            | [.., AxisKind::Unordered, AxisKind::Unordered]
                if !neighbours.is_empty() =>
            {
                Shape::Graph
            }
            _ => Shape::Grid,
        };
        let axes = orders.iter().map(|it| it.axis.clone()).collect();
        let cells = cells.into_iter().map(|(at, place)| self.cell(place, at)).collect();
        Lattice { shape, axes, cells, neighbours, blocks: Vec::new() }
    }

    /// Places that have a single name each.
    fn single(&self, all: &BTreeSet<Place>, joined: &[JoinedPlace]) -> Lattice {
        let mut places: Vec<&Place> = all.iter().collect();
        places.sort_by(|one, other| natural(self.text(one[0]), self.text(other[0])));
        let is_joined = |place: &&Place| {
            joined
                .iter()
                .any(|joined| joined.pairs.iter().any(|(from, to)| from == *place || to == *place))
        };
        let (places, alone): (Vec<&Place>, Vec<&Place>) = places.into_iter().partition(is_joined);
        let mut lattice = self.joined_places(&places, joined);
        lattice.cells.extend(alone.into_iter().map(|it| self.cell(it, Vec::new())));
        lattice
    }

    /// Places that have a single name each, and all of which have neighbours.
    fn joined_places(&self, places: &[&Place], joined: &[JoinedPlace]) -> Lattice {
        let numbers: FxHashMap<&Place, usize> =
            places.iter().enumerate().map(|(at, &it)| (it, at)).collect();
        let pairs: BTreeSet<(usize, usize)> =
            joined.iter().flat_map(|it| numbered(&it.pairs, &numbers)).collect();
        let neighbours: Vec<(usize, usize)> = pairs.into_iter().collect();
        let (mut axes, mut coordinates) = (Vec::new(), vec![Vec::new(); places.len()]);
        let shape = if let Some((found, along)) = self.embed(places, joined) {
            let steps = neighbours.iter().map(|&(one, other)| {
                let (from, to) = (found[one], found[other]);
                upwards(&[to[0] - from[0], to[1] - from[1]])
            });
            let is_hexagonal = is_hexagonal(&steps.collect());
            (axes, coordinates) = (along, found.iter().map(|it| it.to_vec()).collect());
            if is_hexagonal { Shape::Hexagonal } else { Shape::Grid }
        } else if let Some(round) = ring(places.len(), &neighbours) {
            round.iter().zip(0..).for_each(|(&it, position)| coordinates[it].push(position));
            Shape::Ring
        } else if neighbours.is_empty() {
            Shape::Places
        } else {
            Shape::Graph
        };
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by(|&one, &other| coordinates[one].cmp(&coordinates[other]));
        let mut at = vec![0; places.len()];
        order.iter().enumerate().for_each(|(cell, &place)| at[place] = cell);
        let turned =
            |(one, other): (usize, usize)| (at[one].min(at[other]), at[one].max(at[other]));
        let neighbours: BTreeSet<(usize, usize)> = neighbours.into_iter().map(turned).collect();
        let cells = order.iter().map(|&it| self.cell(places[it], coordinates[it].clone()));
        let cells = cells.collect();
        let neighbours = neighbours.into_iter().collect();
        Lattice { shape, axes, cells, neighbours, blocks: Vec::new() }
    }

    /// The cell of a place.
    fn cell(&self, place: &Place, coordinates: Vec<i32>) -> Cell {
        Cell { names: place.iter().map(|&it| self.text(it).to_owned()).collect(), coordinates }
    }

    /// Two relations that go across and upwards, so that each place has coordinates of its own: of all such pairs the one with the
    /// smallest board.
    fn embed(
        &self,
        places: &[&Place],
        joined: &[JoinedPlace],
    ) -> Option<(Vec<[i32; 2]>, Vec<Axis>)> {
        let numbers: FxHashMap<&Place, usize> =
            places.iter().enumerate().map(|(at, &it)| (it, at)).collect();
        let directions: Vec<(&JoinedPlace, Vec<(usize, usize)>)> = joined
            .iter()
            .map(|joined| {
                let pairs = joined.pairs.iter();
                (joined, pairs.map(|(from, to)| (numbers[from], numbers[to])).collect())
            })
            .filter(|(_, pairs): &(_, Vec<(usize, usize)>)| is_injective(pairs))
            .take(MOST_DIRECTIONS)
            .collect();
        let mut best: Option<(i32, Vec<[i32; 2]>, [usize; 2])> = None;
        for across in 0..directions.len() {
            for upwards in across + 1..directions.len() {
                let steps = [(&directions[across].1, [1, 0]), (&directions[upwards].1, [0, 1])];
                let Some(coordinates) = walk(places.len(), &steps) else { continue };
                let size =
                    |axis: usize| coordinates.iter().map(|it| it[axis]).max().unwrap_or(0) + 1;
                let area = size(0) * size(1);
                if size(0).min(size(1)) > 1 && best.as_ref().is_none_or(|it| area < it.0) {
                    best = Some((area, coordinates, [across, upwards]));
                }
            }
        }
        let (_, coordinates, chosen) = best?;
        let axis = |number: usize| {
            let (joined, pairs) = &directions[chosen[number]];
            let back: BTreeSet<(usize, usize)> =
                pairs.iter().map(|&(from, to)| (to, from)).collect();
            let reverse =
                directions.iter().find(|it| it.1.iter().copied().collect::<BTreeSet<_>>() == back);
            let size = coordinates.iter().map(|it| it[number]).max().unwrap_or(0) + 1;
            Axis {
                kind: AxisKind::Line,
                relation: Some(joined.name.clone()),
                reverse: reverse.map(|it| it.0.name.clone()),
                is_directed: reverse.is_none_or(|it| it.0.uses != joined.uses),
                values: (0..size).map(|it| it.to_string()).collect(),
            }
        };
        Some((coordinates.clone(), vec![axis(0), axis(1)]))
    }

    /// By cell: the number of its block, if a relation of two coordinates and one more constant gives one.
    fn blocks(&self, sorts: &[Option<usize>], cells: &[Cell]) -> Vec<usize> {
        let numbers = numbers(cells);
        for table in self.tables.iter().filter(|it| it.arity == 3) {
            let sort = |column: usize| self.sorts.of(&argument(table.predicate, 3, column));
            if sorts.iter().any(Option::is_none) || sort(0) != sorts[0] || sort(1) != sorts[1] {
                continue;
            }
            let mut blocks = vec![usize::MAX; cells.len()];
            let mut of_value: FxHashMap<u32, usize> = FxHashMap::default();
            let mut is_function = true;
            for row in &table.rows {
                let Some(&cell) = numbers.get(&vec![self.text(row[0]), self.text(row[1])]) else {
                    continue;
                };
                is_function &= blocks[cell] == usize::MAX;
                let next = of_value.len();
                blocks[cell] = *of_value.entry(row[2]).or_insert(next);
            }
            let is_whole = is_function && blocks.iter().all(|&it| it != usize::MAX);
            if is_whole
                && of_value.len() > 1
                && of_value.len() * 3 <= cells.len()
                && are_compact(&blocks, cells)
            {
                return blocks;
            }
        }
        Vec::new()
    }
}

/// Whether the cells of each block touch each other.
fn are_compact(blocks: &[usize], cells: &[Cell]) -> bool {
    let touches = |one: usize, other: usize| {
        let apart = cells[one].coordinates.iter().zip(&cells[other].coordinates);
        apart.map(|(one, other)| (one - other).abs()).sum::<i32>() == 1
    };
    (0..cells.len()).all(|one| {
        (0..cells.len()).any(|other| blocks[one] == blocks[other] && touches(one, other))
    })
}

/// The numbers of cells by their names.
pub(super) fn numbers(cells: &[Cell]) -> FxHashMap<Vec<&str>, usize> {
    let names = cells.iter().map(|it| it.names.iter().map(String::as_str).collect());
    names.zip(0..).collect()
}

/// Pairs of numbers of places, the smaller first.
fn numbered(pairs: &[(Place, Place)], numbers: &FxHashMap<&Place, usize>) -> Vec<(usize, usize)> {
    let number = |(from, to): &(Place, Place)| {
        let (from, to) = (*numbers.get(from)?, *numbers.get(to)?);
        Some((from.min(to), from.max(to)))
    };
    let all: BTreeSet<(usize, usize)> = pairs.iter().filter_map(number).collect();
    all.into_iter().collect()
}

/// The pairs of points that edges can lie between.
fn edges<'text>(
    forms: &[(&Fluents, &Reading)],
    cells: &[Cell],
    text: impl Fn(u32) -> &'text str,
) -> Vec<(usize, usize)> {
    let numbers = numbers(cells);
    let mut found: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (fluents, reading) in forms {
        for row in &fluents.form.rows {
            let at = |place: &[usize]| {
                numbers.get(&place.iter().map(|&it| text(row[it])).collect::<Vec<&str>>())
            };
            if let (Some(&one), Some(&other)) = (at(&reading.place), at(&reading.other_end)) {
                found.insert((one.min(other), one.max(other)));
            }
        }
    }
    found.into_iter().collect()
}

/// Whether one axis is a ring, and on the other not each place has its neighbour.
fn is_partly_joined(
    kinds: &[AxisKind],
    cells: &[(Vec<i32>, &Place)],
    neighbours: &[(usize, usize)],
) -> bool {
    let across = usize::from(kinds[0] == AxisKind::Ring);
    let is_across =
        |&&(one, other): &&(usize, usize)| cells[one].0[1 - across] == cells[other].0[1 - across];
    let joined = neighbours.iter().filter(is_across).count();
    let size = cells.iter().map(|it| it.0[across]).max().unwrap_or(0) as usize + 1;
    let round = cells.len() / size.max(1);
    joined > 0 && joined < (size - 1) * round
}

pub(super) fn is_injective(pairs: &[(usize, usize)]) -> bool {
    let (mut from, mut to) = (FxHashSet::default(), FxHashSet::default());
    pairs.iter().all(|it| from.insert(it.0) && to.insert(it.1))
}

/// Pairs of places, and the vector from one to the other.
pub(super) type Step<'run> = (&'run Vec<(usize, usize)>, [i32; 2]);

/// Coordinates from 0 on for all places, each step of a relation being its vector; `None` if some have none or share them.
pub(super) fn walk(places: usize, steps: &[Step<'_>]) -> Option<Vec<[i32; 2]>> {
    let mut near: Vec<Vec<(usize, [i32; 2])>> = vec![Vec::new(); places];
    for (pairs, step) in steps {
        for &(from, to) in *pairs {
            near[from].push((to, *step));
            near[to].push((from, [-step[0], -step[1]]));
        }
    }
    let mut found: Vec<Option<[i32; 2]>> = vec![None; places];
    *found.first_mut()? = Some([0, 0]);
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        let here = found[at].expect("it was found before");
        for &(to, step) in &near[at] {
            let there = [here[0] + step[0], here[1] + step[1]];
            match found[to] {
                Some(known) if known != there => return None,
                Some(_) => {}
                None => {
                    found[to] = Some(there);
                    open.push(to);
                }
            }
        }
    }
    let mut coordinates: Vec<[i32; 2]> = found.into_iter().collect::<Option<_>>()?;
    for axis in 0..2 {
        let least = coordinates.iter().map(|it| it[axis]).min()?;
        coordinates.iter_mut().for_each(|it| it[axis] -= least);
    }
    let own: BTreeSet<[i32; 2]> = coordinates.iter().copied().collect();
    (own.len() == places).then_some(coordinates)
}

/// Of a vector and its opposite that which begins with a positive number.
pub(super) fn upwards(vector: &[i32]) -> Vec<i32> {
    let sign = vector.iter().copied().find(|&it| it != 0).unwrap_or(1).signum();
    vector.iter().map(|it| it * sign).collect()
}

/// Whether neighbours lie in three directions, one of which is the sum of the others.
fn is_hexagonal(vectors: &BTreeSet<Vec<i32>>) -> bool {
    let vectors: Vec<&Vec<i32>> = vectors.iter().collect();
    let [one, two, three] = vectors[..] else { return false };
    let sum = |sign: i32, one: &[i32], other: &[i32]| {
        upwards(&one.iter().zip(other).map(|(one, other)| one + sign * other).collect::<Vec<i32>>())
    };
    let is_near = vectors.iter().all(|it| it.iter().all(|step| step.abs() <= 1));
    is_near && one.len() == 2 && [1, -1].iter().any(|&sign| sum(sign, one, two) == *three)
}

/// The places of a ring, one after the other, if the neighbours are one.
pub(super) fn ring(places: usize, neighbours: &[(usize, usize)]) -> Option<Vec<usize>> {
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); places];
    for &(one, other) in neighbours {
        near[one].push(other);
        near[other].push(one);
    }
    if places < 4 || near.iter().any(|it| it.len() != 2) {
        return None;
    }
    let mut round = vec![0];
    let (mut before, mut at) = (0, *near[0].iter().min()?);
    while at != 0 {
        round.push(at);
        let next = near[at].iter().copied().find(|&it| it != before)?;
        (before, at) = (at, next);
    }
    (round.len() == places).then_some(round)
}
