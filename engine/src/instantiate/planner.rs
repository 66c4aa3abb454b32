//! Plans of templates, and the indexes and locators that the plans read.

use super::request::{Request, Template};
use crate::dense_keys::DenseKeys;
use crate::index::{Index, Indexes};
use crate::locator::Locator;
use crate::plan::{self, Access, Catalog, Plan, Search};
use crate::program::{Atom, Constant, PredicateId};
use crate::statistics::TableStatistics;
use crate::tables::Tables;

/// Plans templates, and makes what the plans look up with.
pub(super) struct Planner<'run> {
    pub(super) request: &'run Request<'run>,
    statistics: TableStatistics,
    catalog: StoreCatalog<'run>,
    locators: Vec<Option<Locator>>,
}

impl<'run> Planner<'run> {
    pub(super) fn new(request: &'run Request<'run>) -> Self {
        Planner {
            request,
            statistics: TableStatistics::default(),
            catalog: StoreCatalog { tables: request.tables, indexes: Indexes::default() },
            locators: vec![None; request.program.predicates().len()],
        }
    }

    /// Plans a template; `None` if a table that it joins is empty.
    pub(super) fn plan(&mut self, template: &Template, needed: &[bool]) -> Option<Plan> {
        let rule = &template.rule;
        let body: Vec<(usize, &Atom)> = rule.positive_literals().collect();
        let tables = self.request.tables;
        if body.iter().any(|(_, atom)| tables[atom.predicate].is_empty()) {
            return None;
        }
        let variables = rule.variable_count();
        let (statistics, search) = (&mut self.statistics, Search::Thorough);
        let order = plan::order(&body, None, variables, tables, statistics, |_| false, search);
        let mut needed_rows = vec![false; rule.body.len()];
        for source in template.body.iter().filter_map(|literal| literal.source) {
            needed_rows[source] = true;
        }
        let request = plan::Request { rule, given: None, needed, needed_rows: &needed_rows };
        let plan = plan::compile(&request, &order, &mut self.catalog);
        for step in plan.steps.iter().filter(|step| step.access == Access::Row) {
            self.locate(step.predicate, plan.cost);
        }
        Some(plan)
    }

    /// The indexes that the plans read.
    pub(super) fn indexes(&self) -> &[Index] {
        &self.catalog.indexes.all
    }

    /// The same, to be added to.
    pub(super) fn indexes_mut(&mut self) -> &mut Vec<Index> {
        &mut self.catalog.indexes.all
    }

    /// What the plans read: the indexes, and by predicate the locators.
    pub(super) fn finish(self) -> (Vec<Index>, Vec<Option<Locator>>) {
        (self.catalog.indexes.all, self.locators)
    }

    /// How to find the rows of a predicate by these columns (at least one, not all).
    pub(super) fn index(&mut self, predicate: PredicateId, columns: &[usize]) -> Access {
        self.catalog.index(predicate, columns, None)
    }

    /// The dense codes of a table, if it has a locator by such codes.
    pub(super) fn dense(&self, predicate: PredicateId) -> Option<&DenseKeys> {
        Some(self.locators[predicate.index()].as_ref()?.dense()?.0)
    }

    /// Makes a fast way from tuples to rows for a table, if a plan of this cost may look up so often that it is
    /// worth it.
    pub(super) fn locate(&mut self, predicate: PredicateId, cost: f64) -> Option<&Locator> {
        let table = &self.request.tables[predicate];
        let locator = &mut self.locators[predicate.index()];
        if locator.is_none() && cost * 8.0 >= table.len() as f64 {
            *locator = Some(Locator::new(table));
        }
        locator.as_ref()
    }
}

/// Makes indexes of complete tables on demand.
struct StoreCatalog<'run> {
    tables: &'run Tables,
    indexes: Indexes,
}

impl Catalog for StoreCatalog<'_> {
    fn index(
        &mut self,
        predicate: PredicateId,
        columns: &[usize],
        key: Option<&[Constant]>,
    ) -> Access {
        let table = &self.tables[predicate];
        Access::Index(self.indexes.number((predicate, table), columns, key))
    }
}
