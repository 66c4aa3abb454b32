//! The ranks of elements: numbers in the order of their constants.

use std::rc::Rc;

use groundfrog_engine::{Constants, Table};

use crate::ticker::Ticker;

/// How many ticks it takes to look at a tuple.
const A_TUPLE: u32 = 8;

/// Elements by group.
#[derive(Debug)]
pub(in crate::compact::complete_tables::decomposition) struct ElementGroups {
    /// Tuples of a group and an element, those of one group together and in the order of the elements.
    tuples: Vec<Vec<u32>>,
    /// By group, how many elements there are.
    pub(super) elements: Vec<usize>,
}

impl ElementGroups {
    /// The groups of some tuples; by column, whether it is of the element.
    pub(super) fn of(tuples: &Table, is_of_element: &[bool]) -> Self {
        let group = |tuple: &[u32]| -> Vec<u32> {
            let columns = tuple.iter().zip(is_of_element);
            columns.filter(|(_, is_of_element)| !**is_of_element).map(|(it, _)| *it).collect()
        };
        let mut tuples: Vec<Vec<u32>> = tuples.rows().map(Constants::to_vec).collect();
        tuples.sort_unstable();
        if is_of_element.contains(&false) {
            tuples.sort_by_cached_key(|it| group(it));
        }
        let groups = tuples.chunk_by(|one, other| group(one) == group(other));
        let elements = groups.map(<[Vec<u32>]>::len).collect();
        ElementGroups { tuples, elements }
    }
}

/// The elements of each group, numbered from 1 on. The columns of the tables are those of the groups and elements, and then the
/// element's own rank or the one before it.
#[derive(Debug)]
pub(in crate::compact::complete_tables::decomposition) struct ElementRanks {
    /// With their ranks.
    pub(super) ranks: Rc<Table>,
    /// All but the first of a group, with the rank before and their own.
    pub(super) steps: Rc<Table>,
    /// As `steps`, without the own rank.
    pub(super) before: Rc<Table>,
    /// Each rank from the second on, with the one before it.
    pub(super) successors: Rc<Table>,
}

impl ElementRanks {
    /// The ranks of elements.
    pub(super) fn of(
        groups: &ElementGroups,
        name: impl Fn(usize) -> u32,
        ticker: &mut Ticker<'_>,
    ) -> Option<Self> {
        let most = *groups.elements.iter().max()?;
        let width = groups.tuples.first()?.len();
        let numbers: Vec<u32> = (1..=most).map(name).collect();
        let [mut ranks, mut before] = [Table::new(width + 1), Table::new(width + 1)];
        let (mut steps, mut successors) = (Table::new(width + 2), Table::new(2));
        let mut row = Vec::with_capacity(width + 2);
        let places = groups.elements.iter().flat_map(|&elements| 0..elements);
        for (tuple, at) in groups.tuples.iter().zip(places) {
            if !ticker.goes_on(A_TUPLE) {
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
        for pair in numbers.windows(2) {
            successors.insert(pair);
        }
        let [ranks, steps, before, successors] = [ranks, steps, before, successors].map(Rc::new);
        Some(ElementRanks { ranks, steps, before, successors })
    }
}
