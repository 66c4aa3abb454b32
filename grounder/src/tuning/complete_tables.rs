//! Rules whose tables are complete.

/// Of `compact/complete_tables/choices`.
pub(crate) mod choices {
    /// Part of what the first candidate leaves of a rule that the other one has to save.
    pub(crate) const GAIN: f64 = 0.05;
    /// Size that the other candidate has to save at least.
    pub(crate) const LEAST_GAIN: f64 = 64.0;
    /// Size of a rule, with all that it uses, from which on there is another candidate: to look for it takes longer than
    /// what it can save in smaller ones.
    pub(crate) const SMALL: f64 = 20_000.0;
    /// Part of all that is counted below which there is no other candidate for a rule.
    pub(crate) const SMALL_PART: f64 = 0.01;
    /// Rules, the largest ones, for which there is another candidate.
    pub(crate) const MOST: usize = 24;
}

/// Of `compact/complete_tables/decomposition`.
pub(crate) mod decomposition {
    /// Rows that are looked at one by one; with more the engine, which looks at the limits, finds those that fail a
    /// condition.
    pub(crate) const MOST_LOOKED_AT: usize = 1_000_000;
    /// Expected instances from which on a rule is split.
    pub(crate) const SMALL: f64 = 12.0;
    /// Expected rows from which on a part may be restricted by other literals of its rule, see `guards`.
    pub(crate) const WORTH_A_GUARD: f64 = 5_000.0;
    /// Expected rows from which on a part may be restricted so where large rules are split by least fill.
    pub(crate) const WORTH_A_GUARD_BY_FILL: f64 = 500.0;
    /// Part of the ground program that a step may leave.
    pub(crate) const GAIN: f64 = 0.95;
}

/// Of `compact/complete_tables/decomposition/acceptance`.
pub(crate) mod acceptance {
    /// Part of the size of rules that may be left by what takes their place: it takes more steps to derive, and sizes are
    /// estimates.
    pub(crate) const GAIN: f64 = 0.8;
}

/// Of `compact/complete_tables/decomposition/alike`.
pub(crate) mod alike {
    /// Literals that a rule may have that is put together with others.
    pub(crate) const MOST_LITERALS: usize = 64;
}

/// Of `compact/complete_tables/decomposition/alternatives`.
pub(crate) mod alternatives {
    /// Size of a rule from which on it may be taken apart.
    pub(crate) const WORTH_ALTERNATIVES: f64 = 5_000.0;
    /// Rules that may be made where all comparisons of a rule are taken apart together.
    pub(crate) const MOST_TOGETHER: usize = 16;
}

/// Of `compact/complete_tables/decomposition/compared_tuples`.
pub(crate) mod compared_tuples {
    /// Tuples from which on a comparison is worth it: that one of two differs from the other is expressed as well by the one
    /// that it is.
    pub(crate) const LEAST_TUPLES: usize = 3;
}

/// Of `compact/complete_tables/decomposition/complements`.
pub(crate) mod complements {
    /// Size of a part from which on it may be replaced by its complement.
    pub(crate) const WORTH_A_COMPLEMENT: f64 = 100.0;
}

/// Of `compact/complete_tables/decomposition/counters`.
pub(crate) mod counters {
    /// Size of a rule from which on it may get a counter.
    pub(crate) const LARGE: f64 = 100.0;
    /// Elements that may be counted, in all groups together.
    pub(crate) const MOST_IN_GROUPS: usize = 200_000;
    /// Stored literals about an element from which on these get a name.
    pub(crate) const WORTH_A_NAME: usize = 2;
    /// How often what is known of an element must be used to get a name.
    pub(crate) const OFTEN: usize = 4;
}

/// Of `compact/complete_tables/decomposition/disjunctions`.
pub(crate) mod disjunctions {
    /// Size of rules from which on they may be put together.
    pub(crate) const WORTH_A_DISJUNCTION: f64 = 5_000.0;
}

/// Of `compact/complete_tables/decomposition/joint_conditions`.
pub(crate) mod joint_conditions {
    /// Size of a rule from which on it may get a joint condition.
    pub(crate) const LARGE: f64 = 500.0;
    /// Pairs of variables with conditions that a rule may have; with more it has other reasons to be large.
    pub(crate) const MOST_TRIED: usize = 4;
    /// Pairs of values that are looked at in any case.
    pub(crate) const FEW_PAIRS: usize = 1 << 16;
    /// Pairs of values that are looked at for each instance of the rule.
    pub(crate) const PAIRS_OF_INSTANCE: f64 = 8.0;
    /// Pairs of values that are looked at most.
    pub(crate) const MOST_PAIRS: usize = 1 << 20;
}

/// Of `compact/complete_tables/decomposition/least_fill`.
pub(crate) mod least_fill {
    /// Size of a rule from which on it may be split in two ways.
    pub(crate) const LARGE: f64 = 2_000.0;
    /// How many times the size of the first way the other one may be expected to have.
    pub(crate) const HOPELESS: f64 = 1.5;
    /// Rows of a table up to which its values are looked at.
    pub(crate) const MOST_ROWS: usize = 500;
    /// Rounds in which all tables are looked at for the sizes of domains.
    pub(crate) const MOST_ROUNDS: usize = 4;
}

/// Of `compact/complete_tables/decomposition/move_parts`.
pub(crate) mod move_parts {
    /// Size of a rule from which on it may use the parts of a move.
    pub(crate) const LARGE: f64 = 1_000.0;
    /// Moves of a rule that may be taken into parts.
    pub(crate) const MOST_MOVES: usize = 4;
    /// Rules that a view may have that is unfolded for the sake of move parts.
    pub(crate) const MOST_RULES: usize = 8;
    /// Rules that have come of one rule from which on views with several rules are not unfolded.
    pub(crate) const MOST_UNFOLDED: usize = 16;
}

/// Of `compact/complete_tables/decomposition/nested_sets`.
pub(crate) mod nested_sets {
    /// Elements that a key must have on average.
    pub(crate) const LEAST_ELEMENTS: f64 = 3.0;
}

/// Of `compact/complete_tables/decomposition/nested_sets/nesting`.
pub(crate) mod nesting {
    /// Rows of a table up to which it is looked at.
    pub(crate) const MOST_ROWS: usize = 10_000_000;
}

/// Of `compact/complete_tables/decomposition/shared_projections`.
pub(crate) mod shared_projections {
    /// Size that rules must have together to share a projection.
    pub(crate) const LARGE: f64 = 500.0;
    /// Projections of one literal that are tried.
    pub(crate) const MOST_PROJECTIONS: usize = 16;
}

/// Of `compact/complete_tables/decomposition/wide`.
pub(crate) mod wide {
    /// Literals to be projected from which on all are; with fewer the best splits are looked for.
    pub(crate) const LEAST_PROJECTED: usize = 12;
}

/// Of `compact/complete_tables/decomposition/counters/exchange`.
pub(crate) mod exchange {
    /// Pairs of literals that are compared at most.
    pub(crate) const MOST_COMPARED: usize = 20_000;
}

/// Of `ground/account`.
pub(crate) mod account {
    /// How many times the expected instances an auxiliary predicate may have.
    pub(crate) const TOLERANCE: f64 = 10.0;
    /// Instances that an auxiliary predicate may have in any case: they do no harm.
    pub(crate) const HARMLESS: f64 = 10_000.0;
}

/// Of `ground/choose`.
pub(crate) mod choose {
    /// Rows of a join after which the rest of a rule's instances is estimated.
    pub(crate) const ENOUGH: u64 = 1 << 16;
    /// Rows of a join after which they are estimated where only a rule's being large matters.
    pub(crate) const ENOUGH_FOR_A_GUESS: u64 = 1 << 10;
    /// Checks of the budget that the tables of another candidate may take in any case.
    pub(crate) const LEAST_CHECKS: u64 = 8;
    /// Size that another candidate may save for each further check of the budget.
    pub(crate) const SIZE_A_CHECK: u64 = 1024;
}
