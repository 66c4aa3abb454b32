//! How much can be numbered: with more memory than usual, and no limit on it, numbers are used up first.
//!
//! The textbook evaluator ([`crate::naive`]) does not check it: its trees would have hundreds of gigabytes by then.

use crate::error::{Exceeded, Limit};
use crate::rule_store::GroundLiteral;

/// Atoms have numbers of 31 bits, for a literal is an atom and a sign; so have the rows of a table, which may be atoms.
const MOST_ATOMS: u64 = GroundLiteral::MAX_ATOM as u64;
/// Rules and their literals have numbers of 32 bits. Some are added before limits are looked at again: a body has few
/// thousand literals, and limits are looked at after some thousand bodies.
const MOST_LITERALS: u64 = (1 << 32) - (1 << 28);

/// Whether so many atoms, or rows of one table, can be numbered.
///
/// # Errors
/// [`Limit::Numbers`].
pub fn check_atoms(count: u64) -> Result<(), Exceeded> {
    check(count, MOST_ATOMS)
}

/// Whether so many ground rules and literals of their bodies, together, can be numbered.
pub(crate) fn check_literals(count: u64) -> Result<(), Exceeded> {
    check(count, MOST_LITERALS)
}

fn check(count: u64, most: u64) -> Result<(), Exceeded> {
    if count <= most { Ok(()) } else { Err(Exceeded::new(Limit::Numbers, most, count)) }
}
