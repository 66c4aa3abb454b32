//! What a recursive view is used with is asked where the recursion begins (pushing selections and projections into
//! linear recursion).
//!
//! ```text
//! (<= (connected ?p ?x ?y) (linked ?p ?x ?y))
//! (<= (connected ?p ?x ?z) (linked ?p ?x ?y) (connected ?p ?y ?z))
//! (<= (wins ?p) (left ?p ?x) (connected ?p ?x ?z) (right ?p ?z))
//! ```
//!
//! Where a chain ends is demanded only to tell whether that is on the right. The last argument is *passed on*: in
//! the recursive rule it is the same in the head and in the literal, and stands nowhere else. So it is as good to ask
//! of the first step, and then nobody uses the argument:
//!
//! ```text
//! (<= (connected_any ?p ?x) (linked ?p ?x ?y) (right ?p ?y))
//! (<= (connected_any ?p ?x) (linked ?p ?x ?y) (connected_any ?p ?y))
//! (<= (wins ?p) (left ?p ?x) (connected_any ?p ?x))
//! ```
//!
//! The condition may be about other arguments that are passed on, as the player here, and may be a constant; it may be
//! several literals with variables of their own. Uses that need something else get a view of their own; if one uses
//! all, the view stays as it is. This is unfolding and folding: `(connected_any ?p ?x)` is defined as what the use says,
//! the rules of the view take the place of its literal, and what they say of the next step is the definition once more.
//! Conditions are static or about the state, so that nothing depends on itself by this that did not before.

use super::Definitions;
use super::passing::{is_step, own_atom};
use super::query::Query;
use crate::flat::{FlatRule, FormId};

/// The rules of a view for one way to use it, where it begins with the conditions.
pub(super) fn begun(
    definitions: &Definitions<'_>,
    own: &[FlatRule],
    query: &Query,
    rest: FormId,
) -> Vec<FlatRule> {
    let kept = query.kept();
    let begun = own.iter().filter_map(|rule| {
        let mut rule = query.answers_from(rule, |_| true, !is_step(rule))?;
        let step = own_atom(&mut rule).map(|(_, step)| step);
        step.into_iter().for_each(|it| definitions.shorten(it, rest, &kept));
        definitions.shorten(&mut rule.head, rest, &kept);
        (!super::derives_itself(&rule)).then_some(rule)
    });
    begun.collect()
}
