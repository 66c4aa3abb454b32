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

use super::occurrences::Occurrences;
use crate::ticker::Ticker;
use crate::tuning::PROMISING;
use twins::Hashes;

/// Whether enough of so many rules are for views that `may_have` become equal to others, or use them.
pub fn are_promising(
    rules: usize,
    occurrences: &Occurrences,
    may_have: impl Fn(u32) -> bool,
) -> bool {
    let (mut own, mut uses) = (0, 0);
    for view in occurrences.views().filter(|&view| may_have(view)) {
        own += occurrences.rules(view) as usize;
        uses += occurrences.uses(view) as usize;
    }
    // Two views with a rule each are used by as many rules as there may be.
    own > 0 && is_enough(own, uses, rules)
}

/// Whether so many rules and uses of views are enough. A use counts less: the rule of a view goes with it, one that uses
/// the view goes only if it becomes the same as another.
fn is_enough(own: usize, uses: usize, rules: usize) -> bool {
    (own + uses - uses / 4) * PROMISING > rules
}

/// Lets one view take the place of all that have the same rules: the one that `comes_before` the others. It does so only if
/// enough rules are for views that are the same as they are, or use them; where they are few, few more become the same. Returns whether it
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
    if !are_enough_of_twins(&hashes, rules, ticker)? {
        return Ok(false);
    }
    let mut classes = search::classes(rules, hashes, changed_heads.len(), views, ticker)?;
    let is_any = classes.is_any_merged();
    if is_any {
        classes.choose(comes_before, ticker)?;
        classes.apply(rules, changed_heads, ticker)?;
    }
    Ok(is_any)
}

/// Whether enough rules are for views that have the same rules as one before them, by their hashes, or use them. If
/// there are none, no views become the same, but on cycles.
fn are_enough_of_twins(
    hashes: &Hashes,
    rules: &RuleStore,
    ticker: &mut Ticker<'_>,
) -> Result<bool, Exceeded> {
    let twins = hashes.twins(ticker)?;
    Ok(twins.rules > 0
        && (is_enough(twins.rules, 0, rules.len())
            || is_enough(twins.rules, twins.uses(rules, ticker)?, rules.len())))
}
