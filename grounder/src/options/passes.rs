//! Which passes run.

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
