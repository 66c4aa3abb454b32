//! Join plans: the order of a rule's literals and how each is looked up.

mod compile;
mod order;

use crate::program::{Argument, PredicateId};

pub(crate) use compile::{Catalog, Request, compile};
pub(crate) use order::{Order, Search, order, search};

/// How the rows of a step are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// The one row that the caller gives (the new tuple of a semi-naive round).
    Given,
    /// All rows.
    Scan,
    /// The one row whose columns are all known.
    Row,
    /// A group of an index of a complete table.
    Index(u32),
    /// A chain of an index of a growing table.
    Chain(u32),
}

/// A condition that only filters.
#[derive(Debug, Clone)]
pub(crate) enum Check {
    /// The atom is not in its table.
    Absent(PredicateId, Box<[Argument]>),
    /// At least one pair differs.
    Distinct(Box<[(Argument, Argument)]>),
}

/// One positive literal of a plan. Variables are registers.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) predicate: PredicateId,
    /// The literal's position in the rule's body.
    pub(crate) literal: usize,
    pub(crate) access: Access,
    /// The known columns, in the order of the index.
    pub(crate) key: Box<[Argument]>,
    /// Columns whose constants go to registers.
    pub(crate) bind: Box<[(u32, u32)]>,
    /// Columns that the access does not cover and that must equal something known.
    pub(crate) tests: Box<[(u32, Argument)]>,
    /// What can be evaluated from here on.
    pub(crate) checks: Box<[Check]>,
    /// Nothing that this step binds is used later: one row is as good as all.
    pub(crate) once: bool,
}

/// A rule's body as a sequence of nested look-ups.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) steps: Box<[Step]>,
    /// Conditions without variables.
    pub(crate) prelude: Box<[Check]>,
    pub(crate) registers: usize,
    pub(crate) literals: usize,
    /// The step after which every variable of the head is bound.
    pub(crate) head_bound: usize,
    /// The number of steps that matter for what is emitted: after an emission the join goes on there,
    /// because the steps behind only ask whether there is a match.
    pub(crate) significant: usize,
    /// The estimated number of rows looked at.
    pub(crate) cost: f64,
}
