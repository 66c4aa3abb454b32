//! The store pass: each rule is run once over complete tables, and each of its instances is stored.
//!
//! A [`Template`] pairs the rule that is joined (g(R) of Vittaut & Méhat: no negated dynamic literals)
//! with what is stored for each answer (s(R): no static literals). Ground atoms are dense numbers: an
//! [`AtomSpace`] gives each row of a table a number, so the number of a body atom comes out of the join
//! and only the head and negated atoms are looked up.
//!
//! Templates are compiled to tasks. These run one after the other, or on several threads in parts whose results are put together in
//! order.

mod blocks;
mod contribute;
mod deduplication;
mod exclusive;
mod explain;
mod instantiation;
mod reduce;
mod relations;
mod sink;

use std::ops::Range;

use rayon::prelude::*;

use crate::budget::{Budget, Stop as _};
use crate::dense_keys::Locator;
use crate::error::EngineError;
use crate::execute::Executor;
use crate::index::Index;
use crate::numbers;
use crate::observe::Observer;
use crate::plan::Plan;
use crate::program::{Arguments, PredicateId, Program, Rule};
pub use crate::rule_store::{Edits, GroundLiteral, GroundRule, RuleStore};
use crate::table::Tables;
use crate::tuning::{WORTH_A_LOOK, WORTH_SPLITTING};
use blocks::{block_from, wide};
use contribute::{Contributions, contribute};
pub use explain::{LookUp, PlanDescription, StepDescription, explain};
pub use instantiation::{AtomSet, ExtraAtoms, Instantiation};
use reduce::reduce;
use relations::Planner;
pub(crate) use relations::Relations;
use sink::{Shared, Workspace};

/// Stores every instance of every template, templates in order.
///
/// # Errors
/// [`EngineError::Limit`] when the budget is exceeded.
pub fn instantiate(
    request: &Request<'_>,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Instantiation, EngineError> {
    let compiled = compile(request);
    let relations = compiled.relations(request.tables);
    let shared = Shared::new(request, budget, compiled.bytes());
    let run = if request.threads > 1 { run_in_parallel } else { run_in_order };
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

/// Numbers the rows of a table as atoms: row `r` is atom `start + r`. Several spaces may number the same
/// table, as `true` and `next` do with the table of `base`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtomSpace {
    /// The table whose rows are numbered.
    pub predicate: PredicateId,
    /// The number of row 0.
    pub start: u32,
}

/// An atom to be stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StoredAtom {
    /// Its space, as a position in [`Request::spaces`].
    pub space: u32,
    /// Its arguments, over the variables of the template's rule.
    pub arguments: Arguments,
}

/// A literal to be stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StoredLiteral {
    /// The atom.
    pub atom: StoredAtom,
    /// Whether it is negated. A negated atom need not be in its table.
    pub negated: bool,
    /// For a positive literal: its position in the body of the template's rule.
    pub source: Option<usize>,
}

/// A rule to be joined, and what to store for each answer.
#[derive(Debug, Clone)]
pub struct Template {
    /// What is joined. Its head is not used.
    pub rule: Rule,
    /// The stored head; its instances are in their table.
    pub head: StoredAtom,
    /// The stored body.
    pub body: Vec<StoredLiteral>,
}

impl Template {
    /// By variable: whether the stored rule has it.
    fn needed_variables(&self) -> Vec<bool> {
        let mut needed = vec![false; self.rule.variable_count()];
        let stored = self.body.iter().map(|literal| &literal.atom);
        for atom in stored.chain([&self.head]) {
            for variable in atom.arguments.iter().filter_map(|it| it.variable()) {
                needed[variable as usize] = true;
            }
        }
        needed
    }
}

/// What to instantiate.
#[derive(Debug, Clone, Copy)]
pub struct Request<'run> {
    /// The predicates of the tables.
    pub program: &'run Program,
    /// Complete tables.
    pub tables: &'run Tables,
    /// The spaces, their ranges ascending and apart.
    pub spaces: &'run [AtomSpace],
    /// One more than the last number of the spaces: atoms in no table are numbered from here.
    pub first_extra: u32,
    /// The rules.
    pub templates: &'run [Template],
    /// Whether to leave out literals about atoms in no table, which always hold. Rules that differ in such
    /// literals alone are then the same, see [`Instantiation::shortened`].
    pub drop_extra: bool,
    /// How many threads may work. The result does not depend on it.
    pub threads: usize,
}

/// A template ready to run.
#[derive(Debug)]
struct Compiled {
    /// Its position among the templates.
    index: usize,
    plan: Plan,
    label: u32,
    head_space: u32,
    /// Whether instances may be the same as others of the template.
    repeats: bool,
    /// The pairs of slots that may have the same literal, which a body then has once.
    doubles: Vec<(usize, usize)>,
    /// Whether no instance becomes the same as another if negated literals are left out.
    keeps_apart: bool,
    contributions: Contributions,
}

/// Templates that are run one after the other on one thread.
#[derive(Debug)]
struct Task {
    templates: Vec<Compiled>,
    /// Whether instances may repeat, within a template or between those of the task.
    may_repeat: bool,
}

/// All tasks, in the order of the result, with the indexes that they read.
#[derive(Debug)]
struct CompiledTasks {
    tasks: Vec<Task>,
    indexes: Vec<Index>,
    locators: Vec<Option<Locator>>,
}

impl CompiledTasks {
    /// What the tasks read.
    fn relations<'run>(&'run self, tables: &'run Tables) -> Relations<'run> {
        Relations { tables, indexes: &self.indexes, locators: &self.locators }
    }

    /// The bytes of indexes and locators.
    fn bytes(&self) -> u64 {
        let locators = self.locators.iter().flatten().map(Locator::bytes).sum::<u64>();
        locators + self.indexes.iter().map(Index::bytes).sum::<u64>()
    }
}

/// Compiles all templates of a request.
fn compile(request: &Request<'_>) -> CompiledTasks {
    let mut planner = Planner::new(request);
    let templates = exclusive::separate(request.templates);
    let mut compiled = Vec::with_capacity(templates.len());
    for (index, template) in templates.iter().enumerate() {
        let Some(mut it) = compile_template(index, template, &mut planner) else { continue };
        it.keeps_apart = request.drop_extra
            && !it.contributions.negated.is_empty()
            && it.plan.cost > WORTH_A_LOOK
            && !deduplication::shortened(&it, &templates, request.tables);
        compiled.push(it);
    }
    let tasks = deduplication::tasks(compiled, &templates, request.tables);
    let Planner { joins, locators, .. } = planner;
    CompiledTasks { tasks, indexes: joins.indexes.all, locators }
}

/// Compiles a template; `None` if a table that it joins is empty.
fn compile_template(
    index: usize,
    template: &Template,
    planner: &mut Planner<'_>,
) -> Option<Compiled> {
    let needed = template.needed_variables();
    let mut plan = planner.plan(template, &needed)?;
    reduce(&mut plan, &template.rule, planner.request.tables, &mut planner.joins.indexes);
    let mut contributions = contribute(template, &mut plan, planner);
    plan.block_from = block_from(&plan, &planner.joins.indexes.all);
    plan.wide = wide(&plan, &mut contributions, planner);
    Some(Compiled {
        index,
        plan,
        label: template.rule.label,
        head_space: template.head.space,
        repeats: true,
        doubles: Vec::new(),
        keeps_apart: false,
        contributions,
    })
}

/// Runs all tasks on several threads.
fn run_in_parallel(
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
