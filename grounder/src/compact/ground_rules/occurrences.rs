//! How many rules views have, and how often rules use them, kept up to date while rules change.

use std::ops::Range;

use groundfrog_engine::instantiate::{Edits, GroundLiteral, RuleStore};

/// The counts of views; what is about other atoms is counted in one place behind them, which nothing reads.
#[derive(Debug)]
pub(crate) struct Occurrences {
    views: Range<u32>,
    /// By view.
    rules: Vec<u32>,
    /// By code of a literal about a view.
    uses: Vec<u32>,
}

impl Occurrences {
    /// Counts those of these views.
    pub(crate) fn new(rules: &RuleStore, views: Range<u32>) -> Self {
        let (own, uses) = (vec![0; views.len() + 1], vec![0; 2 * views.len() + 1]);
        let mut counts = Occurrences { views, rules: own, uses };
        rules.heads().iter().for_each(|&head| *counts.rules_mut(head) += 1);
        rules.literals().iter().for_each(|&literal| *counts.uses_mut(literal) += 1);
        counts
    }

    pub(crate) fn views(&self) -> Range<u32> {
        self.views.clone()
    }

    /// How many rules a view has.
    pub(crate) fn rules(&self, view: u32) -> u32 {
        self.rules[(view - self.views.start) as usize]
    }

    /// How often bodies have a literal about a view.
    pub(crate) fn uses_of(&self, literal: GroundLiteral) -> u32 {
        self.uses[(literal.code() - 2 * self.views.start) as usize]
    }

    /// How often bodies use a view.
    pub(crate) fn uses(&self, view: u32) -> u32 {
        [false, true].iter().map(|&negated| self.uses_of(GroundLiteral::new(view, negated))).sum()
    }

    /// Edits rules, of which these are the counts.
    pub(crate) fn edit(&mut self, rules: &mut RuleStore, edits: &Edits) {
        for (number, body) in edits.iter() {
            let rule = rules.rule(number);
            *self.rules_mut(rule.head) -= u32::from(body.is_none());
            rule.body.iter().for_each(|&it| *self.uses_mut(it) -= 1);
            body.into_iter().flatten().for_each(|&it| *self.uses_mut(it) += 1);
        }
        rules.edit(edits);
    }

    fn rules_mut(&mut self, head: u32) -> &mut u32 {
        count_mut(&mut self.rules, head, self.views.start)
    }

    fn uses_mut(&mut self, literal: GroundLiteral) -> &mut u32 {
        count_mut(&mut self.uses, literal.code(), 2 * self.views.start)
    }
}

/// The count of what has a number, of those from `start` on, or the last.
#[inline]
fn count_mut(counts: &mut [u32], number: u32, start: u32) -> &mut u32 {
    let last = counts.len() - 1;
    &mut counts[(number.wrapping_sub(start) as usize).min(last)]
}
