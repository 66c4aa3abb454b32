//! Compiles templates: plans, indexes, and what each step of a plan contributes to the stored rule.

use fxhash::FxHashMap;

use super::{Request, StoredAtom, Template, exclusive, overlap, repeats};
use crate::dense::Locator;
use crate::index::Index;
use crate::plan::{self, Access, Catalog, Plan};
use crate::program::{Argument, Atom, PredicateId};
use crate::statistics::TableStatistics;
use crate::table::Tables;

/// How a slot of the stored rule gets its atom.
#[derive(Debug, Clone)]
pub(super) enum Fill {
    /// The row that the step has found, as an atom from this number on.
    Row { literal: usize, start: u32 },
    /// An atom whose variables are bound.
    Find { space: u32, predicate: PredicateId, start: u32, arguments: Box<[Argument]> },
}

/// Fills one slot: 0 is the head, 1 the first literal of the body.
#[derive(Debug, Clone)]
pub(super) struct Action {
    pub(super) slot: usize,
    pub(super) negated: bool,
    pub(super) fill: Fill,
}

/// For each step of a plan, what it contributes.
pub(super) type ActionsByStep = Box<[Box<[Action]>]>;

/// A template ready to run.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) plan: Plan,
    pub(super) label: u32,
    /// What needs no step.
    pub(super) prelude: Box<[Action]>,
    /// By step.
    pub(super) actions: ActionsByStep,
    /// Those for negated atoms, which need not be in a table.
    pub(super) negated: Box<[Action]>,
    pub(super) slots: usize,
}

/// Templates that are run one after the other on one thread.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) templates: Vec<Compiled>,
    /// Whether instances may repeat, within a template or between those of the task. Bodies are then
    /// sorted, and repeated rules are left out.
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

/// Compiles all templates of a request.
pub(super) fn compile(request: &Request<'_>) -> CompiledTasks {
    let mut compiler = Compiler::new(request);
    let mut tasks = Vec::new();
    let separated = exclusive::separate(request.templates);
    for group in repeats::groups(&separated, request.tables) {
        let templates: Vec<Compiled> =
            group.iter().filter_map(|&it| compiler.template(&separated[it])).collect();
        let may_repeat = group.len() > 1
            || templates.iter().any(|it| may_repeat(it, &separated[group[0]], request.tables));
        if !templates.is_empty() {
            tasks.push(Task { templates, may_repeat });
        }
    }
    CompiledTasks { tasks, indexes: compiler.catalog.indexes, locators: compiler.locators }
}

/// Whether one template alone may give a rule twice, or a literal twice in a body.
fn may_repeat(compiled: &Compiled, template: &Template, tables: &Tables) -> bool {
    let needed = needed_variables(template);
    let steps = &compiled.plan.steps[..compiled.plan.significant];
    let loses = |step: &plan::Step| {
        !step.once && step.bind.iter().any(|&(_, register)| !needed[register as usize])
    };
    steps.iter().any(loses) || overlap::may_coincide_with_itself(template, &needed, tables)
}

/// By variable: whether the stored rule has it.
fn needed_variables(template: &Template) -> Vec<bool> {
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
    request: &'run Request<'run>,
    statistics: TableStatistics,
    catalog: StoreCatalog<'run>,
    locators: Vec<Option<Locator>>,
}

impl<'run> Compiler<'run> {
    pub(super) fn new(request: &'run Request<'run>) -> Self {
        Compiler {
            request,
            statistics: TableStatistics::default(),
            catalog: StoreCatalog {
                tables: request.tables,
                indexes: Vec::new(),
                ids: FxHashMap::default(),
            },
            locators: vec![None; request.program.predicates().len()],
        }
    }

    /// Compiles a template; `None` if a table that it joins is empty.
    pub(super) fn template(&mut self, template: &Template) -> Option<Compiled> {
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
        let order = plan::order(&body, None, variables, tables, &mut self.statistics, |_| false);
        let needed = needed_variables(template);
        let mut needed_rows = vec![false; rule.body.len()];
        for source in template.body.iter().filter_map(|literal| literal.source) {
            needed_rows[source] = true;
        }
        let request =
            plan::Request { rule, given: None, needed: &needed, needed_rows: &needed_rows };
        let plan = plan::compile(&request, &order, &mut self.catalog);
        for step in plan.steps.iter().filter(|step| step.access == Access::Row) {
            self.locate(step.predicate);
        }
        let (prelude, actions) = self.actions(template, &plan);
        let all = prelude.iter().chain(actions.iter().flatten());
        let negated = all.filter(|action| action.negated).cloned().collect();
        let slots = template.body.len() + 1;
        Some(Compiled { plan, label: rule.label, prelude, actions, negated, slots })
    }

    /// Makes a fast way from tuples to rows for a table.
    fn locate(&mut self, predicate: PredicateId) {
        let locator = &mut self.locators[predicate.index()];
        if locator.is_none() {
            *locator = Some(Locator::new(&self.request.tables[predicate]));
        }
    }

    /// What each step contributes: each slot is filled as soon as its variables are bound.
    fn actions(&mut self, template: &Template, plan: &Plan) -> (Box<[Action]>, ActionsByStep) {
        let mut by_step: Vec<Vec<Action>> = vec![Vec::new(); plan.steps.len()];
        let mut prelude = Vec::new();
        let step_of = |literal: usize| plan.steps.iter().position(|step| step.literal == literal);
        let mut place = |action: Action, step: Option<usize>| match step {
            Some(step) => by_step[step].push(action),
            None => prelude.push(action),
        };
        let body = template.body.iter().map(|it| (&it.atom, it.negated, it.source));
        let slots = [(&template.head, false, None)].into_iter().chain(body);
        for (slot, (atom, negated, source)) in slots.enumerate() {
            let space = self.request.spaces[atom.space as usize];
            if let Some(literal) = source {
                let fill = Fill::Row { literal, start: space.start };
                place(Action { slot, negated, fill }, step_of(literal));
                continue;
            }
            self.locate(space.predicate);
            let arguments = atom.arguments.clone().into();
            let fill = Fill::Find {
                space: atom.space,
                predicate: space.predicate,
                start: space.start,
                arguments,
            };
            place(Action { slot, negated, fill }, last_binding(atom, plan));
        }
        (prelude.into(), by_step.into_iter().map(Vec::into_boxed_slice).collect())
    }
}

/// The step that binds the last variable of an atom.
fn last_binding(atom: &StoredAtom, plan: &Plan) -> Option<usize> {
    let binds = |variable: u32| {
        plan.steps
            .iter()
            .position(|step| step.bind.iter().any(|&(_, register)| register == variable))
    };
    atom.arguments.iter().filter_map(|it| it.variable()).filter_map(binds).max()
}

/// Makes indexes of complete tables on demand.
struct StoreCatalog<'run> {
    tables: &'run Tables,
    indexes: Vec<Index>,
    ids: FxHashMap<(PredicateId, Box<[usize]>), u32>,
}

impl Catalog for StoreCatalog<'_> {
    fn index(&mut self, predicate: PredicateId, columns: &[usize]) -> Access {
        let next = self.indexes.len() as u32;
        let id = *self.ids.entry((predicate, columns.into())).or_insert(next);
        if id == next {
            self.indexes.push(Index::new(&self.tables[predicate], columns));
        }
        Access::Index(id)
    }
}
