//! When what takes the place of rules is accepted.

use super::Splitter;
use crate::rewrite::sentence_forms::FlatRule;

/// What takes the place of rules has to be smaller than this part of their size, when all is split: it takes more steps
/// to derive, and sizes are estimates.
pub(super) const GAIN: f64 = 0.8;

impl Splitter<'_> {
    /// The expected size of a rule with all that is split off when it is split in some way, which is not done.
    pub(super) fn size_on_trial(
        &mut self,
        rule: &FlatRule,
        split: impl FnOnce(&mut Self, FlatRule) -> FlatRule,
    ) -> f64 {
        self.on_trial(|trial| trial.size_when_all_split(rule.clone(), split))
    }

    /// The expected size of rules with what is split off each, but for what is split off that, which is not done.
    pub(super) fn size_of_each_on_trial<'a>(
        &mut self,
        rules: impl Iterator<Item = &'a FlatRule>,
    ) -> f64 {
        self.on_trial(|trial| rules.map(|it| trial.size_when_split(it.clone())).sum())
    }
}
