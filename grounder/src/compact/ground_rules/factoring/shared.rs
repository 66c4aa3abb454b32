//! Rules that have in common with others all but one thing, by hashes of what that may be.

use fxhash::FxHashMap;
use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundRule, RuleStore};

use crate::simplify::literal_sets::{hash, mix};
use crate::ticker::Ticker;
use crate::tuning::LONGEST_BODY;

/// In what rules differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One literal: what is the same is the head and the rest of the body.
    Alternatives,
    /// The head: what is the same is the body, and the predicate of the head.
    Heads,
}

/// What a rule has alone, the code of a literal or a head, and the rule.
pub(super) type SharedMember = (u32, u32);

/// A rule, by a hash of what it may have in common with others.
#[derive(Clone, Copy, Default)]
pub(super) struct SharedEntry {
    key: u64,
    pub(super) member: SharedMember,
}

/// The sets of what the rules of groups have alone, by hashes.
pub(super) struct SharedSets {
    /// By group.
    pub(super) of_groups: Vec<u64>,
    /// How many groups have a set, if there are several.
    counts: FxHashMap<u64, u32>,
}

impl SharedSets {
    /// How many groups have this set.
    pub(super) fn count(&self, set: u64) -> usize {
        self.counts.get(&set).map_or(1, |it| *it as usize)
    }
}

/// Rules by hashes of what they may have in common, without most of those that are alone with theirs.
pub(super) struct Shared {
    /// In the order of their keys' last bits, those with the same bits sorted.
    entries: Vec<SharedEntry>,
}

impl Shared {
    /// Looks at the rules with these numbers.
    pub(super) fn new(
        rules: &RuleStore,
        kind: Kind,
        wanted: &[u32],
        predicate: &impl Fn(u32) -> u32,
        ticker: &mut Ticker<'_>,
    ) -> Result<Shared, Exceeded> {
        // About as many as there are literals.
        let places = match kind {
            Kind::Alternatives => wanted.len() * (rules.literal_count() / rules.len().max(1) + 1),
            Kind::Heads => wanted.len(),
        };
        // One bit says that a key with these bits was seen, one that there were two.
        let mask = (4 * places).next_power_of_two() - 1;
        let mut seen = vec![0u8; mask + 1];
        each_rule(rules, wanted, ticker, |_, rule| {
            each_key(rule, kind, predicate, |key, _| {
                let seen = &mut seen[key as usize & mask];
                *seen |= 1 + (*seen & 1);
            });
        })?;
        let mut entries: Vec<SharedEntry> = Vec::new();
        // Keys are made again rather than kept: most would be in vain.
        each_rule(rules, wanted, ticker, |number, rule| {
            each_key(rule, kind, predicate, |key, element| {
                if seen[key as usize & mask] & 2 != 0 {
                    entries.push(SharedEntry { key, member: (element, number) });
                }
            });
        })?;
        Ok(Shared { entries: sorted(entries) })
    }

    /// The sets of all groups.
    pub(super) fn sets(&self, rules: &RuleStore, predicate: &impl Fn(u32) -> u32) -> SharedSets {
        let set_of = |group| set_hash(group, rules, predicate);
        let of_groups: Vec<u64> = self.groups().map(set_of).collect();
        let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
        of_groups.iter().for_each(|&set| *counts.entry(set).or_default() += 1);
        counts.retain(|_, count| *count > 1);
        SharedSets { of_groups, counts }
    }

    /// The rules with the same hash, where there are several.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[SharedEntry]> {
        let all = self.entries.chunk_by(|left, right| left.key == right.key);
        all.filter(|group| group.len() > 1)
    }
}

/// Sorts by keys, the last bits of which come first, then by members.
fn sorted(entries: Vec<SharedEntry>) -> Vec<SharedEntry> {
    let mask = entries.len().next_power_of_two() - 1;
    let mut ends = vec![0u32; mask + 2];
    entries.iter().for_each(|it| ends[(it.key as usize & mask) + 1] += 1);
    for bits in 0..=mask {
        ends[bits + 1] += ends[bits];
    }
    let mut sorted = vec![SharedEntry::default(); entries.len()];
    for entry in entries {
        let end = &mut ends[entry.key as usize & mask];
        sorted[*end as usize] = entry;
        *end += 1;
    }
    for own in sorted.chunk_by_mut(|left, right| (left.key ^ right.key) as usize & mask == 0) {
        own.sort_unstable_by_key(|it| (it.key, it.member));
    }
    sorted
}

/// Calls `visit` with each of these rules that may be in a group at all, and its number.
#[inline]
fn each_rule<'rules>(
    rules: &'rules RuleStore,
    numbers: &[u32],
    ticker: &mut Ticker<'_>,
    mut visit: impl FnMut(u32, GroundRule<'rules>),
) -> Result<(), Exceeded> {
    for &number in numbers {
        ticker.tick()?;
        let rule = rules.rule(number as usize);
        if (1..=LONGEST_BODY).contains(&rule.body.len()) {
            visit(number, rule);
        }
    }
    Ok(())
}

/// Calls `visit` with what a rule has alone in each group that it might be in, the code of each literal or the head, after
/// a hash of what is left of the rule.
#[inline]
fn each_key(
    rule: GroundRule<'_>,
    kind: Kind,
    predicate: &impl Fn(u32) -> u32,
    mut visit: impl FnMut(u64, u32),
) {
    let body = hash(rule.body);
    match kind {
        Kind::Alternatives => {
            let all = body.wrapping_add(mixed(!rule.head));
            rule.body.iter().for_each(|it| visit(all.wrapping_sub(mixed(it.code())), it.code()));
        }
        Kind::Heads => visit(body.wrapping_add(mixed(!predicate(rule.head))), rule.head),
    }
}

/// A hash of what rules have alone and of the predicate of a head of theirs.
fn set_hash(group: &[SharedEntry], rules: &RuleStore, predicate: &impl Fn(u32) -> u32) -> u64 {
    let of_heads = predicate(rules.rule(group[0].member.1 as usize).head);
    let add = |sum: u64, it: &SharedEntry| sum.wrapping_add(mixed(it.member.0));
    group.iter().fold(mixed(!of_heads), add)
}

/// The hash of a set with one literal or head.
#[inline]
pub(super) fn mixed(code: u32) -> u64 {
    mix(code.into())
}
