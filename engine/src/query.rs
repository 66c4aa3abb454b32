//! Queries on complete tables: which tuples a rule derives from them, and whether any.
//!
//! A query is a rule: its body says what has to hold, the arguments of its head what is wanted. Its predicate does
//! not matter.

use crate::budget::{Budget, CHECK_INTERVAL};
use crate::error::{Exceeded, Limit};
use crate::execute::{Executor, Sink};
use crate::instantiate::Relations;
use crate::plan::{JoinPlanner, Plan, Register};
use crate::program::{Constant, Rule};
use crate::table::Tables;
use crate::table::{RowId, Table};

/// How many answers of a query are wanted at most, and how many rows may be looked at for them, about.
#[derive(Debug, Clone, Copy)]
pub struct Most {
    /// Answers.
    pub answers: usize,
    /// Rows that are looked at.
    pub rows: u64,
}

/// A rule as a query, with how it is joined.
#[derive(Debug)]
pub struct Query {
    /// None if a table is empty, so that there is no answer.
    plan: Option<Plan>,
    arity: usize,
}

/// Queries on tables, with the indexes that one leaves to the next. The tables that were read stay as they are as long as
/// this is in use; others may grow.
#[derive(Debug, Default)]
pub struct Queries {
    planner: JoinPlanner,
}

impl Queries {
    /// Prepares the query for the tuples that a rule derives.
    pub fn prepare(&mut self, rule: &Rule, tables: &Tables) -> Query {
        let mut wanted = vec![false; rule.variable_count()];
        rule.head.variables().for_each(|it| wanted[it as usize] = true);
        let plan = self.planner.plan(rule, &wanted, &[], tables);
        Query { plan, arity: rule.head.arguments.len() }
    }

    /// All answers, each once; `None` if there are more than are wanted.
    ///
    /// # Errors
    /// A limit of the budget.
    pub fn answers(
        &self,
        query: &Query,
        tables: &Tables,
        most: Most,
        budget: &Budget,
    ) -> Result<Option<Table>, Exceeded> {
        let found = Table::new(query.arity);
        let Some(plan) = &query.plan else { return Ok(Some(found)) };
        let relations = self.relations(tables);
        let mut sink = QueryAnswers::new(&relations, plan, Some(found), most.rows, budget);
        match Executor::default().run(plan, None, &mut sink) {
            Err(_) if sink.takes_too_long() => Ok(None),
            result => result.map(|()| sink.different.filter(|it| it.len() <= most.answers)),
        }
    }

    /// Whether there is any answer; what the head wants does not matter. `rows` of tables may be looked at, and those that
    /// were are taken off; `None` if they are not enough.
    ///
    /// # Errors
    /// A limit of the budget.
    pub fn holds(
        &mut self,
        rule: &Rule,
        tables: &Tables,
        rows: &mut u64,
        budget: &Budget,
    ) -> Result<Option<bool>, Exceeded> {
        // Where nothing is wanted, a plan ends with the first answer.
        let wanted = vec![false; rule.variable_count()];
        let plan = self.planner.plan(rule, &wanted, &[], tables);
        let Some(plan) = plan else { return Ok(Some(false)) };
        let relations = self.relations(tables);
        let mut sink = QueryAnswers::new(&relations, &plan, None, *rows, budget);
        let mut executor = Executor::default();
        let result = executor.run(&plan, None, &mut sink);
        *rows = rows.saturating_sub(executor.matches);
        match result {
            Err(_) if sink.takes_too_long() => Ok(None),
            result => result.map(|()| Some(sink.answers > 0)),
        }
    }

    fn relations<'run>(&'run self, tables: &'run Tables) -> Relations<'run> {
        Relations { tables, indexes: &self.planner.indexes.all, locators: &[] }
    }
}

/// Takes the answers of a plan.
struct QueryAnswers<'run> {
    relations: &'run Relations<'run>,
    budget: &'run Budget,
    /// The bytes in use but for those of the answers, once they are needed: adding up many tables takes longer than most queries.
    bytes: Option<u64>,
    head: &'run [Register],
    /// How many were found.
    answers: u64,
    /// Those that differ, where they are wanted.
    different: Option<Table>,
    tuple: Vec<Constant>,
    /// How often the executor has checked whether to go on.
    work: u64,
    /// How many rows may be looked at.
    rows: u64,
}

impl<'run> QueryAnswers<'run> {
    fn new(
        relations: &'run Relations<'run>,
        plan: &'run Plan,
        different: Option<Table>,
        rows: u64,
        budget: &'run Budget,
    ) -> Self {
        let (head, tuple) = (&*plan.head, Vec::new());
        QueryAnswers {
            relations,
            budget,
            bytes: None,
            head,
            answers: 0,
            different,
            tuple,
            work: 0,
            rows,
        }
    }

    fn takes_too_long(&self) -> bool {
        self.work * u64::from(CHECK_INTERVAL) > self.rows
    }
}

impl<'run> Sink for QueryAnswers<'run> {
    type Source = Relations<'run>;
    const LEAST_IN_BLOCK: u32 = u32::MAX;

    #[inline]
    fn source(&self) -> &Relations<'run> {
        self.relations
    }

    #[inline]
    fn enter(&mut self, _: usize, _: &[Constant], _: &[RowId]) -> bool {
        true
    }

    #[inline]
    fn emit(&mut self, registers: &[Constant], _: &[RowId]) {
        self.answers += 1;
        if let Some(table) = &mut self.different {
            self.tuple.clear();
            self.tuple.extend(self.head.iter().map(|&it| registers[it as usize]));
            table.insert(&self.tuple);
        }
    }

    fn take_block(&mut self, _: usize, _: &[RowId], _: &mut [Constant]) -> Result<usize, Exceeded> {
        unreachable!("plans of queries have no blocks")
    }

    fn check(&mut self) -> Result<(), Exceeded> {
        self.work += 1;
        if self.takes_too_long() {
            return Err(Exceeded::new(Limit::Rules, self.rows, self.answers));
        }
        let relations = self.relations;
        let others = *self.bytes.get_or_insert_with(|| {
            relations.tables.bytes() + relations.indexes.iter().map(|it| it.bytes()).sum::<u64>()
        });
        let own = self.different.as_ref().map_or(0, Table::bytes);
        self.budget.check(others + own, 0)
    }
}

#[cfg(test)]
mod tests;
