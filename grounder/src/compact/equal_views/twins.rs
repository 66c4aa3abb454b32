//! Views that have the same rules before any view takes the place of another, found in one pass over all rules. Where there
//! are none no views become the same, but on cycles.

use std::ops::Range;

use groundfrog_engine::instantiate::RuleStore;

use super::bodies::hash_of_body;
use crate::pulse::Pulse;

/// By view: the hash of its rules and their number, if they were looked at.
pub(super) struct Hashes {
    views: Range<u32>,
    by_view: Vec<(u64, u32)>,
}

impl Hashes {
    /// Those of all views.
    pub(super) fn new(rules: &RuleStore, views: &Range<u32>, pulse: &mut Pulse<'_>) -> Self {
        let mut hashes = Hashes::none(views);
        for rule in rules.iter().take_while(|_| pulse.beat()) {
            let view = rule.head.wrapping_sub(views.start) as usize;
            if let Some((hash, count)) = hashes.by_view.get_mut(view) {
                *hash = hash.wrapping_add(hash_of_body(rule.body));
                *count += 1;
            }
        }
        hashes
    }

    fn none(views: &Range<u32>) -> Self {
        Hashes { views: views.clone(), by_view: vec![(0, 0); views.len()] }
    }

    pub(super) fn of(&self, view: u32) -> u64 {
        self.by_view[(view - self.views.start) as usize].0
    }

    /// How many rules there are for views that have the same rules as one before them, by their hashes.
    pub(super) fn rules_of_twins(&self, pulse: &mut Pulse<'_>) -> usize {
        let views = self.by_view.iter().filter(|it| it.1 > 0).count();
        let slots = (2 * views).next_power_of_two();
        // By hash: one more than the number of the view, 0 where free.
        let mut by_hash = vec![0u32; slots];
        let mut rules = 0;
        let with_rules = (1..).zip(&self.by_view).filter(|(_, it)| it.1 > 0);
        for (number, &(hash, count)) in with_rules.take_while(|_| pulse.beat()) {
            let mut slot = hash as usize & (slots - 1);
            loop {
                match by_hash[slot] {
                    0 => break by_hash[slot] = number,
                    other if self.by_view[other as usize - 1].0 == hash => {
                        break rules += count as usize;
                    }
                    _ => slot = (slot + 1) & (slots - 1),
                }
            }
        }
        rules
    }
}
