//! What to instantiate: rules, the tables that they are joined over, and the numbers of atoms.

use crate::program::{Arguments, PredicateId, Program, Rule};
use crate::tables::Tables;

/// Numbers the rows of a table as atoms: row `r` is atom `start + r`. Several spaces may number the same
/// table, as `true` and `next` do with the table of `base`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtomSpace {
    /// The table whose rows are numbered.
    pub predicate: PredicateId,
    /// The number of row 0.
    pub start: u32,
}

/// An atom to be stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StoredAtom {
    /// Its space, as a position in [`Request::spaces`].
    pub space: u32,
    /// Its arguments, over the variables of the template's rule.
    pub arguments: Arguments,
}

/// A literal to be stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StoredLiteral {
    /// The atom.
    pub atom: StoredAtom,
    /// Whether it is negated. A negated atom need not be in its table.
    pub negated: bool,
    /// For a positive literal: its position in the body of the template's rule.
    pub source: Option<usize>,
}

/// A rule to be joined, and what to store for each answer.
#[derive(Debug, Clone)]
pub struct Template {
    /// What is joined. Its head is not used.
    pub rule: Rule,
    /// The stored head; its instances are in their table.
    pub head: StoredAtom,
    /// The stored body.
    pub body: Vec<StoredLiteral>,
}

impl Template {
    /// By variable: whether the stored rule has it.
    pub(crate) fn needed_variables(&self) -> Vec<bool> {
        let mut needed = vec![false; self.rule.variable_count()];
        let stored = self.body.iter().map(|literal| &literal.atom);
        for atom in stored.chain([&self.head]) {
            for variable in atom.arguments.iter().filter_map(|it| it.variable()) {
                needed[variable as usize] = true;
            }
        }
        needed
    }
}

/// What to instantiate.
#[derive(Debug, Clone, Copy)]
pub struct Request<'run> {
    /// The predicates of the tables.
    pub program: &'run Program,
    /// Complete tables.
    pub tables: &'run Tables,
    /// The spaces, their ranges ascending and apart.
    pub spaces: &'run [AtomSpace],
    /// One more than the last number of the spaces: atoms in no table are numbered from here.
    pub first_extra: u32,
    /// The rules.
    pub templates: &'run [Template],
    /// Whether to leave out literals about atoms in no table, which always hold. Rules that differ in such
    /// literals alone are then the same, see [`Instantiation::shortened`](super::Instantiation::shortened).
    pub drop_extra: bool,
    /// How many threads may work. The result does not depend on it.
    pub threads: usize,
}
