//! The store pass: each rule is run once over complete tables, and each of its instances is stored.
//!
//! A [`Template`] pairs the rule that is joined (g(R) of Vittaut & Méhat: no negated dynamic literals)
//! with what is stored for each answer (s(R): no static literals). Ground atoms are dense numbers: an
//! [`AtomSpace`] gives each row of a table a number, so the number of a body atom comes out of the join
//! and only the head and negated atoms are looked up.

mod atom_set;
mod blocks;
mod compile;
mod contribute;
mod contributions;
mod deduplication;
mod exclusive;
mod explain;
mod extra_atoms;
mod instantiation;
mod parallel;
mod planner;
mod relations;
mod request;
mod sink;
mod task;

use crate::budget::Budget;
use crate::error::EngineError;
use crate::observe::Observer;
use sink::{Shared, Workspace};
use task::Task;

pub use crate::rule_store::{Edits, GroundLiteral, GroundRule, RuleStore};
pub(crate) use relations::Relations;

pub use atom_set::AtomSet;
pub use explain::{LookUp, PlanDescription, StepDescription, explain};
pub use extra_atoms::ExtraAtoms;
pub use instantiation::Instantiation;
pub use request::{AtomSpace, Request, StoredAtom, StoredLiteral, Template};

/// Stores every instance of every template, templates in order.
///
/// # Errors
/// [`EngineError::Limit`] when the budget is exceeded.
pub fn instantiate(
    request: &Request<'_>,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Instantiation, EngineError> {
    let compiled = compile::compile(request);
    let relations = compiled.relations(request.tables);
    let shared = Shared::new(request, budget, compiled.bytes());
    let run = if request.threads > 1 { parallel::run } else { run_in_order };
    let done = run(request, &compiled.tasks, &relations, &shared, observer)?;
    budget.derives(None);
    Ok(done)
}

/// Runs all tasks on this thread.
fn run_in_order(
    request: &Request<'_>,
    tasks: &[Task],
    relations: &Relations<'_>,
    shared: &Shared<'_>,
    observer: &mut dyn Observer,
) -> Result<Instantiation, EngineError> {
    let mut done = Instantiation::new(request);
    let mut workspace = Workspace::default();
    for (position, task) in tasks.iter().enumerate() {
        sink::run(task, None, &mut done, &mut workspace, relations, shared)?;
        observer.instantiated(position + 1, tasks.len(), done.rules.len());
    }
    Ok(done)
}
