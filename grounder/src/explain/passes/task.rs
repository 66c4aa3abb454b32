//! What is told of, and what is told of any pass.

use groundfrog_engine::Budget;

use crate::description::Description;
use crate::explain::listing::Listing;
use crate::options::GroundOptions;
use crate::rewrite::sentence_forms::FlatRule;

/// What is to be told of, and within which limits.
pub(super) struct Task<'run> {
    pub(super) description: &'run Description,
    pub(super) options: &'run GroundOptions,
    pub(super) budget: &'run Budget,
}

/// A line about a pass that is left out.
pub(super) fn left_out(listing: &mut Listing, name: &str) {
    listing.heading(format!("{name}: left out."));
}

/// Rules that are no facts.
pub(super) fn proper(rules: &[FlatRule]) -> usize {
    rules.iter().filter(|rule| !rule.body.is_empty()).count()
}
