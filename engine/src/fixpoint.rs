//! The fixpoint: one component at a time, recursive ones by semi-naive rounds on `datafrog`.
//!
//! A component without recursion is evaluated by running each of its rules once. In a recursive one
//! every tuple becomes, exactly once, the *recent* fact of a round: it is added to the indexes and
//! then joined, through the plan of each body literal of its predicate, with the tuples that were
//! processed before it. So each combination of tuples is found when its last one is processed.
//!
//! A tuple is interned in its table as soon as it is derived; the joins do not see it before the next round.
//!
//! `datafrog` keeps the account of the rounds: one variable holds the facts of the whole component as
//! ranges of rows, one for each predicate and round in which it has new ones, so that idle predicates cost
//! nothing.

mod block;
mod component;
mod delta;
mod deltas;
mod derive;
mod effort;
mod growing;
mod head;
mod indexes;
mod join;
mod split;

use crate::budget::Budget;
use crate::error::{EngineError, Limit};
use crate::observe::{EvaluationStatistics, Observer};
use crate::program::Program;
use crate::strata;
use crate::tables::Tables;

/// Completes the tables of a program: adds every tuple that its rules derive from those given.
///
/// # Errors
/// [`EngineError::NotStratified`], or [`EngineError::Limit`] when the budget is exceeded; the tables then
/// hold a part of the tuples.
pub fn evaluate(
    program: &Program,
    tables: &mut Tables,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<EvaluationStatistics, EngineError> {
    let components = strata::components(program)?;
    let mut evaluation = component::Evaluation::new(program, tables, budget, observer);
    let mut components = components.into_iter().filter(|it| !it.rules.is_empty());
    let result = components.try_for_each(|it| evaluation.complete(it));
    let statistics = evaluation.finish(program);
    if !result.as_ref().is_err_and(ends_the_work) {
        budget.derives(None);
    }
    result.map(|()| statistics)
}

/// Whether no caller goes on after an error: a table with too many rows is left, and something else tried.
fn ends_the_work(error: &EngineError) -> bool {
    matches!(error, EngineError::Limit(it) if it.limit != Limit::TableRows)
}
