//! Rules that differ only in what they say about moves.

use groundfrog_engine::instantiate::{GroundLiteral, GroundRule, RuleStore};

use crate::pulse::Pulse;

const NONE: u32 = u32::MAX;
const FEWEST_SLOTS: usize = 1 << 8;
/// An odd number with well-mixed bits, for hashes.
pub(super) const MULTIPLIER: u64 = 0xf135_7aea_2e62_a9c5;

/// A rule with a literal about moves.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) rule: u32,
    /// Where its body has that literal.
    position: u32,
}

/// The rules with literals about moves.
pub(super) struct Candidates {
    /// With the literal of the number of the attempt, or their last.
    pub(super) candidates: Vec<Candidate>,
    /// By atom about moves: in how many bodies it is; many if it is negated in one.
    pub(super) uses: Vec<u32>,
    /// Whether some have more such literals.
    pub(super) has_more: bool,
}

impl Candidates {
    pub(super) fn new(
        rules: &RuleStore,
        is_about_moves: &[bool],
        attempt: usize,
        pulse: &mut Pulse<'_>,
    ) -> Candidates {
        let mut candidates = Vec::new();
        let mut uses = vec![0u32; is_about_moves.len()];
        let mut has_more = false;
        for (number, rule) in (0..).zip(rules.iter()).take_while(|_| pulse.beat()) {
            let (mut position, mut passed) = (NONE, 0);
            for (at, literal) in (0..).zip(rule.body) {
                let atom = literal.atom() as usize;
                if !is_about_moves[atom] {
                    continue;
                }
                if literal.is_negated() {
                    uses[atom] = u32::MAX;
                    continue;
                }
                uses[atom] = uses[atom].saturating_add(1);
                if passed <= attempt {
                    position = at;
                }
                passed += 1;
            }
            if position != NONE {
                candidates.push(Candidate { rule: number, position });
                has_more |= passed > attempt + 1;
            }
        }
        Candidates { candidates, uses, has_more }
    }
}

/// Rules with one head whose bodies differ in one literal, which is about moves.
pub(super) struct Group {
    /// The first of them.
    pub(super) rule: u32,
    /// Where its body has that literal.
    pub(super) position: u32,
    pub(super) rules: u32,
    /// A hash of its head and the rest of its body, if there is one.
    hash: u64,
}

/// Rules grouped by all but one literal.
pub(super) struct Grouping {
    pub(super) groups: Vec<Group>,
    candidates: Vec<Candidate>,
    /// By candidate: its group.
    of_candidate: Vec<u32>,
    /// The atoms about moves of the rules of each group, one group after the other.
    atoms: Vec<u32>,
    /// By group: where its atoms end.
    ends: Vec<u32>,
}

impl Grouping {
    /// Groups rules by all but the literal about moves. Atoms are numbered below `atoms`.
    pub(super) fn new(
        rules: &RuleStore,
        candidates: Vec<Candidate>,
        atoms: usize,
        pulse: &mut Pulse<'_>,
    ) -> Grouping {
        let mut groups: Vec<Group> = Vec::new();
        let mut of_candidate = Vec::with_capacity(candidates.len());
        let mut by_rest = ByRest::default();
        // By head: the group of its rules that have no other literal.
        let mut by_head = vec![NONE; atoms];
        for candidate in candidates.iter().take_while(|_| pulse.beat()) {
            let rule = rules.rule(candidate.rule as usize);
            let new = groups.len() as u32;
            let (group, hash) = if rule.body.len() == 1 {
                let group = &mut by_head[rule.head as usize];
                *group = if *group == NONE { new } else { *group };
                (*group, 0)
            } else {
                let hash = hash(rule, candidate.position);
                (by_rest.find_or_insert(rules, &groups, candidate, hash), hash)
            };
            if group == new {
                let Candidate { rule, position } = *candidate;
                groups.push(Group { rule, position, rules: 0, hash });
            }
            groups[group as usize].rules += 1;
            of_candidate.push(group);
        }
        // Where each group's atoms begin, then where they end.
        let mut ends: Vec<u32> = Vec::with_capacity(groups.len());
        let mut end = 0;
        for group in &groups {
            ends.push(end);
            end += group.rules;
        }
        let mut atoms = vec![0; end as usize];
        for (&group, candidate) in of_candidate.iter().zip(&candidates) {
            let end = &mut ends[group as usize];
            let body = rules.rule(candidate.rule as usize).body;
            atoms[*end as usize] = body[candidate.position as usize].atom();
            *end += 1;
        }
        Grouping { groups, candidates, of_candidate, atoms, ends }
    }

    /// The part of the rules that share their group with an earlier one.
    pub(super) fn shared(&self) -> f64 {
        1.0 - self.groups.len() as f64 / self.of_candidate.len().max(1) as f64
    }

    /// Whether there are rules that share their group.
    pub(super) fn is_worth_a_look(&self) -> bool {
        self.groups.len() < self.of_candidate.len()
    }

    /// The rules, ascending, each with its group.
    pub(super) fn rules(&self) -> impl Iterator<Item = (u32, usize)> {
        let groups = self.of_candidate.iter().map(|&it| it as usize);
        self.candidates.iter().map(|it| it.rule).zip(groups)
    }

    pub(super) fn atom_count(&self) -> usize {
        self.atoms.len()
    }

    /// The atoms about moves of the rules of a group, in the order of the rules.
    pub(super) fn atoms(&self, group: usize) -> &[u32] {
        let start = group.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.atoms[start as usize..self.ends[group] as usize]
    }
}

/// Groups by the hash of their rules' heads and rests.
#[derive(Default)]
struct ByRest {
    /// At most half of them are taken.
    slots: Vec<u32>,
    groups: usize,
}

impl ByRest {
    /// The group of a rule, or the number of the next one.
    fn find_or_insert(
        &mut self,
        rules: &RuleStore,
        groups: &[Group],
        candidate: &Candidate,
        hash: u64,
    ) -> u32 {
        if self.slots.len() <= 2 * self.groups {
            self.grow(groups);
        }
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> 32) as usize & mask;
        loop {
            match self.slots[slot] {
                NONE => break,
                it if groups[it as usize].hash == hash
                    && is_like(rules, &groups[it as usize], candidate) =>
                {
                    return it;
                }
                _ => slot = (slot + 1) & mask,
            }
        }
        self.slots[slot] = groups.len() as u32;
        self.groups += 1;
        groups.len() as u32
    }

    fn grow(&mut self, groups: &[Group]) {
        let size = (4 * self.slots.len()).max(FEWEST_SLOTS);
        let before = std::mem::replace(&mut self.slots, vec![NONE; size]);
        for group in before.into_iter().filter(|&it| it != NONE) {
            let mut slot = (groups[group as usize].hash >> 32) as usize & (size - 1);
            while self.slots[slot] != NONE {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = group;
        }
    }
}

/// Whether a rule has the head and the rest of a group.
fn is_like(rules: &RuleStore, group: &Group, candidate: &Candidate) -> bool {
    let first = rules.rule(group.rule as usize);
    let rule = rules.rule(candidate.rule as usize);
    let (before, after) = rest(rule.body, candidate.position);
    let (other_before, other_after) = rest(first.body, group.position);
    let other = other_before.iter().chain(other_after);
    first.head == rule.head && before.iter().chain(after).eq(other)
}

/// A hash of a rule's head and the rest of its body.
fn hash(rule: GroundRule<'_>, position: u32) -> u64 {
    let mix = |hash: u64, it: u32| (hash.rotate_left(26) ^ u64::from(it)).wrapping_mul(MULTIPLIER);
    let (before, after) = rest(rule.body, position);
    let codes = |literals: &[GroundLiteral], hash: u64| {
        literals.iter().fold(hash, |hash, it| mix(hash, it.code()))
    };
    codes(after, codes(before, mix(1, rule.head)))
}

/// What is before and after a literal of a body.
pub(super) fn rest(body: &[GroundLiteral], position: u32) -> (&[GroundLiteral], &[GroundLiteral]) {
    let position = position as usize;
    (&body[..position], &body[position + 1..])
}
