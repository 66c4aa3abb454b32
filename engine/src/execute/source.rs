//! What a plan reads.

use crate::chain::Chains;
use crate::index::Index;
use crate::program::PredicateId;
use crate::table::{Key, RowId, Table};

/// What a plan reads.
pub(crate) trait Source {
    /// The rows of a predicate.
    fn table(&self, predicate: PredicateId) -> &Table;
    /// How many of them there are, for the plan.
    fn rows(&self, predicate: PredicateId) -> RowId;
    /// Where a tuple is, if it is there.
    fn find(&self, predicate: PredicateId, tuple: Key<'_>) -> Option<RowId>;
    /// An index of a complete table.
    fn index(&self, index: u32) -> &Index;
    /// An index of a growing table.
    fn chain(&self, chain: u32) -> &Chains;
}
