//! The ranks of things: numbers in the order of their constants.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use groundfrog_engine::Table;

use crate::pulse::Pulse;
use crate::symbols::Symbols;

/// How many beats it takes to look at a tuple.
const A_TUPLE: u32 = 8;

/// The things of each group, numbered from 1 on. The columns of the tables are those of the groups and things, and then the
/// thing's own rank or the one before it.
#[derive(Debug)]
pub(in crate::compact::complete_tables::decomposition) struct Ranks {
    /// With their ranks.
    pub(super) ranks: Rc<Table>,
    /// All but the first of a group, with the rank before and their own.
    pub(super) steps: Rc<Table>,
    /// The same without their own.
    pub(super) before: Rc<Table>,
    /// The ranks from the second on, each behind the one before.
    pub(super) successors: Rc<Table>,
    /// By group, how many things there are.
    pub(super) things: Vec<usize>,
}

impl Ranks {
    /// The ranks of things by tuples of a group and a thing; by column, whether it is of the thing.
    pub(super) fn of(
        tuples: &[Vec<u32>],
        is_of_thing: &[bool],
        symbols: &mut Symbols,
        pulse: &mut Pulse<'_>,
    ) -> Option<Self> {
        let mut groups: BTreeMap<Vec<u32>, BTreeSet<&[u32]>> = BTreeMap::new();
        for tuple in tuples {
            if !pulse.beats(A_TUPLE) {
                return None;
            }
            let columns = tuple.iter().zip(is_of_thing);
            let group = columns.filter(|(_, is_of_thing)| !**is_of_thing).map(|(it, _)| *it);
            // Of one group, the tuples are in the order of the things.
            groups.entry(group.collect()).or_default().insert(tuple);
        }
        let most = groups.values().map(BTreeSet::len).max()?;
        let numbers: Vec<u32> = (1..=most).map(|it| symbols.intern(&it.to_string()).0).collect();
        let width = is_of_thing.len();
        let [mut ranks, mut before] = [Table::new(width + 1), Table::new(width + 1)];
        let (mut steps, mut successors) = (Table::new(width + 2), Table::new(2));
        let things = groups.values().map(BTreeSet::len).collect();
        let mut row = Vec::with_capacity(width + 2);
        for tuples in groups.values() {
            for (at, tuple) in tuples.iter().enumerate() {
                if !pulse.beats(A_TUPLE) {
                    return None;
                }
                row.clear();
                row.extend_from_slice(tuple);
                if at > 0 {
                    row.push(numbers[at - 1]);
                    before.insert(&row);
                    row.push(numbers[at]);
                    steps.insert(&row);
                    row.truncate(width);
                }
                row.push(numbers[at]);
                ranks.insert(&row);
            }
        }
        for pair in numbers.windows(2) {
            successors.insert(pair);
        }
        let [ranks, steps, before, successors] = [ranks, steps, before, successors].map(Rc::new);
        Some(Ranks { ranks, steps, before, successors, things })
    }
}
