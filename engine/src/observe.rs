//! What an evaluation did: counts, and a hook to follow it while it runs.

/// Follows an evaluation. Every method does nothing by default.
pub trait Observer {
    /// A round of a recursive component begins with this many new tuples.
    fn round(&mut self, _new_tuples: usize) {}
    /// The store pass has finished `done` of `total` rules and holds `rules` ground rules.
    fn instantiated(&mut self, _done: usize, _total: usize, _rules: usize) {}
}

/// Counts of an evaluation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EvaluationStatistics {
    /// Tuples derived or given, over all tables.
    pub tuples: u64,
    /// Semi-naive rounds, over all recursive components.
    pub rounds: u64,
    /// Components evaluated.
    pub components: u64,
    /// Rows looked at by the joins.
    pub matches: u64,
    /// Rules that were split on the way, for too many rows were looked at.
    pub splits: u64,
}

impl Observer for EvaluationStatistics {
    fn round(&mut self, _new_tuples: usize) {
        self.rounds += 1;
    }
}

/// Observes nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}
