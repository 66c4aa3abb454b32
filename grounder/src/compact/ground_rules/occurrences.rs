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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_follow_edits() {
        let literals = |codes: &[u32]| -> Vec<GroundLiteral> {
            codes.iter().map(|&code| GroundLiteral::from_code(code)).collect()
        };
        let mut rules = RuleStore::default();
        // Views are the atoms 2 and 3, the literals about them 4 to 7.
        for (head, body) in [(2, &[0, 5][..]), (2, &[6]), (0, &[4, 7, 9]), (3, &[8]), (9, &[4])] {
            rules.push(head, &literals(body));
        }
        let mut counts = Occurrences::new(&rules, 2..4);
        assert_eq!((counts.rules(2), counts.rules(3)), (2, 1));
        assert_eq!((counts.uses(2), counts.uses(3)), (3, 2));
        let mut edits = Edits::default();
        edits.drop(0);
        edits.replace(2, &literals(&[5, 6, 6]));
        edits.drop(3);
        counts.edit(&mut rules, &edits);
        assert_eq!(rules.len(), 3);
        let again = Occurrences::new(&rules, 2..4);
        for view in 2..4 {
            assert_eq!(counts.rules(view), again.rules(view), "{view}");
            for negated in [false, true] {
                let literal = GroundLiteral::new(view, negated);
                assert_eq!(counts.uses_of(literal), again.uses_of(literal), "{literal:?}");
            }
        }
        assert_eq!((counts.rules(2), counts.uses_of(literals(&[6])[0])), (1, 3));
    }
}
