//! Rules as people write them.

/// Of `compact/invariants/rigid_fluents`.
pub(crate) mod rigid_fluents {
    /// Kinds of fluents that are compared with all rules; more are left to the pass over ground rules.
    pub(crate) const MOST_KINDS: usize = 64;
}

/// Of `compact/invariants/state_invariants`.
pub(crate) mod rules {
    /// Literals that a rule may have.
    pub(crate) const MOST_LITERALS: usize = 100;
}

/// Of `compact/invariants/state_invariants/case`.
pub(crate) mod case {
    /// Literals that a body may have that is looked at.
    pub(crate) const MOST_LITERALS: usize = 60;
    /// Rules that may make a move legal that is taken apart.
    pub(crate) const MOST_LEGAL: usize = 6;
    /// How deep views are unfolded.
    pub(crate) const MOST_UNFOLDED: u32 = 3;
}

/// Of `compact/invariants/state_invariants/case/contradiction`.
pub(crate) mod contradiction {
    /// Rules that a view may have to show that it does not hold.
    pub(crate) const MOST_OF_VIEW: usize = 12;
    /// Literals that are compared with those of a view's rules.
    pub(crate) const MOST_COMPARED: u32 = 500;
}

/// Of `compact/definitions`.
pub(crate) mod definitions {
    /// Facts up to which it is looked whether an atom may be one of them.
    pub(crate) const MOST_FACTS: usize = 1000;
}

/// Of `compact/invariants/state_invariants/ends`.
pub(crate) mod ends {
    /// Ends that are looked at, and alternatives to unfold the views that `terminal` uses.
    pub(crate) const MOST_ENDS: usize = 32;
    /// Values of a fluent that an end may depend on.
    pub(crate) const MOST_VALUES: usize = 2;
    /// Literals that an end may have.
    pub(crate) const MOST_LITERALS: usize = 60;
    /// How deep these views are unfolded.
    pub(crate) const MOST_UNFOLDED: u32 = 3;
}

/// Of `compact/invariants/state_invariants/legality`.
pub(crate) mod legality {
    /// Rules that a rule may be taken apart into.
    pub(crate) const MOST_RULES: usize = 4;
}

/// Of `compact/invariants/state_invariants/legality/bodies`.
pub(crate) mod bodies {
    /// Bodies that may make a move legal.
    pub(crate) const MOST_BODIES: usize = 8;
    /// Literals that a body may have that makes a move legal.
    pub(crate) const MOST_LITERALS: usize = 60;
    /// How deep views are unfolded that `legal` uses.
    pub(crate) const MOST_UNFOLDED: u32 = 3;
}

/// Of `compact/invariants/state_invariants/single_valued`.
pub(crate) mod single_valued {
    /// Rules for one kind of fluents, or one static predicate, of which something is shown.
    pub(crate) const MOST_RULES: usize = 40;
    /// Facts of a static predicate of which something is shown.
    pub(crate) const MOST_FACTS: usize = 20_000;
    /// Pairs of rules that are looked at in a game.
    pub(crate) const MOST_PAIRS: u32 = 1000;
    /// Cases, to which these pairs lead, that are looked at.
    pub(crate) const MOST_CASES: u32 = 1000;
    /// Claims that may wait for each other.
    pub(crate) const MOST_WAITING: u32 = 6;
    /// Moves that are taken apart by the rules that make them legal, one within the other.
    pub(crate) const MOST_SPLITS: u32 = 2;
}
