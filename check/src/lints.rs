//! What is allowed and hardly meant.
//!
//! The order of literals and predicates that are not used need the text alone; the others look at what can
//! hold.

mod constant_arguments;
mod firing;
mod given_domains;
pub(super) mod order;
mod players;

use groundfrog_engine::{Budget, Exceeded};

use groundfrog::ground::Extents;
use groundfrog::kif::Diagnostic;
use groundfrog::ticker::Ticker;

/// The lints that look at what can hold.
///
/// # Errors
/// A limit that was exceeded; what was found is right all the same.
pub(super) fn check(
    extents: &Extents,
    budget: &Budget,
    found: &mut Vec<Diagnostic>,
) -> Result<(), Exceeded> {
    let mut ticker = Ticker::new(budget, 0);
    players::check(extents, found);
    given_domains::check(extents, &mut ticker, found)?;
    constant_arguments::check(extents, &mut ticker, found)?;
    firing::check(extents, &mut ticker, found);
    ticker.finish()
}
