//! The places of a board: where they lie, and which are neighbours.

use std::collections::BTreeSet;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::symbols::{Symbol, Symbols};

use super::axes::{Order, Orders, natural};
use super::boards::{Fluents, Lattice, Reading};
use super::relations::{Binary, Table, is_order};
use super::sorts::{Sorts, argument};
use super::{Axis, AxisKind, Cell, Shape};

/// A place has no more neighbours.
const MOST_NEIGHBOURS: usize = 8;
/// No more relations are tried as directions.
const MOST_DIRECTIONS: usize = 16;

/// A place: the constants that name it.
type Place = Vec<u32>;

/// Pairs of places.
#[derive(Clone, Debug, Default)]
struct JoinedPlace {
    name: String,
    pairs: Vec<(Place, Place)>,
    uses: usize,
}

/// What is known of places from relations that do not change.
#[derive(Debug)]
pub(crate) struct Geometry<'run> {
    pub(crate) tables: &'run [Table],
    pub(crate) binaries: &'run [Binary],
    pub(crate) sorts: &'run Sorts,
    pub(crate) orders: &'run Orders<'run>,
    pub(crate) names: &'run Symbols,
}

impl Geometry<'_> {
    pub(crate) fn text(&self, value: u32) -> &str {
        self.names.name(Symbol(value))
    }

    /// Whether some relation makes places neighbours.
    pub(crate) fn has_neighbours(&self, fluents: &Fluents, place: &[usize]) -> bool {
        let places: BTreeSet<Place> = places(fluents, place);
        !self.neighbours(&sorts_of(fluents, place), &places).is_empty()
    }

    /// Whether the fluents say something of pairs of neighbours.
    pub(crate) fn are_edges(&self, fluents: &Fluents, one: &[usize], other: &[usize]) -> bool {
        if sorts_of(fluents, one) != sorts_of(fluents, other) || fluents.form.rows.len() < 3 {
            return false;
        }
        let orders: Option<Vec<&Order>> =
            one.iter().map(|&it| self.longer(fluents, it, other)).collect();
        let at =
            |row: &Vec<u32>, place: &[usize]| place.iter().map(|&it| row[it]).collect::<Place>();
        if let Some(orders) = orders.filter(|_| one.len() > 1) {
            return fluents.form.rows.iter().all(|row| {
                let step = |number: usize| {
                    let position =
                        |value: u32| orders[number].values.iter().position(|&it| it == value);
                    let from = position(row[one[number]])?;
                    Some(from.abs_diff(position(row[other[number]])?))
                };
                let steps: Option<usize> = (0..one.len()).map(step).sum();
                steps == Some(1)
            });
        }
        if one.iter().any(|&it| fluents.orders[it].is_some()) {
            return false;
        }
        let mut all = places(fluents, one);
        all.extend(places(fluents, other));
        let joined = self.neighbours(&sorts_of(fluents, one), &all);
        let pairs: FxHashSet<(&Place, &Place)> =
            joined.iter().flat_map(|it| it.pairs.iter().map(|(from, to)| (from, to))).collect();
        let is_pair = |row: &Vec<u32>| {
            let (one, other) = (at(row, one), at(row, other));
            pairs.contains(&(&one, &other)) || pairs.contains(&(&other, &one))
        };
        fluents.form.rows.iter().all(is_pair)
    }

    /// The order of an argument, or of the one for the same axis at the other end, which has more values.
    fn longer<'fluents>(
        &self,
        fluents: &'fluents Fluents,
        argument: usize,
        other: &[usize],
    ) -> Option<&'fluents Order> {
        let partner = other.iter().find(|&&it| (it - argument).is_multiple_of(other.len()))?;
        let both = [&fluents.orders[argument], &fluents.orders[*partner]];
        both.into_iter().flatten().max_by_key(|it| it.values.len())
    }

    /// Whether places of two forms overlap on each axis.
    pub(crate) fn shares(
        &self,
        one: &Fluents,
        places: &[usize],
        other: &Fluents,
        others: &[usize],
    ) -> bool {
        places.iter().zip(others).all(|(&at, &there)| {
            let (one, other) = (&one.domains[at], &other.domains[there]);
            let both = one.iter().filter(|it| other.contains(it)).count();
            both * 2 >= one.len().min(other.len())
        })
    }

    /// Relations that make places neighbours, best first.
    fn neighbours(&self, sorts: &[Option<usize>], places: &BTreeSet<Place>) -> Vec<JoinedPlace> {
        let mut found: Vec<JoinedPlace> = Vec::new();
        if let [sort] = sorts {
            for binary in self.binaries.iter().filter(|it| sort.is_some() && it.sorts == [*sort; 2])
            {
                let pairs = binary.pairs.iter().map(|&(from, to)| (vec![from], vec![to])).collect();
                found.push(JoinedPlace { name: binary.name.clone(), pairs, uses: binary.uses });
            }
        } else {
            for table in self.tables {
                found.extend(self.between(table, sorts));
            }
        }
        for joined in &mut found {
            joined
                .pairs
                .retain(|(from, to)| from != to && places.contains(from) && places.contains(to));
        }
        let is_local = |it: &JoinedPlace| {
            let mut degrees: FxHashMap<&Place, usize> = FxHashMap::default();
            it.pairs.iter().for_each(|(from, _)| *degrees.entry(from).or_default() += 1);
            let numbers: FxHashMap<&Place, u32> = places.iter().zip(0..).collect();
            let numbered: Vec<(u32, u32)> =
                it.pairs.iter().map(|(from, to)| (numbers[from], numbers[to])).collect();
            it.pairs.len() > 2
                && it.pairs.len() * 2 >= places.len()
                && degrees.values().all(|&degree| degree <= MOST_NEIGHBOURS.min(places.len() - 2))
                && !is_order(&numbered)
        };
        found.retain(is_local);
        found.sort_by_key(|it| (std::cmp::Reverse(it.uses), std::cmp::Reverse(it.pairs.len())));
        found
    }

    /// A relation of two places of several constants each, or its parts if one more argument tells the direction.
    fn between(&self, table: &Table, sorts: &[Option<usize>]) -> Vec<JoinedPlace> {
        let width = sorts.len();
        let sort = |column: usize| self.sorts.of(&argument(table.predicate, table.arity, column));
        let fits = |columns: &[usize]| {
            columns.iter().enumerate().all(|(at, &column)| {
                sorts[at % width].is_some() && sort(column) == sorts[at % width]
            })
        };
        let pair = |columns: &[usize], row: &Vec<u32>| {
            let at = |columns: &[usize]| columns.iter().map(|&it| row[it]).collect::<Place>();
            (at(&columns[..width]), at(&columns[width..]))
        };
        let written = |columns: &[usize], row: &Vec<u32>| {
            let argument = |at: usize| if columns.contains(&at) { "*" } else { self.text(row[at]) };
            let arguments: Vec<&str> = (0..table.arity).map(argument).collect();
            format!("({} {})", self.text(table.predicate), arguments.join(" "))
        };
        let mut found: Vec<JoinedPlace> = Vec::new();
        let columns: Vec<usize> = (0..table.arity).collect();
        if table.arity == 2 * width && fits(&columns) {
            let pairs = table.rows.iter().map(|row| pair(&columns, row)).collect();
            let name = table.rows.first().map_or_else(String::new, |row| written(&columns, row));
            found.push(JoinedPlace { name, pairs, uses: table.uses });
        } else if table.arity == 2 * width + 1 {
            for given in 0..table.arity {
                let columns: Vec<usize> =
                    columns.iter().copied().filter(|&it| it != given).collect();
                if !fits(&columns) {
                    continue;
                }
                let mut all =
                    JoinedPlace { name: String::new(), pairs: Vec::new(), uses: table.uses };
                for row in &table.rows {
                    all.pairs.push(pair(&columns, row));
                }
                all.name = format!("({})", self.text(table.predicate));
                found.push(all);
            }
        }
        found
    }

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
        let cell = |(coordinates, place): &(Vec<i32>, &Place)| Cell {
            names: place.iter().map(|&it| self.text(it).to_owned()).collect(),
            coordinates: coordinates.clone(),
        };
        let cells = cells.iter().map(cell).collect();
        Lattice { shape, axes, cells, neighbours, blocks: Vec::new() }
    }

    /// Places that have a single name each.
    fn single(&self, all: &BTreeSet<Place>, joined: &[JoinedPlace]) -> Lattice {
        let mut places: Vec<&Place> = all.iter().collect();
        places.sort_by(|one, other| natural(self.text(one[0]), self.text(other[0])));
        let cell = |place: &Place, coordinates: Vec<i32>| Cell {
            names: vec![self.text(place[0]).to_owned()],
            coordinates,
        };
        let is_joined = |it: &&Place| {
            joined
                .iter()
                .any(|joined| joined.pairs.iter().any(|(from, to)| from == *it || to == *it))
        };
        let (places, alone): (Vec<&Place>, Vec<&Place>) = places.into_iter().partition(is_joined);
        let mut lattice = self.joined_places(&places, joined);
        lattice.cells.extend(alone.into_iter().map(|it| cell(it, Vec::new())));
        lattice
    }

    /// Places that have a single name each, and all of which have neighbours.
    fn joined_places(&self, places: &[&Place], joined: &[JoinedPlace]) -> Lattice {
        let cell = |place: &Place, coordinates: Vec<i32>| Cell {
            names: vec![self.text(place[0]).to_owned()],
            coordinates,
        };
        if let Some((coordinates, axes)) = self.embed(places, joined) {
            let mut order: Vec<usize> = (0..places.len()).collect();
            order.sort_by_key(|&it| coordinates[it]);
            let cells =
                order.iter().map(|&it| cell(places[it], coordinates[it].to_vec())).collect();
            let numbers: FxHashMap<&Place, usize> =
                order.iter().enumerate().map(|(at, &it)| (places[it], at)).collect();
            let pairs: BTreeSet<(usize, usize)> =
                joined.iter().flat_map(|it| numbered(&it.pairs, &numbers)).collect();
            let steps = pairs.iter().map(|&(one, other)| {
                let (from, to) = (coordinates[order[one]], coordinates[order[other]]);
                upwards(&[to[0] - from[0], to[1] - from[1]])
            });
            let shape = if is_hexagonal(&steps.collect()) { Shape::Hexagonal } else { Shape::Grid };
            return Lattice {
                shape,
                axes,
                cells,
                neighbours: pairs.into_iter().collect(),
                blocks: Vec::new(),
            };
        }
        let numbers: FxHashMap<&Place, usize> =
            places.iter().enumerate().map(|(at, &it)| (it, at)).collect();
        let pairs: BTreeSet<(usize, usize)> =
            joined.iter().flat_map(|it| numbered(&it.pairs, &numbers)).collect();
        let neighbours: Vec<(usize, usize)> = pairs.into_iter().collect();
        if let Some(round) = ring(places.len(), &neighbours) {
            let mut at = vec![0; places.len()];
            round.iter().enumerate().for_each(|(position, &it)| at[it] = position);
            let cells = round.iter().enumerate();
            let cells =
                cells.map(|(position, &it)| cell(places[it], vec![position as i32])).collect();
            let turned =
                |&(one, other): &(usize, usize)| (at[one].min(at[other]), at[one].max(at[other]));
            let neighbours = neighbours.iter().map(turned).collect();
            return Lattice {
                shape: Shape::Ring,
                axes: Vec::new(),
                cells,
                neighbours,
                blocks: Vec::new(),
            };
        }
        let cells = places.iter().map(|place| cell(place, Vec::new())).collect();
        let shape = if neighbours.is_empty() { Shape::Places } else { Shape::Graph };
        Lattice { shape, axes: Vec::new(), cells, neighbours, blocks: Vec::new() }
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
            .map(|it| {
                (it, it.pairs.iter().map(|(from, to)| (numbers[from], numbers[to])).collect())
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
        let numbers: FxHashMap<Vec<&str>, usize> = cells
            .iter()
            .enumerate()
            .map(|(at, it)| (it.names.iter().map(String::as_str).collect(), at))
            .collect();
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

fn sorts_of(fluents: &Fluents, place: &[usize]) -> Vec<Option<usize>> {
    place.iter().map(|&it| fluents.sorts[it]).collect()
}

fn places(fluents: &Fluents, place: &[usize]) -> BTreeSet<Place> {
    fluents.form.rows.iter().map(|row| place.iter().map(|&it| row[it]).collect()).collect()
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
    let numbers: FxHashMap<Vec<&str>, usize> = cells
        .iter()
        .enumerate()
        .map(|(at, it)| (it.names.iter().map(String::as_str).collect(), at))
        .collect();
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

fn is_injective(pairs: &[(usize, usize)]) -> bool {
    let (mut from, mut to) = (FxHashSet::default(), FxHashSet::default());
    pairs.iter().all(|it| from.insert(it.0) && to.insert(it.1))
}

/// Pairs of places, and the vector from one to the other.
type Step<'run> = (&'run Vec<(usize, usize)>, [i32; 2]);

/// Coordinates from 0 on for all places, each step of a relation being its vector; `None` if some have none or share them.
fn walk(places: usize, steps: &[Step<'_>]) -> Option<Vec<[i32; 2]>> {
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
fn upwards(vector: &[i32]) -> Vec<i32> {
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

/// The places of a ring, one after the other, if the neighbours are one.
fn ring(places: usize, neighbours: &[(usize, usize)]) -> Option<Vec<usize>> {
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
