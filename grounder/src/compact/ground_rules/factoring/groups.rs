//! Rules that are the same but for one thing: a literal of the body, or the head.
//!
//! They are found by hashes of what they may have in common ([`Shared`]), and then compared.

use fxhash::FxHashMap;
use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundRule, RuleStore};

use crate::simplify::subsumption::{hash, mix, same_set, sorted_without};
use crate::ticker::Ticker;
use crate::tuning::LONGEST_BODY;

/// Groups of rules that are the same but for one thing, as far as their sets of such things are shared by groups enough.
#[derive(Default)]
pub(super) struct Groups {
    /// What the rules of the groups have alone, one group after the other, ascending in each, with the rules.
    members: Vec<SharedMember>,
    /// By group: where its members end.
    ends: Vec<u32>,
    /// By group: the predicate of its heads.
    predicates: Vec<u32>,
    /// By group: the first one with the same elements and predicate.
    pub(super) alike: Vec<u32>,
}

/// By how many rules there are fewer if so many groups share a set of so many elements, if there are.
pub(super) fn gain(groups: usize, elements: usize) -> Option<usize> {
    (groups * (elements - 1)).checked_sub(elements).filter(|&it| it > 0)
}

impl Groups {
    /// Groups the rules with these numbers. Of the predicates of heads a group has one.
    pub(super) fn new(
        rules: &RuleStore,
        kind: Kind,
        wanted: &[u32],
        predicate: &impl Fn(u32) -> u32,
        ticker: &mut Ticker<'_>,
    ) -> Result<Groups, Exceeded> {
        let shared = Shared::new(rules, kind, wanted, predicate, ticker)?;
        let sets = shared.sets(rules, predicate);
        let mut groups = Groups::default();
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        for (group, &set) in shared.groups().zip(&sets.of_groups) {
            ticker.tick()?;
            if gain(sets.count(set), group.len()).is_some() {
                let first = *known.entry(set).or_insert(groups.len() as u32);
                groups.add(rules, kind, (group, first), predicate);
            }
        }
        Ok(groups)
    }

    /// Adds a group; `first` may have the same elements.
    fn add(
        &mut self,
        rules: &RuleStore,
        kind: Kind,
        (group, first): (&[SharedEntry], u32),
        predicate: &impl Fn(u32) -> u32,
    ) {
        let start = self.members.len();
        for SharedEntry { member, .. } in group {
            let is_new = self.members[start..].last().is_none_or(|it| it.0 != member.0);
            if is_new && is_like(rules, kind, [group[0].member, *member], predicate) {
                self.members.push(*member);
            }
        }
        if self.members.len() < start + 2 {
            return self.members.truncate(start);
        }
        let number = self.len() as u32;
        let own = predicate(rules.rule(self.members[start].1 as usize).head);
        self.ends.push(self.members.len() as u32);
        self.predicates.push(own);
        let is_alike = self.predicates[first as usize] == own
            && self.elements(first).eq(self.elements(number));
        self.alike.push(if is_alike { first } else { number });
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    fn members(&self, group: u32) -> &[SharedMember] {
        let start = (group as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.members[start as usize..self.ends[group as usize] as usize]
    }

    /// What the rules of a group have alone, each something else, ascending: codes of literals, or heads.
    pub(super) fn elements(&self, group: u32) -> impl ExactSizeIterator<Item = u32> {
        self.members(group).iter().map(|it| it.0)
    }

    /// The rules of a group, in the order of its elements.
    pub(super) fn rules(&self, group: u32) -> impl ExactSizeIterator<Item = u32> {
        self.members(group).iter().map(|it| it.1)
    }

    /// The predicate of the heads of a group.
    pub(super) fn predicate(&self, group: u32) -> u32 {
        self.predicates[group as usize]
    }
}

/// Whether two members, each with what it has alone, have in common what they should.
fn is_like(
    rules: &RuleStore,
    kind: Kind,
    members: [SharedMember; 2],
    predicate: &impl Fn(u32) -> u32,
) -> bool {
    let [left, right] = members.map(|it| rules.rule(it.1 as usize));
    match kind {
        Kind::Alternatives => {
            let rests = [(left, members[0].0), (right, members[1].0)]
                .map(|(rule, own)| sorted_without(rule.body, own));
            left.head == right.head && rests[0] == rests[1]
        }
        Kind::Heads => {
            predicate(left.head) == predicate(right.head) && same_set(left.body, right.body)
        }
    }
}

/// In what rules differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One literal: what is the same is the head and the rest of the body.
    Alternatives,
    /// The head: what is the same is the body, and the predicate of the head.
    Heads,
}

/// What a rule has alone, the code of a literal or a head, and the rule.
type SharedMember = (u32, u32);

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
            let all = body.wrapping_add(mix(!rule.head));
            rule.body.iter().for_each(|it| visit(all.wrapping_sub(mix(it.code())), it.code()));
        }
        Kind::Heads => visit(body.wrapping_add(mix(!predicate(rule.head))), rule.head),
    }
}

/// A hash of what rules have alone and of the predicate of a head of theirs.
fn set_hash(group: &[SharedEntry], rules: &RuleStore, predicate: &impl Fn(u32) -> u32) -> u64 {
    let of_heads = predicate(rules.rule(group[0].member.1 as usize).head);
    let add = |sum: u64, it: &SharedEntry| sum.wrapping_add(mix(it.member.0));
    group.iter().fold(mix(!of_heads), add)
}
