//! Compiles templates: plans, and the indexes that they read.

use super::contribute::Contributions;
use super::equalities::When;
use super::facts::Facts;
use super::reduce::{self, ColumnConstants};
use super::repeats;
use super::{Request, Template, exclusive, sink};
use crate::dense_keys::DenseKeys;
use crate::index::{Index, Indexes};
use crate::locator::Locator;
use crate::plan::{self, Access, Catalog, Plan, Search};
use crate::program::{Atom, Constant, PredicateId};
use crate::statistics::TableStatistics;
use crate::tables::Tables;

/// A template ready to run.
#[derive(Debug)]
pub(super) struct Compiled {
    /// Its position among the templates.
    index: usize,
    pub(super) plan: Plan,
    /// By variable: whether the stored rule has it.
    pub(super) needed: Vec<bool>,
    pub(super) label: u32,
    pub(super) head_space: u32,
    /// Which instances may be the same as others of the task: they are looked for, and left out if they are
    /// there.
    pub(super) repeats: When,
    /// Which bodies may have a literal twice.
    pub(super) doubles: When,
    /// Whether no instance becomes the same as another if negated literals are left out.
    pub(super) keeps_apart: bool,
    pub(super) contributions: Contributions,
}

/// Templates that are run one after the other on one thread.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) templates: Vec<Compiled>,
    /// Whether instances may repeat, within a template or between those of the task.
    pub(super) may_repeat: bool,
}

/// All tasks, in the order of the result, with the indexes that they read.
#[derive(Debug)]
pub(super) struct CompiledTasks {
    pub(super) tasks: Vec<Task>,
    pub(super) indexes: Vec<Index>,
    pub(super) locators: Vec<Option<Locator>>,
}

impl CompiledTasks {
    pub(super) fn bytes(&self) -> u64 {
        let locators = self.locators.iter().flatten().map(Locator::bytes).sum::<u64>();
        locators + self.indexes.iter().map(Index::bytes).sum::<u64>()
    }
}

/// Templates with more instances than about this are worth a closer look.
const WORTH_A_LOOK: f64 = 4096.0;

/// Compiles all templates of a request.
pub(super) fn compile(request: &Request<'_>) -> CompiledTasks {
    let mut compiler = Compiler::new(request);
    let mut tasks = Vec::new();
    let separated = exclusive::separate(request.templates);
    let mut facts = Facts::new(request.tables);
    for group in repeats::groups(&separated) {
        let mut members: Vec<(&Template, Compiled)> = Vec::with_capacity(group.len());
        for &index in &group {
            let template = &separated[index];
            let Some(mut compiled) = compiler.template(index, template) else { continue };
            compiled.keeps_apart = request.drop_extra
                && !compiled.contributions.negated.is_empty()
                && compiled.plan.cost > WORTH_A_LOOK
                && !repeats::shortened(&compiled.plan, index, &separated, &mut facts);
            members.push((template, compiled));
        }
        for templates in repeats::settle(members, request, &mut facts) {
            let may_repeat = templates.iter().any(|it| !it.repeats.is_never());
            tasks.push(Task { templates, may_repeat });
        }
    }
    tasks.sort_by_key(|task| task.templates[0].index);
    CompiledTasks { tasks, indexes: compiler.catalog.indexes.all, locators: compiler.locators }
}

/// By variable: whether the stored rule has it.
pub(super) fn needed_variables(template: &Template) -> Vec<bool> {
    let mut needed = vec![false; template.rule.variable_count()];
    let stored = template.body.iter().map(|literal| &literal.atom);
    for atom in stored.chain([&template.head]) {
        for variable in atom.arguments.iter().filter_map(|it| it.variable()) {
            needed[variable as usize] = true;
        }
    }
    needed
}

pub(super) struct Compiler<'run> {
    pub(super) request: &'run Request<'run>,
    statistics: TableStatistics,
    pub(super) catalog: StoreCatalog<'run>,
    locators: Vec<Option<Locator>>,
    columns: ColumnConstants,
}

impl<'run> Compiler<'run> {
    pub(super) fn new(request: &'run Request<'run>) -> Self {
        Compiler {
            request,
            statistics: TableStatistics::default(),
            catalog: StoreCatalog { tables: request.tables, indexes: Indexes::default() },
            locators: vec![None; request.program.predicates().len()],
            columns: ColumnConstants::default(),
        }
    }

    /// Compiles a template; `None` if a table that it joins is empty.
    fn template(&mut self, index: usize, template: &Template) -> Option<Compiled> {
        let needed = needed_variables(template);
        let mut plan = self.plan(template, &needed)?;
        let (tables, indexes) = (self.request.tables, &mut self.catalog.indexes.all);
        reduce::reduce(&mut plan, &template.rule, tables, &mut self.columns, indexes);
        let contributions = self.contributions(template, &mut plan);
        plan.block_from = sink::first_step(&plan, &self.catalog.indexes.all);
        let (label, head_space) = (template.rule.label, template.head.space);
        Some(Compiled {
            index,
            plan,
            needed,
            label,
            head_space,
            repeats: When::Always,
            doubles: When::Always,
            keeps_apart: false,
            contributions,
        })
    }

    /// Plans a template; `None` if a table that it joins is empty.
    pub(super) fn plan(&mut self, template: &Template, needed: &[bool]) -> Option<Plan> {
        let rule = &template.rule;
        let body: Vec<(usize, &Atom)> = rule
            .body
            .iter()
            .enumerate()
            .filter_map(|(position, literal)| match literal {
                crate::program::Literal::Positive(atom) => Some((position, atom)),
                _ => None,
            })
            .collect();
        let tables = self.request.tables;
        if body.iter().any(|(_, atom)| tables[atom.predicate].is_empty()) {
            return None;
        }
        let variables = rule.variable_count();
        let (statistics, search) = (&mut self.statistics, Search::Thorough);
        let order = plan::order(&body, None, variables, tables, statistics, |_| false, search);
        let mut needed_rows = vec![false; rule.body.len()];
        for source in template.body.iter().filter_map(|literal| literal.source) {
            needed_rows[source] = true;
        }
        let request = plan::Request { rule, given: None, needed, needed_rows: &needed_rows };
        let plan = plan::compile(&request, &order, &mut self.catalog);
        for step in plan.steps.iter().filter(|step| step.access == Access::Row) {
            self.locate(step.predicate, plan.cost);
        }
        Some(plan)
    }

    /// The indexes that the plans read.
    pub(super) fn indexes(&self) -> &[Index] {
        &self.catalog.indexes.all
    }

    /// The dense codes of a table, if it has a locator by such codes.
    pub(super) fn dense(&self, predicate: PredicateId) -> Option<&DenseKeys> {
        match &self.locators[predicate.index()] {
            Some(Locator::Dense(keys, _)) => Some(keys),
            _ => None,
        }
    }

    /// Makes a fast way from tuples to rows for a table, if a plan of this cost may look up so often that it is
    /// worth it.
    pub(super) fn locate(&mut self, predicate: PredicateId, cost: f64) -> Option<&Locator> {
        let table = &self.request.tables[predicate];
        let locator = &mut self.locators[predicate.index()];
        if locator.is_none() && cost * 8.0 >= table.len() as f64 {
            *locator = Some(Locator::new(table));
        }
        locator.as_ref()
    }
}

/// Makes indexes of complete tables on demand.
pub(super) struct StoreCatalog<'run> {
    tables: &'run Tables,
    indexes: Indexes,
}

impl Catalog for StoreCatalog<'_> {
    fn index(
        &mut self,
        predicate: PredicateId,
        columns: &[usize],
        key: Option<&[Constant]>,
    ) -> Access {
        let table = &self.tables[predicate];
        Access::Index(self.indexes.number((predicate, table), columns, key))
    }
}
