//! Which instances of a template are left to another.
//!
//! Where instances of two templates can be the same rule, the earlier template stores it. Often it can be decided
//! by the constants of an instance of the later one alone whether the earlier one has it too: some variables
//! are equal, and what the earlier rule demands beyond that holds. The instance is then left out, and nothing has
//! to be looked for.

use super::equalities::Equalities;
use super::relations::Relations;
use crate::program::{Argument, Constant, PredicateId};

/// The instances of a template that an earlier one has too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Earlier {
    equal: Equalities,
    /// What the rule of the earlier template demands beyond that of the later one.
    demands: Box<[Demand]>,
}

/// A condition on an instance of the later template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Demand {
    /// The atom is in its table, or, if negated, is not.
    Row { negated: bool, predicate: PredicateId, arguments: Box<[Argument]> },
    /// At least one pair differs.
    Distinct(Box<[(Argument, Argument)]>),
}

impl Earlier {
    /// The instances that have these constants equal and fulfil these demands.
    pub(super) fn new(equal: Equalities, demands: Vec<Demand>) -> Self {
        Earlier { equal, demands: demands.into() }
    }

    /// Whether an instance is one of them.
    #[inline]
    pub(super) fn has(
        &self,
        registers: &[Constant],
        relations: &Relations<'_>,
        tuple: &mut Vec<Constant>,
    ) -> bool {
        self.equal.hold(registers)
            && self.demands.iter().all(|it| it.holds(registers, relations, tuple))
    }

    /// What is equal in these instances.
    pub(super) fn equalities(&self) -> &Equalities {
        &self.equal
    }

    /// What has to be known to decide.
    pub(super) fn arguments(&self) -> Vec<Argument> {
        self.equal.arguments().chain(self.demands.iter().flat_map(Demand::arguments)).collect()
    }
}

impl Demand {
    fn arguments(&self) -> Box<dyn Iterator<Item = Argument> + '_> {
        match self {
            Demand::Row { arguments, .. } => Box::new(arguments.iter().copied()),
            Demand::Distinct(pairs) => Box::new(pairs.iter().flat_map(|&(it, at)| [it, at])),
        }
    }

    fn holds(
        &self,
        registers: &[Constant],
        relations: &Relations<'_>,
        tuple: &mut Vec<Constant>,
    ) -> bool {
        match self {
            Demand::Distinct(pairs) => {
                pairs.iter().any(|&(it, at)| it.value(registers) != at.value(registers))
            }
            Demand::Row { negated, predicate, arguments } => {
                tuple.clear();
                tuple.extend(arguments.iter().map(|&it| it.value(registers)));
                relations.find(*predicate, tuple).is_some() != *negated
            }
        }
    }
}
