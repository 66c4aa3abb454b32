//! Leaves out rules that a task has stored already.

use hashbrown::HashTable;

use crate::rule_store::{GroundLiteral, GroundRule, RuleStore};

/// The rules stored since a task began.
#[derive(Default)]
pub(super) struct Seen {
    /// Numbers of rules, each with the half of its hash that places it.
    rules: HashTable<(u32, u32)>,
}

impl Seen {
    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        self.rules.allocation_size() as u64
    }

    /// Stores a rule unless it is there.
    #[inline]
    pub(super) fn push(&mut self, store: &mut RuleStore, head: u32, body: &[GroundLiteral]) {
        let (rule, hash) = (GroundRule { head, body }, hash(head, body));
        let is_same = |&(other, number): &(u32, u32)| {
            other == hash && are_same(store.rule(number as usize), rule)
        };
        if self.rules.find(spread(hash), is_same).is_none() {
            let entry = (hash, store.len() as u32);
            self.rules.insert_unique(spread(hash), entry, |&(hash, _)| spread(hash));
            store.push(head, body);
        }
    }
}

/// A hash whose low and whose high bits are good.
#[inline]
fn spread(hash: u32) -> u64 {
    u64::from(hash) | u64::from(hash) << 32
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
    fn each_rule_is_stored_once_and_in_order() {
        let (mut seen, mut store) = (Seen::default(), RuleStore::default());
        let body = |rule: u32| [GroundLiteral::from_code(rule % 7), GroundLiteral::from_code(rule)];
        for rule in (0..1000).chain(500..1500).chain(0..10) {
            seen.push(&mut store, rule / 3, &body(rule));
        }
        let stored: Vec<_> = store.iter().map(|rule| (rule.head, rule.body.to_vec())).collect();
        let expected: Vec<_> = (0..1500).map(|rule| (rule / 3, body(rule).to_vec())).collect();
        assert_eq!(stored, expected);
        assert!(seen.bytes() >= 8 * 1500);
    }

    #[test]
    fn the_order_of_literals_makes_no_difference() {
        let (mut seen, mut store) = (Seen::default(), RuleStore::default());
        for codes in [[1, 2, 3], [3, 1, 2], [1, 2, 4], [3, 2, 1]] {
            seen.push(&mut store, 7, &codes.map(GroundLiteral::from_code));
        }
        let stored: Vec<Vec<u32>> =
            store.iter().map(|rule| rule.body.iter().map(|it| it.code()).collect()).collect();
        assert_eq!(stored, [[1, 2, 3], [1, 2, 4]]);
    }

    #[test]
    fn rules_that_differ_in_the_head_alone_are_different() {
        let (mut seen, mut store) = (Seen::default(), RuleStore::default());
        for head in [1, 2, 1] {
            seen.push(&mut store, head, &[]);
        }
        assert_eq!(store.heads(), [1, 2]);
    }
}
