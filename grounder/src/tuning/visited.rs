//! Searches with lists of what they have visited.

/// Of `compact/visited`.
pub(crate) mod searches {
    /// Searches that are looked at, and ways to see one.
    pub(crate) const MAX_SEARCHES: usize = 32;
}

/// Of `compact/visited/clauses`.
pub(crate) mod clauses {
    /// Literals of a body: what is left of it is kept as a set of bits.
    pub(crate) const MAX_BODY: usize = 128;
}

/// Of `compact/visited/proof`.
pub(crate) mod proof {
    /// Elements that can be visited.
    pub(crate) const MAX_ELEMENTS: usize = 4096;
}

/// Of `compact/visited/proof/guards`.
pub(crate) mod guards {
    /// Lists of one length that are looked at.
    pub(crate) const MAX_LISTS: usize = 64;
}

/// Of `compact/visited/resolution`.
pub(crate) mod resolution {
    /// Steps for all questions together.
    pub(crate) const MAX_STEPS: u64 = 10_000_000;
    /// Cells, groups, choices, levels and terms, each.
    pub(crate) const MAX_SIZE: usize = 1 << 20;
    /// Answers to a question.
    pub(crate) const MAX_ANSWERS: usize = 1 << 16;
}

/// Of `compact/visited/search`.
pub(crate) mod search {
    /// Ways to choose the arguments of one set of predicates.
    pub(crate) const MAX_CHOICES: usize = 64;
}
