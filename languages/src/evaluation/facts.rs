//! The facts of one predicate, with indexes.

use std::hash::{Hash, Hasher};

use fxhash::{FxHashMap, FxHasher};
use groundfrog::description::{Term, Terms};
use groundfrog::symbols::Symbol;
use smallvec::SmallVec;

/// The part of a row that an index is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyPath {
    /// An argument.
    Whole(usize),
    /// The function of an argument, which has so many arguments itself.
    Functor { argument: usize, functor: Symbol, arity: usize },
    /// An argument of such a function.
    Part { argument: usize, functor: Symbol, arity: usize, part: usize },
}

impl KeyPath {
    /// The hash of the part, if a row has it.
    fn of_row(self, row: &[Term]) -> Option<u64> {
        let inner = |argument: usize, functor: Symbol, arity: usize| match &row[argument] {
            Term::Compound(it) if it.functor == functor && it.arguments.len() == arity => Some(it),
            _ => None,
        };
        match self {
            KeyPath::Whole(argument) => Some(hash(&row[argument])),
            KeyPath::Functor { argument, functor, arity } => {
                inner(argument, functor, arity).map(|_| 0)
            }
            KeyPath::Part { argument, functor, arity, part } => {
                inner(argument, functor, arity).map(|it| hash(&it.arguments[part]))
            }
        }
    }
}

/// The hash by which parts are looked up. Rows that are found so are compared with what is looked for.
pub(super) fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Rows, each once, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(super) struct Relation {
    rows: Vec<Terms>,
    /// By the hash of the whole row.
    known: FxHashMap<u64, SmallVec<[u32; 1]>>,
    indexes: Vec<(KeyPath, FxHashMap<u64, Vec<u32>>)>,
}

impl Relation {
    /// No rows, with indexes on these parts.
    pub(super) fn new(paths: Vec<KeyPath>) -> Self {
        let indexes = paths.into_iter().map(|it| (it, FxHashMap::default())).collect();
        Relation { indexes, ..Relation::default() }
    }

    pub(super) fn rows(&self) -> &[Terms] {
        &self.rows
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn contains(&self, row: &[Term]) -> bool {
        let places = self.known.get(&hash(row));
        places.is_some_and(|it| it.iter().any(|&it| self.rows[it as usize].as_slice() == row))
    }

    /// Adds a row; returns whether it is new.
    pub(super) fn insert(&mut self, row: Terms) -> bool {
        if self.contains(&row) {
            return false;
        }
        let place = self.rows.len() as u32;
        self.known.entry(hash(row.as_slice())).or_default().push(place);
        for (path, index) in &mut self.indexes {
            if let Some(key) = path.of_row(&row) {
                index.entry(key).or_default().push(place);
            }
        }
        self.rows.push(row);
        true
    }

    /// The places of the rows whose part has a hash.
    pub(super) fn places(&self, index: usize, key: u64) -> &[u32] {
        self.indexes[index].1.get(&key).map_or(&[], Vec::as_slice)
    }
}
