//! When what takes the place of rules is accepted.

use super::Splitter;
use crate::compact::complete_tables::auxiliaries::{Change, Split};
use crate::flat::FlatRule;
use crate::tuning::complete_tables::acceptance::GAIN;

/// Whether something of one size may take the place of something of another.
pub(super) fn is_gain(before: f64, after: f64) -> bool {
    after < before * GAIN
}

impl Splitter<'_> {
    /// Whether something of a size that takes the place of rules of another size is accepted. Then the step is noted.
    pub(super) fn accepts(
        &mut self,
        change: Change,
        origins: impl IntoIterator<Item = u32>,
        (before, after): (f64, f64),
    ) -> bool {
        let is_accepted = is_gain(before, after);
        if is_accepted {
            self.note(change, origins, (before, after));
        }
        is_accepted
    }

    /// The smallest of some candidates, which come with their sizes, if it is accepted in the place of a rule of another
    /// size. Then the step is noted.
    pub(super) fn accept_smallest<T>(
        &mut self,
        change: Change,
        origin: u32,
        before: f64,
        candidates: impl IntoIterator<Item = (f64, T)>,
    ) -> Option<T> {
        let (after, smallest) =
            candidates.into_iter().min_by(|one, other| one.0.total_cmp(&other.0))?;
        self.accepts(change, [origin], (before, after)).then_some(smallest)
    }

    /// Notes a step that is taken, with the sizes before and after it.
    pub(super) fn note(
        &mut self,
        change: Change,
        origins: impl IntoIterator<Item = u32>,
        sizes: (f64, f64),
    ) {
        self.made.auxiliaries.splits.push(Split::new(change, origins, sizes));
    }

    /// The size of something that is made on trial, when all is split in some way; nothing if it cannot be made.
    pub(super) fn size_made_on_trial(
        &mut self,
        make: impl FnOnce(&mut Self) -> Option<FlatRule>,
        split: impl FnOnce(&mut Self, FlatRule) -> FlatRule,
    ) -> Option<f64> {
        self.on_trial(|trial| {
            let made = make(trial)?;
            Some(trial.size_when_all_split(made, split))
        })
    }

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
