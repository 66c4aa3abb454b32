//! What each step of a plan contributes to the stored rule: atoms whose variables are bound are looked up.

use super::compile::Compiler;
use super::{StoredAtom, Template};
use crate::dense::Locator;
use crate::plan::{Access, Catalog, Plan};
use crate::program::{Argument, Literal, PredicateId};

/// How a slot of the stored rule gets its atom.
#[derive(Debug, Clone)]
pub(super) enum Fill {
    /// The row that the step has found, as an atom from this number on.
    Row { literal: usize, start: u32 },
    /// An atom whose variables are bound.
    Find(Find),
}

/// How an atom is looked up in its table.
#[derive(Debug, Clone)]
pub(super) struct Find {
    pub(super) space: u32,
    pub(super) predicate: PredicateId,
    pub(super) start: u32,
    pub(super) arguments: Box<[Argument]>,
    /// What is left to compare if an earlier step has looked up the other columns.
    pub(super) narrowed: Option<Narrowed>,
}

/// The columns that remain to be compared with the rows of a group.
#[derive(Debug, Clone)]
pub(super) struct Narrowed {
    /// As in [`Narrow::group`].
    pub(super) group: usize,
    pub(super) index: u32,
    pub(super) rest: Box<[(u32, Argument)]>,
}

/// Looks up the group of rows that fit what is known of an atom.
#[derive(Debug, Clone)]
pub(super) struct Narrow {
    /// Where the group is kept, counted over the template.
    pub(super) group: usize,
    pub(super) index: u32,
    pub(super) key: Box<[Argument]>,
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
    pub(super) groups: usize,
}

impl Compiler<'_> {
    /// Each slot is filled as soon as its variables are bound.
    pub(super) fn contributions(&mut self, template: &Template, plan: &Plan) -> Contributions {
        let mut all = Contributions {
            prelude: Vec::new(),
            steps: vec![Actions::default(); plan.steps.len()].into(),
            negated: Vec::new(),
            slots: template.body.len() + 1,
            groups: 0,
        };
        let body = template.body.iter().map(|it| (&it.atom, it.negated, it.source));
        let slots = [(&template.head, false, None)].into_iter().chain(body);
        for (slot, (atom, negated, source)) in slots.enumerate() {
            let space = self.request.spaces[atom.space as usize];
            let source = source.or_else(|| joined_as(atom, space.predicate, template));
            let (fill, step) = match source {
                Some(literal) => {
                    let step = plan.steps.iter().position(|step| step.literal == literal);
                    (Fill::Row { literal, start: space.start }, step)
                }
                None => {
                    let step = last_binding(&atom.arguments, plan);
                    let narrowed = self.narrow(atom, space.predicate, plan, step, &mut all);
                    let find = Find {
                        space: atom.space,
                        predicate: space.predicate,
                        start: space.start,
                        arguments: atom.arguments.clone().into(),
                        narrowed,
                    };
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

    /// Divides the look-up of an atom in two, so that the last step only compares what it binds itself. Worth
    /// it for atoms that would be looked up by their hash more often than their table has rows.
    fn narrow(
        &mut self,
        atom: &StoredAtom,
        predicate: PredicateId,
        plan: &Plan,
        last: Option<usize>,
        all: &mut Contributions,
    ) -> Option<Narrowed> {
        let is_dense = matches!(self.locate(predicate), Locator::Dense(..));
        if is_dense || plan.cost < self.request.tables[predicate].len() as f64 {
            return None;
        }
        let is_early = |argument: &Argument| last_binding(&[*argument], plan) < last;
        let (mut columns, mut key, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for (column, &argument) in atom.arguments.iter().enumerate() {
            if is_early(&argument) {
                columns.push(column);
                key.push(argument);
            } else {
                rest.push((column as u32, argument));
            }
        }
        let earlier = last_binding(&key, plan)?;
        let Access::Index(index) = self.catalog.index(predicate, &columns) else { return None };
        let group = all.groups;
        all.groups += 1;
        all.steps[earlier].narrow.push(Narrow { group, index, key: key.into() });
        Some(Narrowed { group, index, rest: rest.into() })
    }
}

/// The positive literal of the joined rule that is this atom: its row is the atom's.
fn joined_as(atom: &StoredAtom, predicate: PredicateId, template: &Template) -> Option<usize> {
    template.rule.body.iter().position(|literal| match literal {
        Literal::Positive(it) => it.predicate == predicate && it.arguments == atom.arguments,
        _ => false,
    })
}

/// The step that binds the last variable of some arguments.
fn last_binding(arguments: &[Argument], plan: &Plan) -> Option<usize> {
    let binds = |variable: u32| {
        plan.steps
            .iter()
            .position(|step| step.bind.iter().any(|&(_, register)| register == variable))
    };
    arguments.iter().filter_map(|it| it.variable()).filter_map(binds).max()
}
