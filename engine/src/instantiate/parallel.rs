//! A store pass on several threads: parts of the work, whose results are put together in order.

use std::ops::Range;

use rayon::prelude::*;

use super::instantiation::Instantiation;
use super::relations::Relations;
use super::request::Request;
use super::sink::{self, Shared, Workspace};
use super::task::Task;
use crate::error::EngineError;
use crate::execute::Executor;
use crate::numbers;
use crate::observe::Observer;
use crate::plan::Plan;
use crate::tuning::WORTH_SPLITTING;

/// Runs all tasks.
pub(super) fn run(
    request: &Request<'_>,
    tasks: &[Task],
    relations: &Relations<'_>,
    shared: &Shared<'_>,
    observer: &mut dyn Observer,
) -> Result<Instantiation, EngineError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(request.threads).build();
    let run_part = |(task, range): (&Task, _)| {
        let mut part = Instantiation::new(request);
        let mut workspace = Workspace::default();
        sink::run(task, range, &mut part, &mut workspace, relations, shared)?;
        Ok::<_, EngineError>(part)
    };
    let parts = split(tasks, request.threads, relations);
    let parts: Vec<_> = match pool {
        Ok(pool) => pool.install(|| parts.into_par_iter().map(run_part).collect()),
        // Where the system gives no threads, this one does the work.
        Err(_) => parts.into_iter().map(run_part).collect(),
    };
    let parts = parts.into_iter().collect::<Result<Vec<_>, _>>()?;
    let rules = parts.iter().map(|part| part.rules.len()).sum();
    let literals = parts.iter().map(|part| part.rules.literal_count()).sum();
    numbers::check_literals((rules + literals) as u64)?;
    let mut done = Instantiation::new(request);
    done.rules.reserve(rules, literals);
    let total = parts.len();
    for (position, part) in parts.into_iter().enumerate() {
        done.append(part, request)?;
        observer.instantiated(position + 1, total, done.rules.len());
    }
    Ok(done)
}

/// Whether a plan is large, and each row of its first step gives answers of its own. Of a step that is done once, or if one
/// answer is enough, each part would find one.
fn is_worth_splitting(plan: &Plan) -> bool {
    plan.cost > WORTH_SPLITTING
        && plan.resume.is_some()
        && plan.steps.first().is_some_and(|it| !it.once)
}

/// The tasks in order, large ones in several parts by the rows of their first step.
fn split<'run>(
    tasks: &'run [Task],
    threads: usize,
    relations: &Relations<'_>,
) -> Vec<(&'run Task, Option<Range<u32>>)> {
    let mut executor = Executor::default();
    let mut parts = Vec::with_capacity(tasks.len());
    for task in tasks {
        let plan = match task.templates.as_slice() {
            [only] if !task.may_repeat && is_worth_splitting(&only.plan) => &only.plan,
            _ => {
                parts.push((task, None));
                continue;
            }
        };
        let range = executor.first_range(plan, relations);
        let count = (threads as u32 * 4).min(range.len() as u32).max(1);
        let bound = |part: u32| {
            let offset = u64::from(part) * range.len() as u64 / u64::from(count);
            range.start + offset as u32
        };
        parts.extend((0..count).map(|part| (task, Some(bound(part)..bound(part + 1)))));
    }
    parts
}
