//! What the plans of a store pass read: complete tables, and the indexes and locators that find rows in them. The [`Planner`]
//! makes these for the plans of templates.

use super::{Request, Template};
use crate::dense_keys::{DenseKeys, Locator};
use crate::execute::{Coded, Source};
use crate::index::{Chains, Index, RowQuery};
use crate::plan::{Access, JoinPlanner, Plan};
use crate::program::{Constant, PredicateId};
use crate::table::{Key, RowId, Table, Tables};

/// Complete tables with their indexes.
pub(crate) struct Relations<'run> {
    pub(crate) tables: &'run Tables,
    pub(crate) indexes: &'run [Index],
    /// By predicate, where one was made.
    pub(crate) locators: &'run [Option<Locator>],
}

impl Relations<'_> {
    /// Where a tuple is, if it is there.
    #[inline]
    pub(super) fn find(&self, predicate: PredicateId, tuple: &[Constant]) -> Option<RowId> {
        let table = &self.tables[predicate];
        match self.locators.get(predicate.index()) {
            Some(Some(locator)) => locator.find(table, tuple),
            _ => table.find(tuple),
        }
    }

    /// The dense codes of a table, with the row + 1 of each code, where there are such.
    #[inline]
    pub(super) fn dense(&self, predicate: PredicateId) -> Option<(&DenseKeys, &[u32])> {
        self.locators.get(predicate.index())?.as_ref()?.dense()
    }
}

impl Source for Relations<'_> {
    #[inline]
    fn table(&self, predicate: PredicateId) -> &Table {
        &self.tables[predicate]
    }

    #[inline]
    fn rows(&self, predicate: PredicateId) -> RowId {
        self.tables[predicate].len() as RowId
    }

    #[inline]
    fn find(&self, predicate: PredicateId, tuple: Key<'_>) -> Option<RowId> {
        let table = &self.tables[predicate];
        match self.locators.get(predicate.index()) {
            Some(Some(locator)) => locator.find_key(table, tuple),
            _ => table.find_key(tuple),
        }
    }

    #[inline]
    fn coded(&self, predicate: PredicateId) -> Option<Coded<'_>> {
        self.dense(predicate).map(|(keys, rows)| Coded::Rows(keys, rows))
    }

    #[inline]
    fn index(&self, index: u32) -> &Index {
        &self.indexes[index as usize]
    }

    fn chain(&self, _: u32) -> &Chains {
        unreachable!("complete tables have no chains")
    }
}

/// Plans templates, and makes what the plans look up with.
pub(super) struct Planner<'run> {
    pub(super) request: &'run Request<'run>,
    pub(super) joins: JoinPlanner,
    /// By predicate, where one was made.
    pub(super) locators: Vec<Option<Locator>>,
}

impl<'run> Planner<'run> {
    pub(super) fn new(request: &'run Request<'run>) -> Self {
        let locators = vec![None; request.program.predicates().len()];
        Planner { request, joins: JoinPlanner::default(), locators }
    }

    /// Plans a template; `None` if a table that it joins is empty.
    pub(super) fn plan(&mut self, template: &Template, needed: &[bool]) -> Option<Plan> {
        let rule = &template.rule;
        let mut needed_rows = vec![false; rule.body.len()];
        for source in template.body.iter().filter_map(|literal| literal.source) {
            needed_rows[source] = true;
        }
        let plan = self.joins.plan(rule, needed, &needed_rows, self.request.tables)?;
        for step in plan.steps.iter().filter(|step| step.access == Access::Row) {
            self.locate(step.predicate, plan.cost);
        }
        Some(plan)
    }

    /// How to find the rows of a predicate by these columns (at least one, not all).
    pub(super) fn index(&mut self, predicate: PredicateId, columns: &[usize]) -> Access {
        self.joins.index(self.request.tables, RowQuery { predicate, columns, key: None })
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
