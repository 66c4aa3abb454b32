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

#[cfg(test)]
mod tests {
    use groundfrog_engine::Budget;

    use super::*;

    /// By row of the ranks: all but the rank, and the rank as text.
    fn ranks(
        tuples: &[[u32; 2]],
        is_of_element: [bool; 2],
    ) -> (Vec<usize>, Vec<(Vec<u32>, String)>) {
        let mut table = Table::new(2);
        tuples.iter().for_each(|it| _ = table.insert(it));
        let groups = ElementGroups::of(&table, &is_of_element);
        let budget = Budget::unlimited();
        let ranks = ElementRanks::of(&groups, |rank| rank as u32, &mut Ticker::new(&budget, 0));
        let ranks = ranks.expect("there are elements");
        let rows = ranks.ranks.rows().map(|row| (vec![row[0], row[1]], row[2].to_string()));
        (groups.elements, rows.collect())
    }

    #[test]
    fn each_group_has_ranks_of_its_own() {
        let tuples = [[2, 7], [1, 9], [1, 3], [2, 8], [1, 9], [1, 5]];
        let row = |tuple: [u32; 2], rank: &str| (tuple.to_vec(), rank.to_string());
        let (elements, rows) = ranks(&tuples, [false, true]);
        assert_eq!(elements, [3, 2]);
        let expected = [([1, 3], "1"), ([1, 5], "2"), ([1, 9], "3"), ([2, 7], "1"), ([2, 8], "2")];
        assert_eq!(rows, expected.map(|(tuple, rank)| row(tuple, rank)));
        // The other way round each is alone; and without groups all are together.
        assert_eq!(ranks(&tuples, [true, false]).0, [1; 5]);
        assert_eq!(ranks(&tuples, [true, true]).0, [5]);
    }
}
