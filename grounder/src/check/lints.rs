//! What is allowed and hardly meant.
//!
//! The order of literals and predicates that are not used need the text alone; the others look at what can
//! hold.

mod constant_arguments;
mod extent;
mod firing;
mod given_domains;
pub(super) mod order;
mod players;
pub(super) mod usage;

use crate::ground::Extents;
use crate::kif::Diagnostic;

/// The lints that look at what can hold.
pub(super) fn check(extents: &Extents, found: &mut Vec<Diagnostic>) {
    players::check(extents, found);
    given_domains::check(extents, found);
    constant_arguments::check(extents, found);
    firing::check(extents, found);
}
