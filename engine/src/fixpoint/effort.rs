//! How many rows each rule looks at: too many for what it derives are a sign that its body should be split.

use crate::budget::CHECK_INTERVAL;

/// A rule may look at so many rows,
const MATCHES: u64 = 2 * CHECK_INTERVAL as u64;
/// at so many for each row of the table that it adds to,
const MATCHES_PER_ROW: u64 = 6;
/// and at this part of the rows that all rules look at.
const SHARE: u64 = 8;
/// Once accepted, a rule may look at so many times the rows before it is too much again.
const PATIENCE: u64 = 8;

/// The rows that the rules have looked at, counted at the checks of the budget: a sample that costs nothing.
pub(super) struct Effort {
    pub(super) by_rule: Vec<u64>,
    accepted: Vec<u64>,
    all: u64,
}

impl Effort {
    pub(super) fn new(rules: usize) -> Self {
        Effort { by_rule: vec![0; rules], accepted: vec![0; rules], all: 0 }
    }

    /// Counts one interval for a rule. Returns whether the rule has looked at too many rows for a table
    /// of this many.
    pub(super) fn is_too_much(&mut self, rule: usize, rows: u64) -> bool {
        let matches = &mut self.by_rule[rule];
        *matches += u64::from(CHECK_INTERVAL);
        self.all += u64::from(CHECK_INTERVAL);
        let allowed = MATCHES.max(rows * MATCHES_PER_ROW).max(self.all / SHARE);
        *matches > allowed.max(self.accepted[rule])
    }

    /// Lets a rule go on for a while.
    pub(super) fn accept(&mut self, rule: usize) {
        self.accepted[rule] = self.by_rule[rule] * PATIENCE;
    }
}
