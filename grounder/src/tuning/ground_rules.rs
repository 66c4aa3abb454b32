//! Ground rules.

/// Of `compact/invariants/ends`.
pub(crate) mod ends {
    /// Views that may stand between an end and what `terminal` depends on: for each there is a look at all heads.
    pub(crate) const MOST_STEPS: usize = 8;
}

/// Of `compact/ground_rules/equal_views`.
pub(crate) mod equal_views {
    /// One rule of so many must be for the views concerned or use them, or it is not worth the time to find equal ones.
    pub(crate) const PROMISING: usize = 40;
    /// Passes over views on cycles, each of which may need one for each step from one to the other.
    pub(crate) const MOST_PASSES: usize = 4;
}

/// Of `compact/ground_rules/factoring/sample`.
pub(crate) mod sample {
    /// Rules up to which all are grouped without a sample.
    pub(crate) const FEW: usize = 200;
    /// Rules from which on two samples are taken.
    pub(crate) const MANY: usize = 1 << 16;
    /// The first sample has the rules of one head of so many.
    pub(crate) const FIRST_SAMPLE: u8 = 64;
    /// The second sample has the rules of one head of so many.
    pub(crate) const SAMPLE: u8 = 4;
    /// One rule of so many must be in a group, and in one that shares its set.
    pub(crate) const PROMISING: usize = 20;
}

/// Of `compact/ground_rules/factoring/shared`.
pub(crate) mod shared {
    /// Literals that a body may have that is compared with others, literal by literal.
    pub(crate) const MOST_LITERALS: usize = 32;
}

/// Of `compact/ground_rules/moves`.
pub(crate) mod moves {
    /// Rules from which on a sample is grouped first, to see whether it pays.
    pub(crate) const WORTH_A_SAMPLE: usize = 20_000;
    /// The sample has the rules of one head of so many.
    pub(crate) const SAMPLED: u32 = 13;
    /// One rule of so many must go.
    pub(crate) const PROMISING: f64 = 10.0;
    /// Literals about moves of a body that are tried.
    pub(crate) const TRIED: usize = 4;
}

/// Of `compact/ground_rules/moves/sets`.
pub(crate) mod sets {
    /// Part of the rules of a group that may take their place.
    pub(crate) const WORTH_IT: f64 = 0.85;
}

/// Of `compact/ground_rules/moves/sets/work`.
pub(crate) mod work {
    /// Moves that are looked at for all groups together in any case.
    pub(crate) const MOST_MOVES: usize = 1_000_000;
}

/// Of `ground/passes/ground_rules/factor`.
pub(crate) mod factor {
    /// Turns in which rules are factored, in each of the two ways.
    pub(crate) const MOST_TURNS: usize = 4;
    /// One rule of so many must have gone for another turn.
    pub(crate) const WORTH_A_TURN: usize = 5;
}

/// Of `simplify/model`.
pub(crate) mod model {
    /// Passes over all rules, which are fast and mostly enough, before atoms are followed to the rules that they occur
    /// in.
    pub(crate) const MOST_PASSES: usize = 8;
    /// Turns of what is certain and what is possible, which are mostly enough, before what is known of one atom is followed
    /// to others.
    pub(crate) const MOST_TURNS: usize = 4;
}

/// Of `simplify/subsumption`.
pub(crate) mod subsumption {
    /// Rules that one rule is compared with.
    pub(crate) const MOST_COMPARED: u32 = 128;
}
