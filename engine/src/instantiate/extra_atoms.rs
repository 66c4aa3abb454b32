//! Numbers for atoms that are in no table.

use super::request::{AtomSpace, Request};
use crate::program::Constant;
use crate::table::{Constants, Table};

/// Atoms that occur negated and are in no table, in order of their numbers.
#[derive(Debug, Clone, Default)]
pub struct ExtraAtoms {
    tables: Vec<Table>,
    numbers: Vec<Vec<u32>>,
    atoms: Vec<(u32, u32)>,
}

impl ExtraAtoms {
    pub(crate) fn new(request: &Request<'_>) -> Self {
        let arity = |space: &AtomSpace| request.program[space.predicate].arity;
        Self::with_arities(request.spaces.iter().map(arity))
    }

    /// No atoms, of spaces with these arities.
    pub fn with_arities(arities: impl IntoIterator<Item = usize>) -> Self {
        let tables: Vec<Table> = arities.into_iter().map(Table::new).collect();
        ExtraAtoms { numbers: vec![Vec::new(); tables.len()], tables, atoms: Vec::new() }
    }

    /// The number of an atom, counted from 0; a new one gets the next.
    ///
    /// # Panics
    /// If there is no such space.
    pub fn intern(&mut self, space: u32, tuple: &[Constant]) -> u32 {
        let (row, new) = self.tables[space as usize].insert(tuple);
        if new {
            self.numbers[space as usize].push(self.atoms.len() as u32);
            self.atoms.push((space, row));
        }
        self.numbers[space as usize][row as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.atoms.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        if self.is_empty() {
            return 0;
        }
        let atoms = size_of_val(&self.atoms[..]) + self.atoms.len() * size_of::<u32>();
        self.tables.iter().map(Table::bytes).sum::<u64>() + atoms as u64
    }

    /// The space and the tuple of an atom.
    pub fn get(&self, number: usize) -> Option<(u32, Constants<'_>)> {
        let &(space, row) = self.atoms.get(number)?;
        Some((space, self.tables[space as usize].row(row)))
    }
}
