//! Compiles the templates of a request to tasks.

use super::blocks::{block_from, wide};
use super::contribute::contribute;
use super::deduplication::{self, Facts};
use super::equalities::When;
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
    let mut tasks = Vec::new();
    let templates = request.templates;
    let mut facts = Facts::new(request.tables);
    for group in deduplication::groups(templates) {
        let mut members: Vec<(&Template, Compiled)> = Vec::with_capacity(group.len());
        for &index in &group {
            let template = &templates[index];
            let compiled = compile_template(index, template, &mut planner);
            let Some(mut compiled) = compiled else { continue };
            compiled.keeps_apart = request.drop_extra
                && !compiled.contributions.negated.is_empty()
                && compiled.plan.cost > WORTH_A_LOOK
                && !deduplication::shortened(&compiled.plan, index, templates, &mut facts);
            members.push((template, compiled));
        }
        for templates in deduplication::deduplicate(members, request, &mut facts) {
            let may_repeat = templates.iter().any(|it| !it.repeats.is_never());
            tasks.push(Task { templates, may_repeat });
        }
    }
    tasks.sort_by_key(|task| task.templates[0].index);
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
        needed,
        label: template.rule.label,
        head_space: template.head.space,
        repeats: When::Always,
        doubles: When::Always,
        keeps_apart: false,
        contributions,
    })
}
