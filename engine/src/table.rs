//! Tables: interned tuples, one table a predicate.

use crate::program::{Constant, PredicateId, Program};

/// The position of a tuple in its table.
pub type RowId = u32;

/// A set of tuples of one arity, in the order of their insertion.
///
/// Rows are stored one after the other in a single vector; a tuple is found through an open-addressing
/// hash table of row numbers, so that no tuple has an allocation of its own at any arity.
#[derive(Debug, Clone)]
pub struct Table {
    arity: usize,
    len: u32,
    values: Vec<Constant>,
    slots: Vec<Slot>,
}

/// Hash tag (so that most mismatches are seen without touching the row) and row number + 1; 0 is empty.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    tag: u32,
    row: u32,
}

/// Multiplier of the Fx hash.
const MULTIPLIER: u64 = 0xf135_7aea_2e62_a9c5;

/// The Fx hash of a tuple, its high bits folded into the low ones.
#[inline]
pub(crate) fn hash(tuple: &[Constant]) -> u64 {
    let mut state = 0u64;
    for &value in tuple {
        state = (state.rotate_left(5) ^ u64::from(value)).wrapping_mul(MULTIPLIER);
    }
    state ^ (state >> 32)
}

impl Table {
    /// An empty table.
    pub fn new(arity: usize) -> Self {
        Table { arity, len: 0, values: Vec::new(), slots: Vec::new() }
    }

    /// The number of columns.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// The number of tuples.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is no tuple.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The tuple at a position.
    #[inline]
    pub fn row(&self, row: RowId) -> &[Constant] {
        let start = row as usize * self.arity;
        &self.values[start..start + self.arity]
    }

    /// One column of the tuple at a position.
    #[inline]
    pub(crate) fn value(&self, row: RowId, column: usize) -> Constant {
        self.values[row as usize * self.arity + column]
    }

    /// All tuples, in the order of their insertion.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Constant]> + '_ {
        (0..self.len).map(|row| self.row(row))
    }

    /// Where a tuple is, if it is there.
    #[inline]
    pub fn find(&self, tuple: &[Constant]) -> Option<RowId> {
        self.find_hashed(tuple, hash(tuple))
    }

    /// Where a tuple with this hash is, if it is there.
    #[inline]
    pub(crate) fn find_hashed(&self, tuple: &[Constant], hash: u64) -> Option<RowId> {
        debug_assert_eq!(tuple.len(), self.arity);
        if self.slots.is_empty() {
            return None;
        }
        self.probe(tuple, hash).ok()
    }

    /// Whether a tuple is there.
    pub fn contains(&self, tuple: &[Constant]) -> bool {
        self.find(tuple).is_some()
    }

    /// Adds a tuple unless it is there. Returns where it is and whether it is new.
    pub fn insert(&mut self, tuple: &[Constant]) -> (RowId, bool) {
        self.insert_hashed(tuple, hash(tuple))
    }

    /// Adds a tuple with this hash unless it is there.
    #[inline]
    pub(crate) fn insert_hashed(&mut self, tuple: &[Constant], hash: u64) -> (RowId, bool) {
        debug_assert_eq!(tuple.len(), self.arity);
        if (self.len as usize + 1) * 2 > self.slots.len() {
            self.grow();
        }
        match self.probe(tuple, hash) {
            Ok(row) => (row, false),
            Err(slot) => {
                let row = self.len;
                self.len = row.checked_add(1).expect("a table has fewer than 2^32 - 1 rows");
                self.slots[slot] = Slot { tag: (hash >> 32) as u32, row: self.len };
                self.values.extend_from_slice(tuple);
                (row, true)
            }
        }
    }

    /// The row of a tuple, or the slot where it belongs.
    #[inline]
    fn probe(&self, tuple: &[Constant], hash: u64) -> Result<RowId, usize> {
        let mask = self.slots.len() - 1;
        let tag = (hash >> 32) as u32;
        let mut position = hash as usize & mask;
        loop {
            let slot = self.slots[position];
            if slot.row == 0 {
                return Err(position);
            }
            // Tuples are short: comparing them here is faster than calling the library's comparison.
            if slot.tag == tag && self.row(slot.row - 1).iter().zip(tuple).all(|(it, at)| it == at)
            {
                return Ok(slot.row - 1);
            }
            position = (position + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(8);
        let mask = size - 1;
        let mut slots = vec![Slot::default(); size];
        for row in 0..self.len {
            let hash = hash(self.row(row));
            let mut position = hash as usize & mask;
            while slots[position].row != 0 {
                position = (position + 1) & mask;
            }
            slots[position] = Slot { tag: (hash >> 32) as u32, row: row + 1 };
        }
        self.slots = slots;
    }

    /// Forgets all tuples and keeps the memory.
    pub fn clear(&mut self) {
        self.len = 0;
        self.values.clear();
        self.slots.fill(Slot::default());
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        (self.values.len() * size_of::<Constant>() + self.slots.len() * size_of::<Slot>()) as u64
    }
}

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
