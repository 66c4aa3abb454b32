//! What the rules of a view say, in whatever order, once some literals have become others.

use std::ops::Range;

use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};

use crate::simplify::literal_sets::{hash, mix, same_set};

/// The rules of one view: a set of sets of literals.
#[derive(Default)]
pub(super) struct Bodies {
    literals: Vec<GroundLiteral>,
    /// Each body with its hash, where that is needed, and where its literals are.
    bodies: Vec<(u64, Range<u32>)>,
}

impl Bodies {
    /// Reads the rules of a view. Returns the hash of what they become, if that is anything else.
    pub(super) fn read(
        &mut self,
        rules: &RuleStore,
        numbers: &[u32],
        becomes: impl Fn(GroundLiteral) -> GroundLiteral,
    ) -> Option<u64> {
        self.literals.clear();
        self.bodies.clear();
        let mut is_any_other = false;
        for &number in numbers {
            let start = self.literals.len();
            let mut is_other = false;
            for &literal in rules.rule(number as usize).body {
                let new = becomes(literal);
                is_other |= new != literal;
                // What was different may have become the same.
                if !is_other || !self.literals[start..].contains(&new) {
                    self.literals.push(new);
                }
            }
            is_any_other |= is_other;
            self.bodies.push((0, start as u32..self.literals.len() as u32));
        }
        if !is_any_other {
            return None;
        }
        self.hash();
        self.drop_repeated();
        Some(self.bodies.iter().fold(0, |sum, it| sum.wrapping_add(it.0)))
    }

    fn hash(&mut self) {
        for (hash, body) in &mut self.bodies {
            *hash = hash_of_body(&self.literals[range(body)]);
        }
    }

    /// Keeps one of the bodies that are the same.
    fn drop_repeated(&mut self) {
        self.sort();
        let literals = &self.literals;
        self.bodies.dedup_by(|(hash, own), (other_hash, other)| {
            hash == other_hash && same_set(&literals[range(own)], &literals[range(other)])
        });
    }

    fn sort(&mut self) {
        self.bodies.sort_unstable_by_key(|(hash, body)| (*hash, body.start));
    }

    /// Whether the rules of two views are the same.
    pub(super) fn is_the_same_as(&mut self, other: &mut Bodies) -> bool {
        if self.bodies.len() != other.bodies.len() {
            return false;
        }
        // Mostly they are in the same order.
        let mut pairs = self.bodies.iter().zip(&other.bodies);
        if pairs.all(|(own, its)| self.literals[range(&own.1)] == other.literals[range(&its.1)]) {
            return true;
        }
        for it in [&mut *self, &mut *other] {
            it.hash();
            it.sort();
        }
        let mut pairs = self.bodies.iter().zip(&other.bodies);
        pairs.all(|((hash, own), (its_hash, its))| {
            hash == its_hash && same_set(&self.literals[range(own)], &other.literals[range(its)])
        })
    }
}

fn range(of: &Range<u32>) -> Range<usize> {
    of.start as usize..of.end as usize
}

/// The hash of a body; the sum of these is that of a view.
#[inline]
pub(super) fn hash_of_body(body: &[GroundLiteral]) -> u64 {
    mix(hash(body))
}
