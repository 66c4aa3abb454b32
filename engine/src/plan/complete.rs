//! Plans of joins over complete tables.

use super::compile::{Catalog, PlanRequest, compile};
use super::order::{Search, order};
use super::steps::{Access, Plan};
use crate::index::{Index, Indexes, RowQuery};
use crate::program::{Atom, Rule};
use crate::statistics::TableStatistics;
use crate::tables::Tables;

/// Plans joins over complete tables, and keeps what was found out about these: measures, and the indexes that plans read.
#[derive(Debug, Default)]
pub(crate) struct JoinPlanner {
    statistics: TableStatistics,
    indexes: Indexes,
}

impl JoinPlanner {
    /// Plans the body of a rule; `None` if a table that it joins is empty. By variable and by literal, what is needed of
    /// the answers.
    pub(crate) fn plan(
        &mut self,
        rule: &Rule,
        needed: &[bool],
        needed_rows: &[bool],
        tables: &Tables,
    ) -> Option<Plan> {
        let body: Vec<(usize, &Atom)> = rule.positive_literals().collect();
        if body.iter().any(|(_, atom)| tables[atom.predicate].is_empty()) {
            return None;
        }
        let variables = rule.variable_count();
        let (statistics, search) = (&mut self.statistics, Search::Thorough);
        let order = order(&body, None, variables, tables, statistics, |_| false, search);
        let request = PlanRequest { rule, given: None, needed, needed_rows };
        Some(compile(&request, &order, &mut CompleteTables(tables, &mut self.indexes)))
    }

    /// How to find the rows that are looked up.
    pub(crate) fn index(&mut self, tables: &Tables, query: RowQuery<'_>) -> Access {
        CompleteTables(tables, &mut self.indexes).index(query)
    }

    /// The indexes that the plans read.
    pub(crate) fn indexes(&self) -> &[Index] {
        &self.indexes.all
    }

    /// The indexes, when all is planned.
    pub(crate) fn into_indexes(self) -> Vec<Index> {
        self.indexes.all
    }
}

/// Makes indexes of complete tables on demand.
struct CompleteTables<'run>(&'run Tables, &'run mut Indexes);

impl Catalog for CompleteTables<'_> {
    fn index(&mut self, query: RowQuery<'_>) -> Access {
        let CompleteTables(tables, indexes) = self;
        Access::Index(indexes.number(&tables[query.predicate], query))
    }
}
