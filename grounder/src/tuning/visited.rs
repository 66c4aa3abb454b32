//! Searches with lists of what they have visited.

/// Of `compact/visited`.
pub(crate) mod searches {
    /// Searches that are looked at, and ways to see one.
    pub(crate) const MAX_SEARCHES: usize = 32;
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
    pub(crate) const MOST_STEPS: u32 = 1_000_000;
    /// Questions about ground atoms that may be open at once, one within the other: each is a call of a function.
    pub(crate) const MOST_LEVELS: usize = 256;
    /// Goals that may be open, and ground atoms that are remembered.
    pub(crate) const MOST_OPEN: usize = 1 << 16;
    /// Answers to a question.
    pub(crate) const MOST_ANSWERS: usize = 1 << 16;
}

/// Of `compact/visited/search`.
pub(crate) mod search {
    /// Ways to choose the arguments of one set of predicates.
    pub(crate) const MAX_CHOICES: usize = 64;
}
