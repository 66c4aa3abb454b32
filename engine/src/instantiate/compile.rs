//! Compiles the templates of a request to tasks.

use super::blocks::{block_from, wide};
use super::contribute::contribute;
use super::deduplication;
use super::exclusive;
use super::planner::Planner;
use super::relations::Relations;
use super::request::{Request, Template};
use super::task::{Compiled, Task};
use crate::index::Index;
use crate::locator::Locator;
use crate::tables::Tables;
use crate::tuning::WORTH_A_LOOK;

/// All tasks, in the order of the result, with the indexes that they read.
#[derive(Debug)]
pub(super) struct CompiledTasks {
    pub(super) tasks: Vec<Task>,
    indexes: Vec<Index>,
    locators: Vec<Option<Locator>>,
}

impl CompiledTasks {
    /// What the tasks read.
    pub(super) fn relations<'run>(&'run self, tables: &'run Tables) -> Relations<'run> {
        Relations { tables, indexes: &self.indexes, locators: &self.locators }
    }

    /// The bytes of indexes and locators.
    pub(super) fn bytes(&self) -> u64 {
        let locators = self.locators.iter().flatten().map(Locator::bytes).sum::<u64>();
        locators + self.indexes.iter().map(Index::bytes).sum::<u64>()
    }
}

/// Compiles all templates of a request.
pub(super) fn compile(request: &Request<'_>) -> CompiledTasks {
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
    let (indexes, locators) = planner.finish();
    CompiledTasks { tasks, indexes, locators }
}

/// Compiles a template; `None` if a table that it joins is empty.
fn compile_template(
    index: usize,
    template: &Template,
    planner: &mut Planner<'_>,
) -> Option<Compiled> {
    let needed = template.needed_variables();
    let mut plan = planner.plan(template, &needed)?;
    let mut contributions = contribute(template, &mut plan, planner);
    plan.block_from = block_from(&plan, planner.indexes());
    plan.wide = wide(&plan, &mut contributions, planner);
    Some(Compiled {
        index,
        plan,
        label: template.rule.label,
        head_space: template.head.space,
        repeats: true,
        doubles: true,
        keeps_apart: false,
        contributions,
    })
}
