//! The inference of sentence forms.

/// Of `ground/bounded`.
pub(crate) mod bounded {
    /// Terms with more forms than this branch while they grow.
    pub(crate) const MOST_FORMS: usize = 1 << 12;
    /// Terms whose rules are specialised to more than this branch in rules with several of them.
    pub(crate) const MOST_RULES: usize = 1 << 16;
    /// Terms of which a table has more rows than this multiply with each step.
    pub(crate) const MOST_ROWS: u64 = 1 << 17;
    /// Checks of the budget after which evaluation has looked at too many rows to go on.
    pub(crate) const MOST_CHECKS: u64 = 1 << 15;
    /// Depth that is tried first: with each level more, shapes multiply in rules that have several such terms.
    pub(crate) const FIRST_DEPTH: usize = 4;
}
