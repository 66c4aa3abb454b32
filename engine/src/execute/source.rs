//! What a plan reads.

use crate::chain::Chains;
use crate::dense_keys::DenseKeys;
use crate::index::Index;
use crate::program::PredicateId;
use crate::table::{DenseSet, Key, RowId, Table};

/// What a plan reads.
pub(crate) trait Source {
    /// The rows of a predicate.
    fn table(&self, predicate: PredicateId) -> &Table;
    /// How many of them there are, for the plan.
    fn rows(&self, predicate: PredicateId) -> RowId;
    /// Where a tuple is, if it is there.
    fn find(&self, predicate: PredicateId, tuple: Key<'_>) -> Option<RowId>;
    /// The same for many tuples, by their codes, where they have such.
    fn coded(&self, predicate: PredicateId) -> Option<Coded<'_>>;
    /// An index of a complete table.
    fn index(&self, index: u32) -> &Index;
    /// An index of a growing table.
    fn chain(&self, chain: u32) -> &Chains;
}

/// Where the tuple with a code is.
pub(crate) enum Coded<'run> {
    /// By code: row + 1, or 0.
    Rows(&'run DenseKeys, &'run [u32]),
    /// A bit says whether it is there, and nothing where.
    All(&'run DenseSet),
    /// The same for those that are shown.
    Shown(&'run DenseSet),
}
