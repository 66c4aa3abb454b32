//! Completes the tables of auxiliary predicates, and chooses between two ways to split a rule by the sizes that come out.

use std::sync::Arc;

use groundfrog_engine::observe::{Observer, Silent};
use groundfrog_engine::query::Count;
use groundfrog_engine::{Budget, EngineError, Limit, Program, Tables};

use super::counts::Counts;
use super::work::Work;
use crate::compact::complete_tables::choices::{
    Candidate, Candidates, Choices, size_of_instance, worth_another,
};
use crate::compact::complete_tables::decomposition::{Decomposed, Large};
use crate::evaluator::Evaluator;
use crate::flat::FlatRule;
use crate::flat::lowering::{joined_rules, predicate};
use crate::tuning::{ENOUGH, SIZE_A_CHECK};

/// What completes tables.
pub(super) struct Completion<'run> {
    pub(super) all: &'run mut Program,
    pub(super) tables: &'run mut Tables,
    pub(super) budget: &'run Budget,
}

impl Completion<'_> {
    /// The large rules that are worth another way, when the tables of the auxiliary predicates are complete.
    ///
    /// # Errors
    /// A limit of the budget.
    pub(super) fn worth_another_candidate(
        &self,
        decomposed: &mut Decomposed,
        counts: &mut Counts,
    ) -> Result<Vec<Large>, EngineError> {
        let large = std::mem::take(&mut decomposed.large);
        if large.is_empty() {
            return Ok(large);
        }
        let mut candidates = Candidates::of(&decomposed.rules, &decomposed.auxiliaries);
        let first = candidates.reached(large.iter().map(|it| Candidate::First(it.index)).collect());
        self.count(counts, &mut candidates, first)?;
        Ok(worth_another(large, &candidates))
    }

    /// Chooses the better way of those rules that were split in two ways, and clears the tables that are not used then.
    ///
    /// # Errors
    /// A limit of the budget.
    pub(super) fn choose(
        &mut self,
        decomposed: &mut Decomposed,
        mut counts: Counts,
    ) -> Result<(), EngineError> {
        let Decomposed { rules, auxiliaries, .. } = decomposed;
        let mut choices = Choices::between(Candidates::of(rules, auxiliaries));
        let first = choices.first_candidates();
        self.count(&mut counts, choices.candidates(), first)?;
        for (choice, most) in choices.first_sizes_together().into_iter().enumerate() {
            if !self.try_other(&mut counts, &mut choices, choice, most)? {
                choices.keep_first(choice);
            }
        }
        let chosen = choices.choose();
        chosen.keep(rules, auxiliaries);
        chosen.unused.iter().for_each(|it| self.tables.clear(predicate(*it)));
        Ok(())
    }

    /// Completes the tables that the other way of a choice needs, and counts its rules. Returns whether that took no more
    /// than it can be worth, and does not make more than the size `most`.
    fn try_other(
        &mut self,
        counts: &mut Counts,
        choices: &mut Choices<'_>,
        choice: usize,
        most: f64,
    ) -> Result<bool, EngineError> {
        let size = choices.first_size(choice) as u64;
        let definitions = choices.new_definitions(choice);
        let mut rows = vec![size; self.tables.iter().len()];
        for it in definitions.iter().filter(|it| it.stored) {
            // A row has an instance of a rule at least.
            let most = (most / size_of_instance(it)) as u64;
            let rows = &mut rows[it.head.form.index()];
            *rows = most.min(*rows);
        }
        let work = Work::new(1 + size / SIZE_A_CHECK, self.budget);
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
        let new = choices.new_candidates(choice);
        Ok(self.count(counts, choices.candidates(), new)?.is_empty())
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

    pub(super) fn evaluate_within(
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

    /// Counts the instances of the rules of some ways, looking at so many rows of each. Returns those of which there may
    /// be far more.
    fn count(
        &self,
        counts: &mut Counts,
        candidates: &mut Candidates<'_>,
        of: Vec<Candidate>,
    ) -> Result<Vec<Candidate>, EngineError> {
        let mut unknown = Vec::new();
        for candidate in of {
            let count = counts.count(
                candidate,
                candidates.rule(candidate),
                self.tables,
                ENOUGH,
                self.budget,
            )?;
            candidates.count(candidate, count.number());
            if matches!(count, Count::AtLeast(_)) {
                unknown.push(candidate);
            }
        }
        Ok(unknown)
    }
}
