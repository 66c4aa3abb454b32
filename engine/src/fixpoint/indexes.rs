//! The indexes of a fixpoint: groups for tables that are complete, chains for those that grow.

use fxhash::FxHashMap;

use crate::chain::Chains;
use crate::index::{self, RowQuery};
use crate::plan::{Access, Catalog};
use crate::program::PredicateId;
use crate::strata::Component;
use crate::table::RowId;
use crate::tables::Tables;

/// The indexes made so far.
#[derive(Default)]
pub(super) struct FixpointIndexes {
    pub(super) complete: index::Indexes,
    pub(super) growing: Vec<Chains>,
    pub(super) growing_of: FxHashMap<PredicateId, Vec<u32>>,
}

/// Makes indexes on demand: for tables of the component as chains, for others as groups.
pub(super) struct FixpointCatalog<'run> {
    pub(super) tables: &'run Tables,
    pub(super) visible: &'run [RowId],
    pub(super) indexes: &'run mut FixpointIndexes,
    pub(super) component: &'run Component,
}

impl Catalog for FixpointCatalog<'_> {
    fn index(&mut self, query: RowQuery<'_>) -> Access {
        if self.component.recursive && self.component.contains(query.predicate) {
            return Access::Chain(self.chain(query.predicate, query.columns));
        }
        Access::Index(self.indexes.complete.number(&self.tables[query.predicate], query))
    }
}

impl FixpointCatalog<'_> {
    fn chain(&mut self, predicate: PredicateId, columns: &[usize]) -> u32 {
        let of_predicate = self.indexes.growing_of.entry(predicate).or_default();
        let existing =
            of_predicate.iter().find(|&&it| *self.indexes.growing[it as usize].columns == *columns);
        if let Some(&existing) = existing {
            return existing;
        }
        let id = self.indexes.growing.len() as u32;
        let mut chains = Chains::new(columns);
        // Rows that are still to be processed may be among them: they are then met twice, once too often.
        if let Some(last) = self.visible[predicate.index()].checked_sub(1) {
            chains.insert_up_to(&self.tables[predicate], last);
        }
        of_predicate.push(id);
        self.indexes.growing.push(chains);
        id
    }
}
