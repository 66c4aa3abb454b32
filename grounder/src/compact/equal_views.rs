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

use crate::pulse::Pulse;
use twins::Hashes;

/// Fewer rules than one of so many are not worth the time that it takes to find equal views.
const PROMISING: usize = 40;

/// Views on cycles may need a pass for each step from one to the other.
const MOST_PASSES: usize = 4;

/// Whether enough of the rules are for views that `may_have` become equal to others.
pub fn are_promising(rules: &RuleStore, views: Range<u32>, may_have: impl Fn(u32) -> bool) -> bool {
    let concerned = rules.heads().iter().filter(|&&head| views.contains(&head) && may_have(head));
    concerned.count() * PROMISING > rules.len()
}

/// Lets one view take the place of all that have the same rules: the one that `comes_before` the others. It does so only if
/// the rules of enough views are the same as they are; where they are few, few more become the same. Returns whether it
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
    pulse: &mut Pulse<'_>,
) -> Result<bool, Exceeded> {
    let mut is_any = false;
    for _ in 0..MOST_PASSES {
        let hashes = Hashes::new(rules, views.clone(), pulse);
        let twins = hashes.rules_of_twins(pulse);
        pulse.finish()?;
        if twins * PROMISING <= rules.len() {
            break;
        }
        let mut classes = search::classes(rules, hashes, changed_heads.len(), views.clone(), pulse);
        pulse.finish()?;
        if !classes.is_any_merged() {
            break;
        }
        classes.choose(&comes_before, pulse);
        classes.apply(rules, changed_heads, pulse)?;
        is_any = true;
        if !classes.may_be_more() {
            break;
        }
    }
    pulse.finish().map(|()| is_any)
}

#[cfg(test)]
mod tests;
