//! What each step of a plan contributes to the stored rule: atoms whose variables are bound are looked up.

use super::relations::Planner;
use super::{AtomSpace, Request, StoredAtom, Template};
use crate::dense_keys::Locator;
use crate::plan::{Access, Check, Plan, Register, Step};
use crate::program::{Argument, Atom, Literal, PredicateId, Rule};

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
    pub(super) look_up: AtomLookUp,
}

/// How an atom is looked up in its table.
#[derive(Debug, Clone)]
pub(super) struct AtomLookUp {
    pub(super) predicate: PredicateId,
    pub(super) arguments: Box<[Argument]>,
    /// What is left to do if an earlier step has looked up the other columns.
    pub(super) narrowed: Option<Narrowed>,
    /// The same in blocks that begin with that step or before it, if there are any.
    pub(super) before_blocks: Option<Narrowed>,
}

/// The last part of a look-up.
#[derive(Debug, Clone)]
pub(super) struct Narrowed {
    /// As in [`Narrow::slot`].
    pub(super) slot: usize,
    pub(super) by: By,
    /// What columns with a constant contribute to the code.
    pub(super) fixed: u32,
    /// The columns that remain.
    pub(super) rest: Box<[(u32, Argument)]>,
}

/// An earlier part of a look-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Narrow {
    /// Where what is found is kept, counted over the template.
    pub(super) slot: usize,
    /// The slot of the part before this one, if there is any.
    pub(super) before: Option<usize>,
    pub(super) predicate: PredicateId,
    pub(super) by: By,
    /// The columns that are known, those of the parts before left out.
    pub(super) known: Box<[(u32, Argument)]>,
}

/// How a look-up is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// An index gives the few rows that fit the known columns.
    Index(u32),
    /// The table is addressed by the sum of what the columns contribute.
    Code,
}

/// An atom that is, or is not, in its table, as soon as it is known.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    pub(super) negated: bool,
    pub(super) look_up: AtomLookUp,
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

impl Actions {
    /// The atoms that are looked up.
    pub(super) fn look_ups_mut(&mut self) -> impl Iterator<Item = &mut AtomLookUp> {
        let conditions = self.conditions.iter_mut().map(|it| &mut it.look_up);
        let fill = self.fill.iter_mut().filter_map(|step| match &mut step.fill {
            Fill::Find(find) => Some(&mut find.look_up),
            Fill::Row { .. } => None,
        });
        conditions.chain(fill)
    }
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
    /// How many slots the parts of divided look-ups have.
    pub(super) divided: usize,
}

impl Contributions {
    /// Makes a part of a look-up when a step is entered, unless it is made there for another. Returns its slot.
    pub(super) fn part(&mut self, step: usize, narrow: Narrow) -> usize {
        let parts = &mut self.steps[step].narrow;
        let is_same = |it: &&Narrow| Narrow { slot: narrow.slot, ..(*it).clone() } == narrow;
        if let Some(existing) = parts.iter().find(is_same) {
            return existing.slot;
        }
        parts.push(narrow);
        self.divided += 1;
        self.divided - 1
    }
}

/// Each slot is filled as soon as its variables are bound. Steps that look up one row, and negated literals,
/// are taken out of the plan: they come at the same time, and their look-ups can be divided as well.
pub(super) fn contribute(
    template: &Template,
    plan: &mut Plan,
    planner: &mut Planner<'_>,
) -> Contributions {
    let request = planner.request;
    let sources: Vec<Option<usize>> = template
        .body
        .iter()
        .map(|it| it.source.or_else(|| joined_as(&it.atom, template, request)))
        .collect();
    let head_source = joined_as(&template.head, template, request);
    // As a filter, a row is found when its atom is; a negated atom need not be.
    let is_stored = |literal: usize| {
        let mut body = template.body.iter().zip(&sources);
        body.any(|(it, &source)| !it.negated && source == Some(literal))
    };
    let is_source =
        |literal: usize| head_source == Some(literal) || sources.contains(&Some(literal));
    let filters = take_filters(plan, &template.rule, is_source, is_stored);
    let mut contributor = Contributor::new(template, plan, planner);
    for (negated, predicate, arguments) in filters {
        contributor.filter(negated, predicate, &arguments);
    }
    let body = template.body.iter().zip(sources).map(|(it, source)| (&it.atom, it.negated, source));
    let slots = [(&template.head, false, head_source)].into_iter().chain(body);
    for (slot, (atom, negated, source)) in slots.enumerate() {
        contributor.fill(slot, atom, negated, source);
    }
    contributor.all
}

/// The positive literal of the joined rule that is this atom: its row is the atom's.
fn joined_as(atom: &StoredAtom, template: &Template, request: &Request<'_>) -> Option<usize> {
    let predicate = request.spaces[atom.space as usize].predicate;
    template.rule.body.iter().position(|literal| match literal {
        Literal::Positive(it) => it.predicate == predicate && it.arguments == atom.arguments,
        _ => false,
    })
}

/// Finds out when what is known of the stored rule.
struct Contributor<'plan, 'run> {
    plan: &'plan Plan,
    planner: &'plan mut Planner<'run>,
    all: Contributions,
}

impl<'plan, 'run> Contributor<'plan, 'run> {
    fn new(template: &Template, plan: &'plan Plan, planner: &'plan mut Planner<'run>) -> Self {
        let all = Contributions {
            prelude: Vec::new(),
            steps: vec![Actions::default(); plan.steps.len()].into(),
            negated: Vec::new(),
            slots: template.body.len() + 1,
            divided: 0,
        };
        Contributor { plan, planner, all }
    }

    /// An atom is, or is not, in its table.
    fn filter(&mut self, negated: bool, predicate: PredicateId, arguments: &[Argument]) {
        if !negated && self.always_holds(predicate, arguments) {
            return;
        }
        let step = self.plan.last_binding(arguments).expect("filters have variables");
        let look_up = self.look_up(predicate, arguments);
        self.all.steps[step].conditions.push(Condition { negated, look_up });
    }

    /// A slot gets an atom: that of a literal, if this is joined by a step.
    fn fill(&mut self, slot: usize, atom: &StoredAtom, negated: bool, source: Option<usize>) {
        let AtomSpace { predicate, start } = self.planner.request.spaces[atom.space as usize];
        let joined = source.and_then(|literal| {
            let step = self.plan.steps.iter().position(|step| step.literal == literal)?;
            Some((literal, step))
        });
        let (fill, step) = match joined {
            Some((literal, step)) => (Fill::Row { literal, start }, Some(step)),
            None => {
                let look_up = self.look_up(predicate, &atom.arguments);
                let find = Find { space: atom.space, start, look_up };
                if negated {
                    self.all.negated.push((slot, find.clone()));
                }
                (Fill::Find(find), self.plan.last_binding(&atom.arguments))
            }
        };
        let actions = step.map_or(&mut self.all.prelude, |it| &mut self.all.steps[it].fill);
        actions.push(Action { slot, negated, fill });
    }

    /// Whether an atom with one argument is in its table whatever row a step finds, as far as that can be decided
    /// without a look at all rows.
    fn always_holds(&self, predicate: PredicateId, arguments: &[Argument]) -> bool {
        let &[Argument::Variable(variable)] = arguments else { return false };
        let tables = self.planner.request.tables;
        let mut domains = self.plan.steps.iter().filter_map(|step| {
            let &(column, _) = step.bind.iter().find(|it| it.1 == variable)?;
            Some(tables[step.predicate].dense_set()?.constants(column as usize))
        });
        domains.next().is_some_and(|mut it| it.all(|it| tables[predicate].contains(&[it])))
    }

    /// How to look up an atom when its last variable is bound. If that is done often, an earlier step does what
    /// it can, once for many.
    fn look_up(&mut self, predicate: PredicateId, arguments: &[Argument]) -> AtomLookUp {
        let narrowed = self.divide(predicate, arguments);
        AtomLookUp { predicate, arguments: arguments.into(), narrowed, before_blocks: None }
    }

    /// Makes the earlier parts of a look-up, if it pays. Returns what is left to do then.
    fn divide(&mut self, predicate: PredicateId, arguments: &[Argument]) -> Option<Narrowed> {
        let is_dense = match self.planner.locate(predicate, self.plan.cost) {
            Some(Locator::Dense(keys, _)) => u32::try_from(keys.size()).is_ok(),
            _ => false,
        };
        let rows = self.planner.request.tables[predicate].len();
        if !is_dense && self.plan.cost < rows as f64 {
            return None;
        }
        let last = self.plan.last_binding(arguments);
        // By step: the columns that it binds. Those with a constant come first.
        let mut columns: Vec<(Option<usize>, (u32, Argument))> = (0..)
            .zip(arguments)
            .map(|(column, &it)| (self.plan.last_binding(&[it]), (column, it)))
            .collect();
        columns.sort_by_key(|it| it.0);
        let of = |parts: &[(Option<usize>, (u32, Argument))]| parts.iter().map(|it| it.1).collect();
        let end = columns.partition_point(|it| it.0 < last);
        let earlier = columns[..end].last()?.0?;
        let rest: Box<[_]> = of(&columns[end..]);
        if !is_dense {
            let known: Box<[(u32, Argument)]> = of(&columns[..end]);
            let columns: Vec<usize> = known.iter().map(|it| it.0 as usize).collect();
            let Access::Index(index) = self.planner.index(predicate, &columns) else {
                return None;
            };
            let by = By::Index(index);
            let narrow = Narrow { slot: self.all.divided, before: None, predicate, by, known };
            return Some(Narrowed { slot: self.all.part(earlier, narrow), by, fixed: 0, rest });
        }
        let constants = columns.partition_point(|it| it.0.is_none());
        let fixed = self.code_of(predicate, columns[..constants].iter().map(|it| it.1))?;
        let by = By::Code;
        let mut before = None;
        for part in columns[constants..end].chunk_by(|one, other| one.0 == other.0) {
            let narrow = Narrow { slot: self.all.divided, before, predicate, by, known: of(part) };
            before = Some(self.all.part(part[0].0?, narrow));
        }
        Some(Narrowed { slot: before?, by, fixed, rest })
    }

    /// What columns with a constant contribute to a code; `None` if there is no such code.
    fn code_of(
        &self,
        predicate: PredicateId,
        columns: impl Iterator<Item = (u32, Argument)>,
    ) -> Option<u32> {
        let keys = self.planner.dense(predicate)?;
        let mut code = 0;
        for (column, argument) in columns {
            let Argument::Constant(constant) = argument else { return None };
            code += keys.part(column as usize, constant)?;
        }
        u32::try_from(code).ok()
    }
}

/// Takes out of a plan what only filters: whether negated, predicate and arguments. Steps that look up the row of
/// a stored atom are taken out and not returned.
fn take_filters(
    plan: &mut Plan,
    rule: &Rule,
    is_source: impl Fn(usize) -> bool,
    is_stored: impl Fn(usize) -> bool,
) -> Vec<(bool, PredicateId, Box<[Argument]>)> {
    let atom_of = |step: &Step| match &rule.body[step.literal] {
        Literal::Positive(atom) => Some(atom),
        _ => None,
    };
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
    // Literals that may change places are compared by their rows, which have to come from steps.
    let searched = steps.iter().filter(|it| it.access != Access::Row);
    let searched: Vec<&Atom> = searched.filter_map(atom_of).collect();
    let may_change_places =
        |step: &Step| atom_of(step).is_none_or(|it| searched.iter().any(|at| are_alike(it, at)));
    let mut position = 0;
    steps.retain(|step| {
        position += 1;
        let has_variable = step.key.iter().any(|&it| (it as usize) < plan.variables);
        if step.access != Access::Row || !step.checks.is_empty() || !has_variable {
            return true;
        }
        if step.once && !is_source(step.literal) {
            filters.push((false, step.predicate, arguments_of(&step.key, plan)));
        } else if !is_stored(step.literal) || may_change_places(step) {
            return true;
        }
        significant -= usize::from(position <= plan.significant);
        false
    });
    plan.steps = steps.into();
    plan.significant = significant;
    plan.mark_ways_back();
    filters
}

/// Whether two atoms are the same but for the names of variables, as far as that can be seen at a glance.
fn are_alike(one: &Atom, other: &Atom) -> bool {
    let is_alike = |(one, other): (&Argument, &Argument)| {
        one == other || one.variable().is_some() && other.variable().is_some()
    };
    one.predicate == other.predicate && one.arguments.iter().zip(&other.arguments).all(is_alike)
}

/// What some registers stand for in the rule.
fn arguments_of(registers: &[Register], plan: &Plan) -> Box<[Argument]> {
    registers.iter().map(|&it| plan.argument(it)).collect()
}
