//! What each step of a plan contributes to the stored rule: atoms whose variables are bound are looked up.

use super::compile::Compiler;
use super::earlier::Earlier;
use super::{StoredAtom, Template};
use crate::dense::Locator;
use crate::plan::{Access, Catalog, Check, Plan, Register};
use crate::program::{Argument, Literal, PredicateId};

/// How a slot of the stored rule gets its atom.
#[derive(Debug, Clone)]
pub(super) enum Fill {
    /// The row that the step has found, as an atom from this number on.
    Row { literal: usize, start: u32 },
    /// An atom whose variables are bound.
    Find(Find),
}

/// An atom to be numbered by its row.
#[derive(Debug, Clone)]
pub(super) struct Find {
    pub(super) space: u32,
    pub(super) start: u32,
    pub(super) look_up: LookUp,
}

/// How an atom is looked up in its table.
#[derive(Debug, Clone)]
pub(super) struct LookUp {
    pub(super) predicate: PredicateId,
    pub(super) arguments: Box<[Argument]>,
    /// What is left to do if an earlier step has looked up the other columns.
    pub(super) narrowed: Option<Narrowed>,
}

/// The second half of a look-up.
#[derive(Debug, Clone)]
pub(super) struct Narrowed {
    /// As in [`Narrow::slot`].
    pub(super) slot: usize,
    pub(super) by: By,
    /// The columns that remain.
    pub(super) rest: Box<[(u32, Argument)]>,
}

/// The first half of a look-up.
#[derive(Debug, Clone)]
pub(super) struct Narrow {
    /// Where what is found is kept, counted over the template.
    pub(super) slot: usize,
    pub(super) predicate: PredicateId,
    pub(super) by: By,
    /// The columns that are known.
    pub(super) known: Box<[(u32, Argument)]>,
}

/// How a look-up is divided.
#[derive(Debug, Clone, Copy)]
pub(super) enum By {
    /// An index gives the few rows that fit the known columns.
    Index(u32),
    /// The table is addressed by the sum of what the columns contribute.
    Code,
}

/// What an answer has to fulfil, as far as it is found.
#[derive(Debug, Clone)]
pub(super) enum Condition {
    /// The first pair of literals whose rows differ has the lesser row on the left, see [`super::symmetry`].
    Order(Box<[(usize, usize)]>),
    /// It is not an instance that an earlier template stores.
    Later(Earlier),
    /// An atom is, or is not, in its table.
    Row { negated: bool, look_up: LookUp },
}

/// Fills one slot: 0 is the head, 1 the first literal of the body.
#[derive(Debug, Clone)]
pub(super) struct Action {
    pub(super) slot: usize,
    pub(super) negated: bool,
    pub(super) fill: Fill,
}

/// What a step contributes.
#[derive(Debug, Clone, Default)]
pub(super) struct Actions {
    pub(super) conditions: Vec<Condition>,
    pub(super) fill: Vec<Action>,
    pub(super) narrow: Vec<Narrow>,
}

/// What the steps of a plan contribute.
#[derive(Debug)]
pub(super) struct Contributions {
    /// What needs no step.
    pub(super) prelude: Vec<Action>,
    /// By step.
    pub(super) steps: Box<[Actions]>,
    /// Slots of negated atoms, which need not be in a table.
    pub(super) negated: Vec<(usize, Find)>,
    pub(super) slots: usize,
    /// How many look-ups are divided.
    pub(super) divided: usize,
}

impl Compiler<'_> {
    /// Each slot is filled as soon as its variables are bound. Steps that only ask whether there is a row, and
    /// negated literals, are taken out of the plan: as filters they come at the same time, and their look-ups
    /// can be divided as well.
    pub(super) fn contributions(&mut self, template: &Template, plan: &mut Plan) -> Contributions {
        let mut all = Contributions {
            prelude: Vec::new(),
            steps: Box::default(),
            negated: Vec::new(),
            slots: template.body.len() + 1,
            divided: 0,
        };
        let sources: Vec<Option<usize>> = template
            .body
            .iter()
            .map(|it| it.source.or_else(|| self.joined_as(&it.atom, template)))
            .collect();
        let head_source = self.joined_as(&template.head, template);
        let is_source =
            |literal: usize| head_source == Some(literal) || sources.contains(&Some(literal));
        let filters = take_filters(plan, is_source);
        all.steps = vec![Actions::default(); plan.steps.len()].into();
        for (negated, predicate, arguments) in filters {
            let step = last_binding(&arguments, plan).expect("filters have variables");
            let look_up = self.look_up(predicate, &arguments, plan, &mut all);
            all.steps[step].conditions.push(Condition::Row { negated, look_up });
        }
        let body =
            template.body.iter().zip(sources).map(|(it, source)| (&it.atom, it.negated, source));
        let slots = [(&template.head, false, head_source)].into_iter().chain(body);
        for (slot, (atom, negated, source)) in slots.enumerate() {
            let space = self.request.spaces[atom.space as usize];
            let (fill, step) = match source {
                Some(literal) => {
                    let step = plan.steps.iter().position(|step| step.literal == literal);
                    (Fill::Row { literal, start: space.start }, step)
                }
                None => {
                    let step = last_binding(&atom.arguments, plan);
                    let look_up = self.look_up(space.predicate, &atom.arguments, plan, &mut all);
                    let find = Find { space: atom.space, start: space.start, look_up };
                    if negated {
                        all.negated.push((slot, find.clone()));
                    }
                    (Fill::Find(find), step)
                }
            };
            let actions = step.map_or(&mut all.prelude, |it| &mut all.steps[it].fill);
            actions.push(Action { slot, negated, fill });
        }
        all
    }

    /// The positive literal of the joined rule that is this atom: its row is the atom's.
    fn joined_as(&self, atom: &StoredAtom, template: &Template) -> Option<usize> {
        let predicate = self.request.spaces[atom.space as usize].predicate;
        template.rule.body.iter().position(|literal| match literal {
            Literal::Positive(it) => it.predicate == predicate && it.arguments == atom.arguments,
            _ => false,
        })
    }

    /// How to look up an atom when its last variable is bound. If that is done often, an earlier step does what
    /// it can, once for many.
    fn look_up(
        &mut self,
        predicate: PredicateId,
        arguments: &[Argument],
        plan: &Plan,
        all: &mut Contributions,
    ) -> LookUp {
        let narrowed = self.divide(predicate, arguments, plan, all);
        LookUp { predicate, arguments: arguments.into(), narrowed }
    }

    fn divide(
        &mut self,
        predicate: PredicateId,
        arguments: &[Argument],
        plan: &Plan,
        all: &mut Contributions,
    ) -> Option<Narrowed> {
        let is_dense = match self.locate(predicate, plan.cost) {
            Some(Locator::Dense(keys, _)) => u32::try_from(keys.size()).is_ok(),
            _ => false,
        };
        let least = if is_dense { WORTH_DIVIDING } else { self.request.tables[predicate].len() };
        if plan.cost < least as f64 {
            return None;
        }
        let last = last_binding(arguments, plan);
        let (mut known, mut rest) = (Vec::new(), Vec::new());
        for (column, &argument) in arguments.iter().enumerate() {
            let is_early = last_binding(&[argument], plan) < last;
            if is_early { &mut known } else { &mut rest }.push((column as u32, argument));
        }
        let earlier = known.iter().filter_map(|(_, it)| last_binding(&[*it], plan)).max()?;
        let by = if is_dense {
            By::Code
        } else {
            let columns: Vec<usize> = known.iter().map(|it| it.0 as usize).collect();
            let Access::Index(index) = self.catalog.index(predicate, &columns) else { return None };
            By::Index(index)
        };
        let slot = all.divided;
        all.divided += 1;
        all.steps[earlier].narrow.push(Narrow { slot, predicate, by, known: known.into() });
        Some(Narrowed { slot, by, rest: rest.into() })
    }
}

/// Look-ups of plans that look at fewer rows are not divided.
const WORTH_DIVIDING: usize = 256;

/// Takes out of a plan what only filters: whether negated, predicate and arguments.
fn take_filters(
    plan: &mut Plan,
    is_source: impl Fn(usize) -> bool,
) -> Vec<(bool, PredicateId, Box<[Argument]>)> {
    let mut filters = Vec::new();
    let mut significant = plan.significant;
    let mut steps = std::mem::take(&mut plan.steps).into_vec();
    // A step of which one row is enough must have all its conditions itself: it ends with the first row that
    // is accepted.
    for step in steps.iter_mut().filter(|step| !step.once) {
        let (absent, checks) = std::mem::take(&mut step.checks)
            .into_vec()
            .into_iter()
            .partition::<Vec<_>, _>(|check| matches!(check, Check::Absent(..)));
        step.checks = checks.into();
        filters.extend(absent.into_iter().filter_map(|check| match check {
            Check::Absent(predicate, key) => Some((true, predicate, arguments_of(&key, plan))),
            Check::Distinct(_) => None,
        }));
    }
    let mut position = 0;
    steps.retain_mut(|step| {
        position += 1;
        let has_variable = step.key.iter().any(|&it| (it as usize) < plan.variables);
        let filters_only = step.access == Access::Row
            && step.once
            && step.checks.is_empty()
            && has_variable
            && !is_source(step.literal);
        if filters_only {
            filters.push((false, step.predicate, arguments_of(&step.key, plan)));
            significant -= usize::from(position <= plan.significant);
        }
        !filters_only
    });
    plan.steps = steps.into();
    plan.significant = significant;
    plan.mark_ways_back();
    filters
}

/// What some registers stand for in the rule.
fn arguments_of(registers: &[Register], plan: &Plan) -> Box<[Argument]> {
    registers.iter().map(|&it| plan.argument(it)).collect()
}

/// The step that binds the last variable of some arguments.
pub(super) fn last_binding(arguments: &[Argument], plan: &Plan) -> Option<usize> {
    let binds = |variable: u32| {
        plan.steps
            .iter()
            .position(|step| step.bind.iter().any(|&(_, register)| register == variable))
    };
    arguments.iter().filter_map(|it| it.variable()).filter_map(binds).max()
}
