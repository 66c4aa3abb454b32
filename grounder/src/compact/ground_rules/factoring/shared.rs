//! Rules that have in common with others all but one thing, by hashes of what that may be.

use fxhash::FxHashMap;
use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundRule, RuleStore};

use super::groups::{Kind, Member};
use crate::pulse::Pulse;

/// Longer bodies are left as they are: each of their literals is compared with the rest.
const MOST_LITERALS: usize = 32;
/// A rule, by a hash of what it may have in common with others.
#[derive(Clone, Copy, Default)]
pub(super) struct Entry {
    key: u64,
    pub(super) member: Member,
}

/// By hash of what the rules of a group have alone: how many groups there are.
pub(super) type Sets = FxHashMap<u64, u32>;

/// Rules by hashes of what they may have in common, without most of those that are alone with theirs.
pub(super) struct Shared {
    /// In the order of their keys' last bits, those with the same bits sorted.
    entries: Vec<Entry>,
}

impl Shared {
    /// Looks at the rules with these numbers.
    pub(super) fn new(
        rules: &RuleStore,
        kind: Kind,
        wanted: &[u32],
        predicate: &impl Fn(u32) -> u32,
        pulse: &mut Pulse<'_>,
    ) -> Result<Shared, Exceeded> {
        // About as many as there are literals.
        let places = match kind {
            Kind::Alternatives => wanted.len() * (rules.literal_count() / rules.len().max(1) + 1),
            Kind::Heads => wanted.len(),
        };
        // One bit says that a key with these bits was seen, one that there were two.
        let mask = (2 * places).next_power_of_two() - 1;
        let mut seen = vec![0u8; mask + 1];
        let mut keys: Vec<u64> = Vec::with_capacity(places);
        for &number in wanted {
            if !pulse.beat() {
                break;
            }
            each_key(rules.rule(number as usize), kind, predicate, |key| {
                let seen = &mut seen[key as usize & mask];
                *seen |= 1 + (*seen & 1);
                keys.push(key);
            });
        }
        pulse.finish()?;
        let mut entries: Vec<Entry> = Vec::new();
        let mut keys = keys.into_iter();
        for &number in wanted {
            if !pulse.beat() {
                break;
            }
            each_element(rules.rule(number as usize), kind, |element| {
                let key = keys.next().expect("each element has a key");
                if seen[key as usize & mask] & 2 != 0 {
                    entries.push(Entry { key, member: (element, number) });
                }
            });
        }
        pulse.finish()?;
        Ok(Shared { entries: sorted(entries) })
    }

    /// How many groups there are for each hash of what their rules have alone, if there are several.
    pub(super) fn sets(&self, rules: &RuleStore, predicate: &impl Fn(u32) -> u32) -> Sets {
        let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
        for group in self.groups() {
            *counts.entry(set_hash(group, rules, predicate)).or_default() += 1;
        }
        counts.retain(|_, count| *count > 1);
        counts
    }

    /// The rules with the same hash, where there are several.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[Entry]> {
        let all = self.entries.chunk_by(|left, right| left.key == right.key);
        all.filter(|group| group.len() > 1)
    }
}

/// Sorts by keys, the last bits of which come first, then by members.
fn sorted(entries: Vec<Entry>) -> Vec<Entry> {
    let mask = entries.len().next_power_of_two() - 1;
    let mut ends = vec![0u32; mask + 2];
    entries.iter().for_each(|it| ends[(it.key as usize & mask) + 1] += 1);
    for bits in 0..=mask {
        ends[bits + 1] += ends[bits];
    }
    let mut sorted = vec![Entry::default(); entries.len()];
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

/// Whether a rule may be in a group at all.
#[inline]
fn fits(rule: GroundRule<'_>) -> bool {
    (1..=MOST_LITERALS).contains(&rule.body.len())
}

/// Calls `visit` with what a rule has alone in each group that it might be in: the code of each literal, in their order,
/// or the head.
#[inline]
fn each_element(rule: GroundRule<'_>, kind: Kind, mut visit: impl FnMut(u32)) {
    match kind {
        _ if !fits(rule) => {}
        Kind::Alternatives => rule.body.iter().for_each(|it| visit(it.code())),
        Kind::Heads => visit(rule.head),
    }
}

/// Calls `visit` with a hash of what is left of a rule without each element.
#[inline]
fn each_key(
    rule: GroundRule<'_>,
    kind: Kind,
    predicate: &impl Fn(u32) -> u32,
    mut visit: impl FnMut(u64),
) {
    if !fits(rule) {
        return;
    }
    let mut hashes = [0; MOST_LITERALS];
    let hashes = &mut hashes[..rule.body.len()];
    let mut body: u64 = 0;
    for (literal, hash) in rule.body.iter().zip(&mut *hashes) {
        *hash = mixed(literal.code());
        body = body.wrapping_add(*hash);
    }
    match kind {
        Kind::Alternatives => {
            let all = body.wrapping_add(mixed(!rule.head));
            hashes.iter().for_each(|&it| visit(all.wrapping_sub(it)));
        }
        Kind::Heads => visit(body.wrapping_add(mixed(!predicate(rule.head)))),
    }
}

/// A hash of what rules have alone and of the predicate of a head of theirs.
pub(super) fn set_hash(group: &[Entry], rules: &RuleStore, predicate: &impl Fn(u32) -> u32) -> u64 {
    let of_heads = predicate(rules.rule(group[0].member.1 as usize).head);
    let add = |sum: u64, it: &Entry| sum.wrapping_add(mixed(it.member.0));
    group.iter().fold(mixed(!of_heads), add)
}

/// A hash of which sums are hashes, too.
#[inline]
pub(super) fn mixed(code: u32) -> u64 {
    let number = (u64::from(code) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    number ^ (number >> 32)
}
