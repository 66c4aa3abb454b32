//! Rules that are the same but for one thing: a literal of the body, or the head.

use fxhash::FxHashMap;
use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};
use smallvec::SmallVec;

use super::shared::{Kind, Shared, SharedEntry, SharedMember};
use crate::simplify::literal_sets::same_set;
use crate::ticker::Ticker;

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
                .map(|(rule, own)| rest(rule.body, own));
            left.head == right.head && rests[0] == rests[1]
        }
        Kind::Heads => {
            predicate(left.head) == predicate(right.head) && same_set(left.body, right.body)
        }
    }
}

/// The codes of a body's literals but one, in the same order however the body lists them.
fn rest(body: &[GroundLiteral], own: u32) -> SmallVec<[u32; 8]> {
    let mut rest: SmallVec<[u32; 8]> =
        body.iter().map(|it| it.code()).filter(|it| *it != own).collect();
    rest.sort_unstable();
    rest
}
