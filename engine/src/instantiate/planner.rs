//! Plans of templates, and the indexes and locators that the plans read.

use super::request::{Request, Template};
use crate::dense_keys::DenseKeys;
use crate::index::{Index, RowQuery};
use crate::locator::Locator;
use crate::plan::{Access, JoinPlanner, Plan};
use crate::program::PredicateId;

/// Plans templates, and makes what the plans look up with.
pub(super) struct Planner<'run> {
    pub(super) request: &'run Request<'run>,
    joins: JoinPlanner,
    locators: Vec<Option<Locator>>,
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

    /// The indexes that the plans read.
    pub(super) fn indexes(&self) -> &[Index] {
        self.joins.indexes()
    }

    /// What the plans read: the indexes, and by predicate the locators.
    pub(super) fn finish(self) -> (Vec<Index>, Vec<Option<Locator>>) {
        (self.joins.into_indexes(), self.locators)
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
