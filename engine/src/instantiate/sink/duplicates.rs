//! Drops rules that a task has stored already.
//!
//! Looking for each rule in a hash table would be a cache miss for each. Rules are stored as they come; those of the same hash
//! come together when hashes are sorted.

use crate::rule_store::{Edits, GroundLiteral, GroundRule, RuleStore};

/// With fewer rules since the last time it is not worth looking.
const LEAST: usize = 1 << 18;

/// The rules of a task: at first those that are known to differ.
pub(super) struct Duplicates {
    /// The first rule of the task.
    first: usize,
    /// Behind the last rule that is known to differ from those before it.
    end: usize,
}

impl Duplicates {
    /// Of a task that begins with these rules.
    pub(super) fn new(rules: &RuleStore) -> Self {
        Duplicates { first: rules.len(), end: rules.len() }
    }

    /// Whether there are as many new rules as different ones: then all looks together take no longer than about two at the end.
    pub(super) fn is_due(&self, rules: &RuleStore) -> bool {
        rules.len() - self.end >= LEAST.max(self.end - self.first)
    }

    /// Drops all rules of the task but the first of those that are the same. Returns whether there were any.
    pub(super) fn drop_from(&mut self, rules: &mut RuleStore) -> bool {
        let before = rules.len();
        if self.end < before {
            let edits = self.edits(rules);
            if !edits.is_empty() {
                rules.edit(&edits);
            }
            self.end = rules.len();
        }
        rules.len() < before
    }

    fn edits(&self, rules: &RuleStore) -> Edits {
        // The number of the rule in the low half.
        let key = |number: usize| {
            let GroundRule { head, body } = rules.rule(number);
            u64::from(hash(head, body)) << 32 | (number - self.first) as u64
        };
        let mut keys: Vec<u64> = (self.first..rules.len()).map(key).collect();
        keys.sort_unstable();
        let (mut different, mut repeated) = (Vec::new(), Vec::new());
        let all_alike = keys.chunk_by(|one, other| one >> 32 == other >> 32);
        // The others are not looked at again: they are anywhere in memory.
        for alike in all_alike.filter(|it| it.len() > 1) {
            different.clear();
            for key in alike {
                let number = self.first + *key as u32 as usize;
                let rule = rules.rule(number);
                if different.iter().any(|&other| are_same(rules.rule(other), rule)) {
                    repeated.push(number);
                } else {
                    different.push(number);
                }
            }
        }
        repeated.sort_unstable();
        let mut edits = Edits::default();
        repeated.into_iter().for_each(|number| edits.drop(number));
        edits
    }
}

/// Whether the heads and the sets of literals are the same.
#[inline]
fn are_same(one: GroundRule<'_>, other: GroundRule<'_>) -> bool {
    one == other
        || one.head == other.head
            && one.body.len() == other.body.len()
            && one.body.iter().all(|literal| other.body.contains(literal))
}

/// A hash of which the high bits are good. The order of the literals does not matter.
#[inline]
fn hash(head: u32, body: &[GroundLiteral]) -> u32 {
    const MULTIPLIERS: [u64; 2] = [0xf135_7aea_2e62_a9c5, 0x9e6c_63d0_876a_9a47];
    let mut sum = u64::from(head).wrapping_mul(MULTIPLIERS[1]);
    for literal in body {
        let product = (u64::from(literal.code()) + 1).wrapping_mul(MULTIPLIERS[0]);
        sum = sum.wrapping_add((product ^ product >> 32).wrapping_mul(MULTIPLIERS[1]));
    }
    ((sum ^ sum >> 32).wrapping_mul(MULTIPLIERS[0]) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_rules_that_are_the_same_the_first_of_the_task_stays() {
        let body = |rule: u32| [GroundLiteral::from_code(rule % 7), GroundLiteral::from_code(rule)];
        let mut rules = RuleStore::default();
        rules.push(0, &body(0));
        let mut duplicates = Duplicates::new(&rules);
        for part in [0..1000, 500..1500, 0..10] {
            part.for_each(|rule| rules.push(rule / 3, &body(rule)));
            duplicates.drop_from(&mut rules);
        }
        assert!(!duplicates.drop_from(&mut rules));
        let stored: Vec<_> = rules.iter().map(|rule| (rule.head, rule.body.to_vec())).collect();
        let expected: Vec<_> =
            [0].into_iter().chain(0..1500).map(|rule| (rule / 3, body(rule).to_vec())).collect();
        assert_eq!(stored, expected);
    }

    #[test]
    fn the_order_of_literals_makes_no_difference_and_heads_do() {
        let mut rules = RuleStore::default();
        let mut duplicates = Duplicates::new(&rules);
        for (head, codes) in [(7, [1, 2, 3]), (7, [3, 1, 2]), (7, [1, 2, 4]), (8, [3, 2, 1])] {
            rules.push(head, &codes.map(GroundLiteral::from_code));
        }
        assert!(duplicates.drop_from(&mut rules));
        let stored: Vec<_> = rules.iter().map(|rule| (rule.head, rule.body.len())).collect();
        assert_eq!(stored, [(7, 3), (7, 3), (8, 3)]);
        assert_eq!(rules.rule(1).body[2].code(), 4);
    }

    #[test]
    fn a_look_is_due_where_there_are_many_new_rules() {
        let mut rules = RuleStore::default();
        let duplicates = Duplicates::new(&rules);
        (1..LEAST as u32).for_each(|head| rules.push(head, &[]));
        assert!(!duplicates.is_due(&rules));
        rules.push(0, &[]);
        assert!(duplicates.is_due(&rules));
    }
}
