//! Leaves out rules that a task has stored already.
//!
//! With millions of rules each look into the hash table is a cache miss. New rules therefore wait at the end
//! of the store until there is a batch of them: their places in the hash table are then fetched together,
//! which lets the processor overlap the misses, and after that each is decided in order.

use crate::rule_store::{GroundLiteral, GroundRule, RuleStore};

/// How many rules wait for a decision.
const BATCH: usize = 32;
/// No hash table is smaller.
const LEAST: usize = 16;

/// The rules stored since a task began.
#[derive(Default)]
pub(super) struct Seen {
    /// Hash in the high half, rule + 1 in the low half; 0 where free. A power of two, at most half full.
    slots: Vec<u64>,
    /// Rules in `slots`.
    len: usize,
    /// Rules that are not decided, and their hashes.
    waiting: RuleStore,
    hashes: Vec<u32>,
}

impl Seen {
    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        (self.slots.len() * 8) as u64
    }

    /// Takes a rule, to be stored unless it is there.
    #[inline]
    pub(super) fn push(&mut self, store: &mut RuleStore, head: u32, body: &[GroundLiteral]) {
        self.waiting.push(head, body);
        self.hashes.push(hash(head, body));
        if self.hashes.len() == BATCH {
            self.store_new(store);
        }
    }

    /// Stores those of the waiting rules that are new.
    pub(super) fn store_new(&mut self, store: &mut RuleStore) {
        while (self.len + self.hashes.len()) * 2 > self.slots.len() {
            self.grow();
        }
        let mut fetched = [0u64; BATCH];
        for (slot, &hash) in fetched.iter_mut().zip(&self.hashes) {
            *slot = self.slots[place(hash, self.slots.len())];
        }
        // The values are not used: what counts is that they are in the cache from here on.
        std::hint::black_box(&fetched);
        for index in 0..self.hashes.len() {
            let rule = self.waiting.rule(index);
            if let Some(free) = free_slot(&self.slots, self.hashes[index], rule, store) {
                store.push(rule.head, rule.body);
                self.slots[free] = u64::from(self.hashes[index]) << 32 | store.len() as u64;
                self.len += 1;
            }
        }
        self.waiting.clear();
        self.hashes.clear();
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(LEAST);
        let mut slots = vec![0; size];
        for &slot in self.slots.iter().filter(|&&slot| slot != 0) {
            let mut position = place((slot >> 32) as u32, size);
            while slots[position] != 0 {
                position = (position + 1) & (size - 1);
            }
            slots[position] = slot;
        }
        self.slots = slots;
    }
}

/// Where a hash belongs in a table of this size. The high bits decide, so that a larger table is filled from
/// the smaller one in ascending order.
#[inline]
fn place(hash: u32, size: usize) -> usize {
    ((u64::from(hash) * size as u64) >> 32) as usize
}

/// The slot for a rule; `None` if the rule is there.
#[inline]
fn free_slot(slots: &[u64], hash: u32, rule: GroundRule<'_>, store: &RuleStore) -> Option<usize> {
    let mut position = place(hash, slots.len());
    loop {
        let slot = slots[position];
        if slot == 0 {
            return Some(position);
        }
        if (slot >> 32) as u32 == hash && are_same(store.rule(slot as u32 as usize - 1), rule) {
            return None;
        }
        position = (position + 1) & (slots.len() - 1);
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
    fn each_rule_is_stored_once_and_in_order() {
        let (mut seen, mut store) = (Seen::default(), RuleStore::default());
        let body = |rule: u32| [GroundLiteral::from_code(rule % 7), GroundLiteral::from_code(rule)];
        for rule in (0..1000).chain(500..1500).chain(0..10) {
            seen.push(&mut store, rule / 3, &body(rule));
        }
        seen.store_new(&mut store);
        let stored: Vec<_> = store.iter().map(|rule| (rule.head, rule.body.to_vec())).collect();
        let expected: Vec<_> = (0..1500).map(|rule| (rule / 3, body(rule).to_vec())).collect();
        assert_eq!(stored, expected);
        assert!(seen.bytes() >= 2 * 8 * 1500);
    }

    #[test]
    fn the_order_of_literals_makes_no_difference() {
        let (mut seen, mut store) = (Seen::default(), RuleStore::default());
        for codes in [[1, 2, 3], [3, 1, 2], [1, 2, 4], [3, 2, 1]] {
            seen.push(&mut store, 7, &codes.map(GroundLiteral::from_code));
        }
        seen.store_new(&mut store);
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
        seen.store_new(&mut store);
        assert_eq!(store.heads(), [1, 2]);
    }
}
