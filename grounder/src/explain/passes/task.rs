//! What is told of, and what is told of any pass.

use groundfrog_engine::Budget;

use crate::description::Description;
use crate::explain::listing::Listing;
use crate::ground::Flattened;
use crate::options::GroundOptions;
use crate::rewrite::sentence_forms::{FlatRule, FormId, form_name};

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

/// The name of a predicate.
pub(super) fn name(flattened: &Flattened, form: FormId) -> String {
    form_name(form, &flattened.forms, &flattened.prepared.rules.symbols)
}

/// The names of predicates, a line each.
pub(super) fn names(flattened: &Flattened, forms: &[FormId], listing: &mut Listing) {
    for &form in forms {
        listing.comment(format!("  {}", name(flattened, form)));
    }
}
