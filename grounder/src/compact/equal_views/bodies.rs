//! What the rules of a view say, in whatever order, once some literals have become others.

use std::ops::Range;

use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};
use smallvec::SmallVec;

/// Of so many bodies each is compared with each.
const FEW: usize = 12;

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
        mut becomes: impl FnMut(GroundLiteral) -> GroundLiteral,
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
        let count = self.bodies.len();
        let is_one_of = |others: &[(u64, Range<u32>)], hash| others.iter().any(|it| it.0 == hash);
        let mut earlier = (0..count).map(|it| (&self.bodies[..it], self.bodies[it].0));
        if count <= FEW && !earlier.any(|(others, hash)| is_one_of(others, hash)) {
            return;
        }
        self.sort();
        let literals = &mut self.literals;
        self.bodies.dedup_by(|(hash, own), (other_hash, other)| {
            hash == other_hash && sorted(literals, own) == sorted(literals, other)
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
        let (literals, its_literals) = (&mut self.literals, &mut other.literals);
        let mut pairs = self.bodies.iter().zip(&other.bodies);
        pairs.all(|((hash, own), (its_hash, its))| {
            hash == its_hash && sorted(literals, own) == sorted(its_literals, its)
        })
    }
}

fn range(of: &Range<u32>) -> Range<usize> {
    of.start as usize..of.end as usize
}

/// A body whose literals are put in order.
fn sorted(literals: &mut [GroundLiteral], body: &Range<u32>) -> SmallVec<[GroundLiteral; 8]> {
    let body = &mut literals[range(body)];
    body.sort_unstable();
    SmallVec::from_slice(body)
}

/// The hash of a body; the sum of these is that of a view. Sums, as the order of literals and of rules does not matter.
#[inline]
pub(super) fn hash_of_body(body: &[GroundLiteral]) -> u64 {
    let hash = |literal: &GroundLiteral| {
        let product = u128::from(u64::from(literal.code()) ^ 0x9e37_79b9_7f4a_7c15)
            * u128::from(0xbf58_476d_1ce4_e5b9u64);
        (product >> 64) as u64 ^ product as u64
    };
    scatter(body.iter().fold(0, |sum, literal| sum.wrapping_add(hash(literal))))
}

/// A number whose bits each depend on all of another one's: the finaliser of Steele, Lea and Flood, "Fast Splittable
/// Pseudorandom Number Generators" (2014).
#[inline]
fn scatter(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
