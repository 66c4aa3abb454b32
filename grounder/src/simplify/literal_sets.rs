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
    const MULTIPLIER: u64 = 0xf135_7aea_2e62_a9c5;
    let once = number.wrapping_add(1).wrapping_mul(MULTIPLIER);
    let twice = (once ^ (once >> 32)).wrapping_mul(MULTIPLIER);
    twice ^ (twice >> 29)
}

/// Whether two bodies, sets both, are the same set.
pub(crate) fn same_set(left: &[GroundLiteral], right: &[GroundLiteral]) -> bool {
    left.len() == right.len() && left.iter().all(|it| right.contains(it))
}
