//! Whether factoring pays, from a look at some of the rules.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::RuleStore;

use super::groups::{Kind, wanted};
use super::shared::{Entry, Shared, mixed, set_hash};
use crate::pulse::Pulse;

/// So few rules are grouped without a look.
const FEW: usize = 200;
/// Of so many there are two looks.
const MANY: usize = 1 << 16;
/// First at the rules with one head of so many, or one literal,
const FIRST_SAMPLE: u64 = 64;
/// then at those with one of so many.
const SAMPLE: u64 = 4;
/// One rule of so many should be in a group, and in one that shares its set.
const PROMISING: usize = 20;

/// The kinds of groups that are promising, of heads of the predicates that are wanted.
///
/// # Errors
/// A limit that was exceeded.
pub(crate) fn promising(
    rules: &RuleStore,
    (predicate, is_wanted): (impl Fn(u32) -> u32, impl Fn(u32) -> bool),
    pulse: &mut Pulse<'_>,
) -> Result<Vec<Kind>, Exceeded> {
    let wanted = wanted(rules, |head| is_wanted(predicate(head)));
    let mut promising = Vec::new();
    for kind in [Kind::Alternatives, Kind::Heads] {
        let mut look = |of: u64, should_share: bool| {
            let sample = sample(rules, kind, &wanted, of);
            let shared = Shared::new(rules, kind, &sample, &predicate, pulse)?;
            let sets = shared.sets(rules, &predicate);
            let shares = |group: &[Entry]| sets.contains_key(&set_hash(group, rules, &predicate));
            let groups = shared.groups().filter(|group| !should_share || shares(group));
            let members: usize = groups.map(<[Entry]>::len).sum();
            Ok(members > 0 && members * PROMISING >= sample.len())
        };
        if wanted.len() <= FEW
            || (wanted.len() <= MANY || look(FIRST_SAMPLE, false)?) && look(SAMPLE, true)?
        {
            promising.push(kind);
        }
    }
    Ok(promising)
}

/// Rules with one head, or one first literal, of so many.
fn sample(rules: &RuleStore, kind: Kind, wanted: &[u32], of: u64) -> Vec<u32> {
    // Not every one of so many: their arguments may repeat.
    let is_sampled = |number: &&u32| {
        let rule = rules.rule(**number as usize);
        let code = match kind {
            Kind::Alternatives => rule.head,
            Kind::Heads => rule.body.first().map_or(0, |it| it.code()),
        };
        mixed(code).is_multiple_of(of)
    };
    wanted.iter().filter(is_sampled).copied().collect()
}
