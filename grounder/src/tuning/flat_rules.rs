//! Flat rules, before anything is evaluated.

/// Of `compact/flat_rules/condensation`.
pub(crate) mod condensation {
    /// Literals that a rule may have that is condensed.
    pub(crate) const MOST_LITERALS: usize = 256;
}

/// Of `compact/flat_rules/existential_arguments/queries`.
pub(crate) mod queries {
    /// Queries of a view that differ in what they need.
    pub(crate) const MOST_QUERIES: usize = 8;
    /// Queries of a view that may have answers in common with one of them.
    pub(crate) const MOST_ALIKE: usize = 2;
}
