//! Completes the tables of auxiliary predicates, and chooses between two ways to split a rule by the sizes that come out.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use groundfrog_engine::instantiate::{self, Request};
use groundfrog_engine::observe::{Observer, Silent};
use groundfrog_engine::{Budget, EngineError, Limit, Program, Stop, Tables};

use super::evaluator::Evaluator;
use super::store_pass::template;
use crate::compact::auxiliaries::Auxiliaries;
use crate::compact::choices::{Choices, Way};
use crate::domains::program::{joined_rules, predicate};
use crate::rewrite::sentence_forms::FlatRule;

/// When so many rows were looked at, the rest of a rule's instances is estimated.
const ENOUGH: u64 = 1 << 16;
/// The rules of so many choices are looked at, the largest.
const MOST_CHOICES: usize = 24;
/// The tables of another way may take so many checks of the budget,
const LEAST_CHECKS: u64 = 8;
/// and one more for each such part of the size that it may save.
const SIZE_A_CHECK: u64 = 1024;

/// What completes tables.
pub(super) struct Completion<'run> {
    pub(super) all: &'run mut Program,
    pub(super) tables: &'run mut Tables,
    pub(super) budget: &'run Budget,
}

impl Completion<'_> {
    /// Completes the tables of auxiliary predicates for some rules, with the better way of those rules that were split in
    /// two ways.
    ///
    /// # Errors
    /// A limit of the budget.
    pub(super) fn complete(
        &mut self,
        rules: &mut [FlatRule],
        auxiliaries: &mut Auxiliaries,
        observer: &mut dyn Observer,
    ) -> Result<(), EngineError> {
        let Some(mut choices) = Choices::of(rules, auxiliaries) else {
            return self.evaluate(&auxiliaries.rules, Evaluator::Datafrog, observer);
        };
        let first = choices.definitions_in_use();
        self.evaluate(&first, Evaluator::Datafrog, observer)?;
        let ways = choices.first_ways();
        self.count(&mut choices, ways)?;
        for choice in choices.largest(MOST_CHOICES) {
            if !self.try_other(&mut choices, choice)? {
                choices.settle(choice);
            }
        }
        let unused = choices.choose();
        unused.into_iter().for_each(|it| self.tables.clear(predicate(it)));
        Ok(())
    }

    /// Completes the tables that the other way of a choice needs, and counts its rules. Returns whether that took no more
    /// than it can be worth.
    fn try_other(&mut self, choices: &mut Choices<'_>, choice: usize) -> Result<bool, EngineError> {
        let size = choices.first_size(choice) as u64;
        let definitions = choices.new_definitions(choice);
        let rows = vec![size; self.tables.iter().len()];
        let left = AtomicU64::new(LEAST_CHECKS + size / SIZE_A_CHECK);
        let work = Work { left, budget: self.budget.clone() };
        let probe = self.budget.clone().with_table_rows(rows.into()).with_stop(Arc::new(work));
        match self.evaluate_within(&probe, &definitions, Evaluator::Datafrog, &mut Silent) {
            Ok(()) => {}
            Err(EngineError::Limit(it))
                if matches!(it.limit, Limit::TableRows | Limit::Cancelled) =>
            {
                self.budget.check(self.tables.bytes(), 0).map_err(EngineError::from)?;
                definitions.iter().for_each(|it| self.tables.clear(predicate(it.head.form)));
                return Ok(false);
            }
            Err(error) => return Err(error),
        }
        let ways = choices.new_ways(choice);
        self.count(choices, ways)
    }

    /// Adds the rows that some rules derive.
    ///
    /// # Errors
    /// A limit of the budget.
    pub(super) fn evaluate(
        &mut self,
        rules: &[FlatRule],
        evaluator: Evaluator,
        observer: &mut dyn Observer,
    ) -> Result<(), EngineError> {
        self.evaluate_within(self.budget, rules, evaluator, observer)
    }

    fn evaluate_within(
        &mut self,
        budget: &Budget,
        rules: &[FlatRule],
        evaluator: Evaluator,
        observer: &mut dyn Observer,
    ) -> Result<(), EngineError> {
        let others = self.all.replace_rules(joined_rules(rules, |_| true).collect());
        let result = evaluator.evaluate(self.all, self.tables, budget, observer);
        self.all.replace_rules(others);
        result.map(|_| ())
    }

    /// Counts the instances of the rules of some ways. Returns whether there are no more of any.
    fn count(&self, choices: &mut Choices<'_>, ways: Vec<Way>) -> Result<bool, EngineError> {
        let template = |&way: &Way| template(choices.rule(way).clone(), |_| 0);
        let templates: Vec<_> = ways.iter().map(template).collect();
        let request = Request {
            program: self.all,
            tables: self.tables,
            spaces: &[],
            first_extra: 0,
            templates: &templates,
            drop_extra: false,
            threads: 1,
        };
        let counts = instantiate::count(&request, ENOUGH, self.budget)?;
        let are_known = counts.iter().all(|it| !it.at_least);
        ways.into_iter().zip(counts).for_each(|(way, it)| choices.count(way, it.instances));
        Ok(are_known)
    }
}

/// Stops what takes more work than it can be worth. How much that is depends on no clock.
#[derive(Debug)]
struct Work {
    left: AtomicU64,
    budget: Budget,
}

impl Stop for Work {
    fn is_raised(&self) -> bool {
        let left = self.left.load(Ordering::Relaxed);
        self.left.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0 || self.budget.check(0, 0).is_err()
    }
}
