//! What follows from complete tables, at a bounded cost.

use fxhash::FxHashMap;

use crate::program::{Argument, Constant, PredicateId};
use crate::table::{Constants, Table};
use crate::tables::Tables;
use crate::tuning::MOST_WORK;

/// A set of columns, a bit for each.
pub(super) type Columns = u64;

/// Answers questions about tables as long as there is work left. Where there is none, nothing is known.
pub(in crate::instantiate) struct Facts<'run> {
    pub(super) tables: &'run Tables,
    /// How much may still be done, in rows looked at.
    pub(super) work: u64,
    determined: FxHashMap<(PredicateId, Columns), Columns>,
}

/// The rows of a table that have a certain form.
pub(super) enum Fitting {
    None,
    /// A single one.
    One(Box<[Constant]>),
    /// Several, or it is not known.
    Some,
}

impl<'run> Facts<'run> {
    pub(in crate::instantiate) fn new(tables: &'run Tables) -> Self {
        Facts { tables, work: 0, determined: FxHashMap::default() }
    }

    /// From now on so much may be done as this part of a run that costs so many rows.
    pub(super) fn allow(&mut self, cost: f64, part: u64) {
        self.work = (cost as u64 / part).min(MOST_WORK);
    }

    /// Does some work, if as much is left.
    pub(super) fn spend(&mut self, work: usize) -> bool {
        match self.work.checked_sub(work as u64) {
            Some(left) => self.work = left,
            None => return false,
        }
        true
    }

    /// The columns of a table in which all rows are the same that are the same in the columns `known`.
    pub(super) fn determined(&mut self, predicate: PredicateId, known: Columns) -> Columns {
        if let Some(&determined) = self.determined.get(&(predicate, known)) {
            return determined;
        }
        let table = &self.tables[predicate];
        if table.arity() > Columns::BITS as usize || table.len() as u64 > self.work / 16 {
            return known;
        }
        let (determined, looked_at) = determined(table, known);
        self.work -= looked_at as u64;
        self.determined.insert((predicate, known), determined);
        determined
    }

    /// The rows that have these constants, and equal constants where a variable repeats.
    pub(super) fn fitting(&mut self, predicate: PredicateId, pattern: &[Argument]) -> Fitting {
        let table = &self.tables[predicate];
        if let Some(tuple) = constants(pattern) {
            return if table.contains(&tuple) { Fitting::One(tuple) } else { Fitting::None };
        }
        if table.len() as u64 > self.work / 16 {
            return Fitting::Some;
        }
        let mut looked_at = 0;
        let mut rows = table.rows().inspect(|_| looked_at += 1).filter(|&row| fits(pattern, row));
        let fitting = match (rows.next(), rows.next()) {
            (None, _) => Fitting::None,
            (Some(row), None) => Fitting::One(row.iter().collect()),
            _ => Fitting::Some,
        };
        self.work -= looked_at;
        fitting
    }
}

/// The arguments as a tuple, if there is no variable.
pub(super) fn constants(arguments: &[Argument]) -> Option<Box<[Constant]>> {
    let constant = |argument: &Argument| match *argument {
        Argument::Constant(constant) => Some(constant),
        Argument::Variable(_) => None,
    };
    arguments.iter().map(constant).collect()
}

fn fits(pattern: &[Argument], row: Constants<'_>) -> bool {
    pattern.iter().zip(row.iter()).enumerate().all(|(column, (&it, value))| match it {
        Argument::Constant(constant) => constant == value,
        Argument::Variable(_) => {
            let first = pattern[..column].iter().position(|&other| other == it);
            first.is_none_or(|first| row[first] == value)
        }
    })
}

/// The columns that are determined by others, and how many rows were looked at.
fn determined(table: &Table, known: Columns) -> (Columns, usize) {
    let columns: Vec<usize> = (0..table.arity()).filter(|&it| known >> it & 1 == 1).collect();
    let unused = Columns::BITS - table.arity() as u32;
    let mut determined = Columns::MAX.checked_shr(unused).unwrap_or(0);
    for (number, first) in table.firsts(&columns).filter(|(number, first)| number != first) {
        let (row, first) = (table.row(number), table.row(first));
        for column in 0..table.arity() {
            if first[column] != row[column] {
                determined &= !(1 << column);
            }
        }
        if determined == known {
            return (determined, number as usize + 1);
        }
    }
    (determined, table.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_determined_in_tables_of_any_width() {
        for width in [1, 2, 63, 64] {
            let mut table = Table::new(width);
            for value in 0..3 {
                let mut row = vec![7; width];
                row[0] = value;
                row[width - 1] = value;
                table.insert(&row);
            }
            let all = Columns::MAX >> (Columns::BITS as usize - width);
            let ends = 1 | 1 << (width - 1);
            assert_eq!(determined(&table, 0).0, all & !ends, "{width} columns, none known");
            assert_eq!(determined(&table, 1).0, all, "{width} columns, the first known");
        }
        let mut table = Table::new(0);
        table.insert(&[]);
        assert_eq!(determined(&table, 0).0, 0);
    }
}
