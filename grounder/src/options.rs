//! Options of the grounder.

use std::sync::Arc;
use std::time::Duration;

use groundfrog_engine::{Budget, Stop};

use crate::tuning::LARGE_VIEW;

/// How base and input are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Domains {
    /// In the one fixpoint that computes everything.
    #[default]
    OneStep,
    /// Round by round, seeded by a fake match (Vittaut and Méhat, section 4.1).
    Iterative,
    /// As the description gives them.
    Given,
}

/// Which evaluator does the work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Engine {
    /// Semi-naive rounds on datafrog, planned joins.
    #[default]
    Datafrog,
    /// The textbook evaluator: slow and simple.
    Naive,
    /// Both; the first difference is an error.
    Compare,
}

/// What grounding may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Time for everything.
    pub time: Option<Duration>,
    /// Bytes for tables, indexes and ground rules.
    pub memory: Option<u64>,
    /// Ground rules.
    pub rules: Option<u64>,
    /// How deep functions may be nested in a term.
    pub term_depth: usize,
    /// Whether to stop: a flag that is raised from outside, for one.
    pub stop: Option<Arc<dyn Stop>>,
}

impl Limits {
    /// A budget for the engine, whose time begins now.
    pub fn budget(&self) -> Budget {
        let budget = Budget::unlimited().with_time(self.time).with_memory(self.memory);
        budget.with_rules(self.rules).with_stops(self.stop.clone())
    }
}

impl Default for Limits {
    /// 4 GiB, terms 32 deep, nothing else.
    fn default() -> Self {
        Limits { time: None, memory: Some(4 << 30), rules: None, term_depth: 32, stop: None }
    }
}

/// How to ground.
#[derive(Clone, Debug)]
pub struct GroundOptions {
    /// How base and input are computed.
    pub domains: Domains,
    /// Which evaluator does the work.
    pub engine: Engine,
    /// Whether the flat program is replaced by its residual ([`crate::simplify`]).
    pub simplify: bool,
    /// Which passes run; those that make the game compact need the simplification.
    pub passes: Passes,
    /// A static predicate with more rows than this is large: it gets no table where it can be compiled to decision diagrams
    /// (pass `diagrams`) that are smaller. With 0, however large these are.
    pub large_static: u64,
    /// How many threads may work. The result does not depend on it.
    pub threads: usize,
    /// What grounding may use.
    pub limits: Limits,
}

impl GroundOptions {
    /// The compact game, which is the default: all passes. It means the same as the flat one in every reachable state and is
    /// what a player wants.
    pub fn compact() -> Self {
        GroundOptions { passes: Passes::ALL, ..GroundOptions::flat() }
    }

    /// The residual of the flat program, as other grounders derive it: no passes.
    pub fn flat() -> Self {
        GroundOptions {
            domains: Domains::default(),
            engine: Engine::default(),
            simplify: true,
            passes: Passes::FLAT,
            large_static: LARGE_VIEW,
            threads: 1,
            limits: Limits::default(),
        }
    }
}

impl Default for GroundOptions {
    /// What the program does by default: [`GroundOptions::compact`].
    fn default() -> Self {
        GroundOptions::compact()
    }
}

/// A pass that can be left out, by itself. [`PASSES`](crate::ground::PASSES) says what each does, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the table of passes says what each does")]
pub enum PassId {
    RigidFluents,
    StateInvariants,
    Diagrams,
    Demand,
    ComparedTuples,
    Complements,
    MoveParts,
    Decomposition,
    NestedSets,
    Relevance,
    RigidAtoms,
    Moves,
    EqualViews,
    Inline,
    Subsumption,
    Factoring,
}

/// How many passes there are.
pub(crate) const PASS_COUNT: usize = PassId::Factoring as usize + 1;

/// A set of passes: those that run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Passes(u64);

impl Passes {
    /// No pass: the flat program, or its residual.
    pub const NONE: Passes = Passes(0);
    /// What the flat program, or its residual, is computed with: passes that do not change what is stored.
    pub const FLAT: Passes = Passes::of(&[PassId::Diagrams]);
    /// All passes.
    pub const ALL: Passes = Passes((1 << PASS_COUNT) - 1);

    /// These passes.
    pub const fn of(passes: &[PassId]) -> Passes {
        let (mut set, mut next) = (Passes::NONE, 0);
        while next < passes.len() {
            set = set.with(passes[next]);
            next += 1;
        }
        set
    }

    /// This set and a pass.
    #[must_use]
    pub const fn with(self, pass: PassId) -> Passes {
        Passes(self.0 | 1 << pass as u64)
    }

    /// This set but for a pass.
    #[must_use]
    pub const fn without(self, pass: PassId) -> Passes {
        Passes(self.0 & !(1 << pass as u64))
    }

    /// This set but for some passes.
    #[must_use]
    pub const fn without_all(self, passes: &[PassId]) -> Passes {
        Passes(self.0 & !Passes::of(passes).0)
    }

    /// Whether a pass is in the set.
    pub const fn contains(self, pass: PassId) -> bool {
        self.0 & 1 << pass as u64 != 0
    }

    /// Whether the result is the flat program, or its residual: no other passes run than those of [`Passes::FLAT`].
    pub const fn are_flat(self) -> bool {
        self.0 & !Passes::FLAT.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_the_compact_game() {
        assert_eq!(GroundOptions::default().passes, Passes::ALL);
        assert_eq!(GroundOptions::flat().passes, Passes::FLAT);
    }

    #[test]
    fn sets_have_what_was_put_into_them() {
        let some = Passes::NONE.with(PassId::Demand).with(PassId::Factoring);
        assert!(some.contains(PassId::Demand) && some.contains(PassId::Factoring));
        assert!(!some.contains(PassId::Moves));
        assert_eq!(some.without(PassId::Demand), Passes::of(&[PassId::Factoring]));
        assert_eq!(some.without_all(&[PassId::Demand, PassId::Factoring]), Passes::NONE);
        assert!(Passes::ALL.contains(PassId::RigidFluents));
        assert!(Passes::FLAT.are_flat() && Passes::NONE.are_flat() && !some.are_flat());
    }
}
