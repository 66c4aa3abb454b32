//! What the steps of a plan contribute to the stored rule.

use crate::program::{Argument, PredicateId};

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
