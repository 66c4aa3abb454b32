//! The ranks of things: numbers in the order of their constants.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use groundfrog_engine::Table;

use crate::pulse::Pulse;
use crate::symbols::Symbols;

/// Larger tables are not looked at.
const MOST_ROWS: usize = 1_000_000;
/// How many beats it takes to look at a row.
const A_ROW: u32 = 8;

/// What a column of a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::compact::decomposition) enum Role {
    /// Only rows with this constant count.
    Constant(u32),
    /// This column of what the things are told apart by: those of others have ranks of their own.
    Group(usize),
    /// This column of the thing.
    Thing(usize),
    /// Of no matter.
    Other,
}

/// The things of each group, numbered from 1 on. The columns of the tables are those of the group, of the thing, and then
/// its own rank or the one before it.
#[derive(Debug)]
pub(in crate::compact::decomposition) struct Ranks {
    /// With their ranks.
    pub(super) ranks: Rc<Table>,
    /// All but the first of a group, with the rank before and their own.
    pub(super) steps: Rc<Table>,
    /// The same without their own.
    pub(super) before: Rc<Table>,
    /// The ranks from the second on, each behind the one before.
    pub(super) successors: Rc<Table>,
    /// How many groups there are,
    groups: usize,
    /// and how many things in all of them.
    things: usize,
}

impl Ranks {
    /// The ranks of what a table tells of; none if it is too large.
    pub(super) fn of(
        table: &Table,
        roles: &[Role],
        symbols: &mut Symbols,
        pulse: &mut Pulse<'_>,
    ) -> Option<Self> {
        if table.len() > MOST_ROWS {
            return None;
        }
        let mut groups: BTreeMap<Vec<u32>, BTreeSet<Vec<u32>>> = BTreeMap::new();
        for row in table.rows() {
            if !pulse.beats(A_ROW) {
                return None;
            }
            let (mut group, mut thing) = (Vec::new(), Vec::new());
            let mut columns = roles.iter().zip(row.iter());
            let is_meant = columns.all(|(role, constant)| match *role {
                Role::Constant(it) => it == constant,
                Role::Group(at) => put(&mut group, at, constant),
                Role::Thing(at) => put(&mut thing, at, constant),
                Role::Other => true,
            });
            if is_meant {
                groups.entry(group).or_default().insert(thing);
            }
        }
        let most = groups.values().map(BTreeSet::len).max()?;
        let numbers: Vec<u32> = (1..=most).map(|it| symbols.intern(&it.to_string()).0).collect();
        let (group, things) = groups.first_key_value()?;
        let width = group.len() + things.first().map_or(0, Vec::len);
        let [mut ranks, mut before] = [Table::new(width + 1), Table::new(width + 1)];
        let (mut steps, mut successors) = (Table::new(width + 2), Table::new(2));
        let mut tuple = Vec::with_capacity(width + 2);
        let mut count = 0;
        for (group, things) in &groups {
            count += things.len();
            for (at, thing) in things.iter().enumerate() {
                if !pulse.beats(A_ROW) {
                    return None;
                }
                tuple.clear();
                tuple.extend(group.iter().chain(thing));
                if at > 0 {
                    tuple.push(numbers[at - 1]);
                    before.insert(&tuple);
                    tuple.push(numbers[at]);
                    steps.insert(&tuple);
                    tuple.truncate(width);
                }
                tuple.push(numbers[at]);
                ranks.insert(&tuple);
            }
        }
        for pair in numbers.windows(2) {
            successors.insert(pair);
        }
        let [ranks, steps, before, successors] = [ranks, steps, before, successors].map(Rc::new);
        Some(Ranks { ranks, steps, before, successors, groups: groups.len(), things: count })
    }

    /// How many things a group has on average.
    pub(super) fn things_of_a_group(&self) -> f64 {
        self.things as f64 / self.groups as f64
    }
}

/// Puts a constant at its place in a tuple whose places are met in order. Returns whether it is what is there already.
fn put(tuple: &mut Vec<u32>, at: usize, constant: u32) -> bool {
    if at == tuple.len() {
        tuple.push(constant);
    }
    tuple[at] == constant
}
