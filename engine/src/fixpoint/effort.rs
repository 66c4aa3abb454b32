//! How many rows each rule looks at: too many for what it derives are a sign that its body should be split.

use super::split::Split;
use crate::budget::CHECK_INTERVAL;
use crate::tuning::{MOST_ROWS, ROWS_PER_ROW};

/// The rows that the rules have looked at, counted at the checks of the budget: a sample that costs nothing.
pub(super) struct Effort {
    by_rule: Vec<u64>,
    /// By rule: whether it was found that no split pays.
    is_accepted: Vec<bool>,
    split: Option<(usize, Split)>,
    /// Whether a split was found whose auxiliary predicates have no tables yet.
    is_pending: bool,
}

impl Effort {
    pub(super) fn new(rules: usize) -> Self {
        let (by_rule, is_accepted) = (vec![0; rules], vec![false; rules]);
        Effort { by_rule, is_accepted, split: None, is_pending: false }
    }

    /// Counts one interval for a rule. Returns whether the rule has looked at too many rows for a table
    /// of this many.
    pub(super) fn is_too_much(&mut self, rule: usize, rows: u64) -> bool {
        let matches = &mut self.by_rule[rule];
        *matches += u64::from(CHECK_INTERVAL);
        !self.is_pending && !self.is_accepted[rule] && *matches > MOST_ROWS.max(rows * ROWS_PER_ROW)
    }

    /// The rule that has looked at the most rows: the running one unless another has looked at more.
    pub(super) fn costliest(&self, running: usize) -> usize {
        let rows = |it: usize| self.by_rule[it];
        (0..self.by_rule.len())
            .fold(running, |most, it| if rows(it) > rows(most) { it } else { most })
    }

    /// Lets a rule look at as many rows as it does.
    pub(super) fn accept(&mut self, rule: usize) {
        self.is_accepted[rule] = true;
    }

    /// Notes that a rule's run ends for it to be split.
    pub(super) fn split(&mut self, rule: usize, split: Split) {
        self.split = Some((rule, split));
        self.is_pending = true;
    }

    /// Whether a run was ended and nobody has taken the split.
    pub(super) fn has_split(&self) -> bool {
        self.split.is_some()
    }

    /// The rule whose run was ended, and what takes its place.
    pub(super) fn take_split(&mut self) -> Option<(usize, Split)> {
        self.split.take()
    }

    /// Makes room for the rules of a split.
    pub(super) fn begin(&mut self, rule: usize, rules: usize) {
        self.is_pending = false;
        self.by_rule.resize(rules, 0);
        self.is_accepted.resize(rules, false);
        self.by_rule[rule] = 0;
        self.is_accepted[rule] = false;
    }
}
