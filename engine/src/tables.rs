//! The tables of a program, by predicate.

use crate::program::{Constant, PredicateId, Program};
use crate::table::{Constants, RowId, Table};

/// The tables of a program.
#[derive(Debug, Clone)]
pub struct Tables {
    tables: Vec<Table>,
}

impl Tables {
    /// An empty table for each predicate of a program.
    pub fn new(program: &Program) -> Self {
        Tables { tables: program.predicates().iter().map(|it| Table::new(it.arity)).collect() }
    }

    /// Adds a tuple unless it is there. Returns where it is and whether it is new.
    pub fn insert(&mut self, predicate: PredicateId, tuple: &[Constant]) -> (RowId, bool) {
        self.tables[predicate.index()].insert(tuple)
    }

    /// Inserts a tuple of another table.
    pub fn insert_row(&mut self, predicate: PredicateId, tuple: Constants<'_>) -> (RowId, bool) {
        tuple.with_slice(|tuple| self.insert(predicate, tuple))
    }

    /// The table of a predicate, to be added to.
    #[inline]
    pub(crate) fn table_mut(&mut self, predicate: PredicateId) -> &mut Table {
        &mut self.tables[predicate.index()]
    }

    /// Forgets the tuples of one predicate.
    pub fn clear(&mut self, predicate: PredicateId) {
        self.tables[predicate.index()].clear();
    }

    /// Adds an empty table for a predicate that was added to the program.
    pub fn add(&mut self, arity: usize) {
        self.tables.push(Table::new(arity));
    }

    /// Keeps the tables of the first predicates only.
    pub(crate) fn truncate(&mut self, predicates: usize) {
        self.tables.truncate(predicates);
    }

    /// Takes a table out; an empty one is left.
    pub fn take(&mut self, predicate: PredicateId) -> Table {
        let arity = self[predicate].arity();
        std::mem::replace(&mut self.tables[predicate.index()], Table::new(arity))
    }

    /// All tables, by predicate.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (PredicateId, &Table)> {
        self.tables.iter().enumerate().map(|(index, table)| (PredicateId(index as u32), table))
    }

    /// How many tuples there are in all.
    pub fn tuple_count(&self) -> u64 {
        self.tables.iter().map(|table| table.len() as u64).sum()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.tables.iter().map(Table::bytes).sum()
    }
}

impl std::ops::Index<PredicateId> for Tables {
    type Output = Table;

    fn index(&self, predicate: PredicateId) -> &Table {
        &self.tables[predicate.index()]
    }
}
