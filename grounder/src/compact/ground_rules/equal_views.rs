//! Views that have the same rules are one: the others are replaced by it wherever they stand, which may make the rules of
//! further views the same.
//!
//! Structural hashing, as for circuits; for answer set programs Gebser, Kaufmann, Neumann and Schaub, "Advanced
//! Preprocessing for Answer Set Solving" (ECAI 2008), who look for equal bodies and atoms.
//!
//! Views are looked at after those that they depend on, so once is enough but for cycles. It is sound on these, too: if all
//! views that take the place of each other have the same rules once they have done so, each round of derivation
//! gives all of them or none.

mod bodies;
mod classes;
mod search;
mod twins;

use std::ops::Range;

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::RuleStore;

use crate::ticker::Ticker;
use twins::Hashes;

/// Lets one view take the place of all that have the same rules: the one that `comes_before` the others. Returns whether it
/// did; the heads of rules that changed are raised in `changed_heads`, which has an entry for each atom.
///
/// No rule occurs twice afterwards if none did before. A body that becomes contradictory is left: its rule never
/// applies.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn merge_equal(
    rules: &mut RuleStore,
    changed_heads: &mut [bool],
    views: Range<u32>,
    comes_before: impl Fn(u32, u32) -> bool,
    ticker: &mut Ticker<'_>,
) -> Result<bool, Exceeded> {
    let hashes = Hashes::new(rules, views.clone(), ticker)?;
    let mut classes = search::classes(rules, hashes, changed_heads.len(), views, ticker)?;
    let is_any = classes.is_any_merged();
    if is_any {
        classes.choose(comes_before, ticker)?;
        classes.apply(rules, changed_heads, ticker)?;
    }
    Ok(is_any)
}
