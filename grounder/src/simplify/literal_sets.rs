//! Bodies of ground rules as sets of literals.

use groundfrog_engine::instantiate::GroundLiteral;

/// A hash that does not depend on the order: a sum. What is summed must be far from linear, as bodies in which
/// two literals trade a part of their numbers are common.
#[inline]
pub(crate) fn hash(body: &[GroundLiteral]) -> u64 {
    body.iter().fold(0, |sum: u64, it| sum.wrapping_add(mix(u64::from(it.code()))))
}

/// What such sums are made of.
#[inline]
pub(crate) fn mix(number: u64) -> u64 {
    const SPREADS: u64 = 0xf135_7aea_2e62_a9c5;
    const FOLDS: u64 = 0x9e37_79b9_7f4a_7c15;
    let spread = number.wrapping_add(1).wrapping_mul(SPREADS);
    let product = u128::from(spread) * u128::from(FOLDS);
    product as u64 ^ (product >> 64) as u64
}

/// Whether two bodies, sets both, are the same set.
pub(crate) fn same_set(left: &[GroundLiteral], right: &[GroundLiteral]) -> bool {
    left.len() == right.len() && left.iter().all(|it| right.contains(it))
}
