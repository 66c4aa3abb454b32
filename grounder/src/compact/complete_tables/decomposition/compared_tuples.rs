//! Static conditions that say that two tuples differ, however they are defined: by their tables.
//!
//! ```text
//! (<= (elsewhere ?x ?y ?u ?v) (cell ?x ?y) (cell ?u ?v) (not (same_cell ?x ?y ?u ?v)))
//! ```
//!
//! There are many ways to write such a definition. The table of any of them has each tuple of
//! one set with each of another, but none with itself; the table of `same_cell` has nothing but tuples with themselves.
//! Where the rest of a rule says that the tuples are in these sets, the literal says no more than `distinct` does,
//! and gives way to it: the passes over rules know what that means. The rule has the same instances.

use std::rc::Rc;

use fxhash::FxHashSet;
use groundfrog_engine::{Argument, Arguments, Constants, RowId, Table};

use super::draft::Draft;
use super::proposal::Proposal;
use super::world::World;
use crate::compact::comparison::{Comparison, comparison};
use crate::compact::complete_tables::auxiliaries::Change;
use crate::flat::lowering::predicate;
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, LiteralKind};
use crate::tuning::{LEAST_TUPLES, MOST_LOOKED_AT};

/// The tuples of a table's columns, and whether these are all tuples of the columns' values.
#[derive(Debug)]
struct TableTuples {
    columns: Vec<usize>,
    found: FxHashSet<Vec<u32>>,
    is_product: bool,
}

/// What a table says of the two halves of its rows.
#[derive(Debug)]
pub(super) struct Meaning {
    /// They differ; otherwise they are the same.
    is_difference: bool,
    left: TableTuples,
    right: TableTuples,
}

/// The rule with `distinct` in the place of a condition that says no more than that two tuples differ.
pub(crate) fn compared(rule: &FlatRule, draft: &Draft<'_, '_>) -> Vec<Proposal> {
    let world = draft.world;
    if !rule.stored {
        return Vec::new();
    }
    let places = 0..rule.body.len();
    let found = places.filter_map(|at| Some((at, comparison_of(rule, at, world)?))).next();
    let Some((at, (comparison, conditions))) = found else { return Vec::new() };
    let mut compared = rule.clone();
    compared.body[at].kind = comparison;
    for atom in conditions {
        let kind = LiteralKind::Positive(atom);
        let condition = FlatLiteral { kind, joined: true, stored: false };
        if !compared.body.contains(&condition) {
            compared.body.push(condition);
        }
    }
    vec![Proposal::plain(Change::Compared, vec![compared])]
}

/// The comparison that says what a literal says in its rule, with conditions, if there is one.
fn comparison_of(
    rule: &FlatRule,
    at: usize,
    world: &World<'_>,
) -> Option<(LiteralKind, Vec<FlatAtom>)> {
    let literal = &rule.body[at];
    let atom = literal.atom().filter(|it| it.arguments.len() > 1)?;
    if literal.stored || !literal.joined || !world.goes_on(rule) {
        return None;
    }
    let meaning = meaning(atom.form, world)?;
    let Meaning { is_difference, left, right } = &*meaning;
    // That two tuples are the same is not implied by `distinct`. What must not be the case between a move and the rest has
    // a complement as it is, which is smaller than that of a comparison.
    let is_about_moves = || rule.body.iter().any(|it| world.is_move(it));
    if *is_difference != literal.is_positive() || !is_difference && is_about_moves() {
        return None;
    }
    let [own, others] = [left, right].map(|it| arguments(atom, &it.columns));
    let pairs = own.iter().copied().zip(others.iter().copied());
    let Comparison::Open(compared) = comparison(pairs) else { return None };
    let within =
        |tuple: &[Argument], set| conditions_within((rule, at), tuple, (atom.form, set), world);
    // A difference does not hold of what is in none of the sets either. That two tuples are not the same holds if they
    // differ; if they are the same, then both are in the set as soon as one is, and it does not hold.
    let conditions = if *is_difference {
        let (mut conditions, _) = within(&own, left)?;
        conditions.extend(within(&others, right)?.0);
        conditions
    } else {
        let implied = |(conditions, is_implied)| if is_implied { Some(conditions) } else { None };
        within(&own, left).and_then(implied).or_else(|| within(&others, right).and_then(implied))?
    };
    Some((compared, conditions))
}

/// Conditions that say, with the other literals of a rule, that a tuple is in a set, and bind its variables; and whether
/// the others say so by themselves. `None` if that cannot be implied.
fn conditions_within(
    (rule, at): (&FlatRule, usize),
    tuple: &[Argument],
    (form, set): (FormId, &TableTuples),
    world: &World<'_>,
) -> Option<(Vec<FlatAtom>, bool)> {
    let others = rule.body.iter().enumerate().filter(|(it, _)| *it != at);
    let binders = others.map(|it| it.1).filter(|it| it.joined && it.is_positive());
    let binders: Vec<(&FlatAtom, bool)> =
        binders.filter_map(|it| Some((it.atom()?, it.stored))).collect();
    let binders: Vec<(&FlatAtom, bool)> =
        binders.into_iter().filter(|it| world.has_all_rows(it.0.form)).collect();
    let mut conditions = Vec::new();
    let mut is_implied = true;
    if !set.is_product {
        let is_in = binders.iter().any(|(atom, _)| holds_within(atom, tuple, &set.found, world));
        return is_in.then_some((conditions, true));
    }
    for (argument, &column) in tuple.iter().zip(&set.columns) {
        let wanted = values_of(world, form, column);
        let place = |atom: &FlatAtom| atom.arguments.iter().position(|it| it == argument);
        if let Argument::Constant(it) = *argument {
            wanted.get(it as usize).filter(|it| **it)?;
            continue;
        }
        let says = |&&(atom, _): &&(&FlatAtom, bool)| {
            place(atom).is_some_and(|at| is_part(&values_of(world, atom.form, at), &wanted))
        };
        let is_in = binders.iter().any(|it| says(&it));
        if binders.iter().filter(|it| it.1).any(|it| says(&it)) {
            continue;
        }
        let is_wanted = |atom: &&FlatAtom| {
            let own = values_of(world, atom.form, 0);
            is_part(&own, &wanted) && is_part(&wanted, &own)
        };
        let condition = world
            .sets
            .iter()
            .find(is_wanted)
            .map(|it| FlatAtom { arguments: [*argument].into_iter().collect(), ..it.clone() });
        // One that says what follows from what is only joined, as the demand is, which is large, is of use where a part is
        // split off that needs the values of the variable.
        (is_in || condition.is_some()).then_some(())?;
        is_implied &= is_in;
        conditions.extend(condition);
    }
    Some((conditions, is_implied))
}

/// Whether all that an atom can say has a tuple of its arguments and constants in a set.
fn holds_within(
    atom: &FlatAtom,
    tuple: &[Argument],
    set: &FxHashSet<Vec<u32>>,
    world: &World<'_>,
) -> bool {
    let table = &world.tables()[predicate(atom.form)];
    let place = |it: &Argument| atom.arguments.iter().position(|other| other == it);
    let is_bound = |it: &Argument| it.variable().is_none() || place(it).is_some();
    if table.len() > MOST_LOOKED_AT || !tuple.iter().all(is_bound) {
        return false;
    }
    let places: Vec<(Argument, Option<usize>)> = tuple.iter().map(|it| (*it, place(it))).collect();
    let mut implied = Vec::with_capacity(tuple.len());
    table.rows().take_while(|_| world.ticks(1)).all(|row| {
        implied.clear();
        implied.extend(places.iter().filter_map(|(it, place)| match it {
            Argument::Constant(it) => Some(*it),
            Argument::Variable(_) => place.map(|place| row[place]),
        }));
        set.contains(&implied)
    })
}

fn values_of(world: &World<'_>, form: FormId, column: usize) -> Rc<Vec<bool>> {
    world.about_tables().values(world.tables(), form, column, &mut world.ticker())
}

/// What the table of a predicate says of two halves of its rows, looked up once.
fn meaning(form: FormId, world: &World<'_>) -> Option<Rc<Meaning>> {
    if let Some(known) = world.about_tables().comparisons.get(&form) {
        return known.clone();
    }
    let found = read_meaning(form, world).map(Rc::new);
    world.about_tables().comparisons.insert(form, found.clone());
    found
}

fn read_meaning(form: FormId, world: &World<'_>) -> Option<Meaning> {
    let table = &world.tables()[predicate(form)];
    let width = table.arity() / 2;
    if !table.arity().is_multiple_of(2)
        || table.len() < LEAST_TUPLES
        || table.len() > MOST_LOOKED_AT
        || !world.has_all_rows(form)
    {
        return None;
    }
    let one_behind_the_other = (0..width).map(|it| (it, width + it)).collect();
    let side_by_side = (0..width).map(|it| (2 * it, 2 * it + 1)).collect();
    let orders: [Vec<(usize, usize)>; 2] = [one_behind_the_other, side_by_side];
    let orders = orders.iter().take(width.min(2));
    orders.into_iter().find_map(|pairs| meaning_by(form, table, pairs, world))
}

/// The comparison of some pairs of columns that a table is.
fn meaning_by(
    form: FormId,
    table: &Table,
    pairs: &[(usize, usize)],
    world: &World<'_>,
) -> Option<Meaning> {
    let are_the_same =
        |row: Constants<'_>| pairs.iter().all(|&(left, right)| row[left] == row[right]);
    let is_difference = !are_the_same(table.row(0));
    if is_difference && !may_be_difference(table, pairs) {
        return None;
    }
    let mut rows = table.rows().take_while(|_| world.ticks(1));
    if !rows.all(|row| are_the_same(row) != is_difference) {
        return None;
    }
    let counts: Vec<usize> = (0..table.arity())
        .map(|column| values_of(world, form, column).iter().filter(|it| **it).count())
        .collect();
    let (left, right): (Vec<usize>, Vec<usize>) = pairs.iter().copied().unzip();
    let [left, right] = [left, right].map(|columns| {
        let mut found: FxHashSet<Vec<u32>> = FxHashSet::default();
        let mut tuple = Vec::with_capacity(columns.len());
        for row in table.rows().take_while(|_| world.ticks(1)) {
            tuple.clear();
            tuple.extend(columns.iter().map(|&it| row[it]));
            if !found.contains(&tuple) {
                found.insert(tuple.clone());
            }
        }
        let all = columns.iter().fold(1, |all: usize, &it| all.saturating_mul(counts[it]));
        TableTuples { is_product: all == found.len(), columns, found }
    });
    let (of_left, of_right) = (left.found.len(), right.found.len());
    let in_both = left.found.intersection(&right.found).count();
    // No row is a tuple with itself, so these are all others if they are as many.
    let is_comparison =
        of_left >= LEAST_TUPLES && (!is_difference || of_left * of_right - in_both == table.len());
    is_comparison.then_some(Meaning { is_difference, left, right })
}

/// Whether all of one set are in another; both are by constant.
fn is_part(one: &[bool], other: &[bool]) -> bool {
    (0..one.len()).all(|it| !one[it] || other.get(it) == Some(&true))
}

/// Whether the left half of the last row stands with the right half of the first one, and so on, for a few rows: a quick
/// look.
fn may_be_difference(table: &Table, pairs: &[(usize, usize)]) -> bool {
    let rows = [0, 1, 2, 3, 4].map(|it| table.row(((table.len() - 1) * it / 4) as RowId));
    let mut tuple = vec![0; table.arity()];
    rows.iter().flat_map(|one| rows.iter().map(move |other| (one, other))).all(|(one, other)| {
        let mut differ = false;
        for &(left, right) in pairs {
            (tuple[left], tuple[right]) = (one[left], other[right]);
            differ |= one[left] != other[right];
        }
        !differ || table.contains(&tuple)
    })
}

fn arguments(atom: &FlatAtom, columns: &[usize]) -> Arguments {
    columns.iter().map(|&it| atom.arguments[it]).collect()
}
