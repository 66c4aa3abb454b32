//! Rules that differ only in what they say about moves.

use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};

use crate::pulse::Pulse;

const NONE: u32 = u32::MAX;
const MULTIPLIER: u64 = 0xf135_7aea_2e62_a9c5;

/// A rule with a literal about moves.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) rule: u32,
    /// Where its body has that literal.
    position: u32,
}

/// The rules with literals about moves, with the one of this number or their last. Also, whether some have
/// more.
pub(super) fn candidates(
    rules: &RuleStore,
    is_about_moves: &[bool],
    attempt: usize,
    pulse: &mut Pulse<'_>,
) -> (Vec<Candidate>, bool) {
    let mut candidates = Vec::new();
    let mut has_more = false;
    for (number, rule) in rules.iter().enumerate().take_while(|_| pulse.beat()) {
        let is_about = |it: &GroundLiteral| is_about_moves[it.atom() as usize] && !it.is_negated();
        let Some(mut position) = rule.body.iter().position(is_about) else { continue };
        let mut more = (position + 1..rule.body.len()).filter(|&it| is_about(&rule.body[it]));
        for _ in 0..attempt {
            position = more.next().unwrap_or(position);
        }
        has_more |= more.next().is_some();
        let position = position as u32;
        candidates.push(Candidate { rule: number as u32, position });
    }
    (candidates, has_more)
}

/// Rules with one head whose bodies differ in one literal, which is about moves.
pub(super) struct Group {
    /// The first of them.
    pub(super) rule: u32,
    /// Where its body has that literal.
    pub(super) position: u32,
    /// A hash of its head and the rest of its body.
    hash: u64,
    pub(super) rules: u32,
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
    /// Groups rules by all but the literal about moves.
    pub(super) fn new(
        rules: &RuleStore,
        candidates: Vec<Candidate>,
        pulse: &mut Pulse<'_>,
    ) -> Grouping {
        let mut groups: Vec<Group> = Vec::new();
        let mut of_candidate = Vec::with_capacity(candidates.len());
        // Groups by the hash of their rules; at most half of the slots are taken.
        let mask = (2 * candidates.len()).next_power_of_two() - 1;
        let mut slots = vec![NONE; mask + 1];
        for candidate in candidates.iter().take_while(|_| pulse.beat()) {
            let rule = rules.rule(candidate.rule as usize);
            let (before, after) = rest(rule.body, candidate.position);
            let mix = |hash: u64, it: u32| {
                (hash.rotate_left(26) ^ u64::from(it)).wrapping_mul(MULTIPLIER)
            };
            let codes = before.iter().chain(after).map(|it| it.code());
            let hash = codes.fold(mix(1, rule.head), mix);
            let is_right = |group: &Group| {
                group.hash == hash && {
                    let first = rules.rule(group.rule as usize);
                    let (other_before, other_after) = rest(first.body, group.position);
                    let other = other_before.iter().chain(other_after);
                    first.head == rule.head && before.iter().chain(after).eq(other)
                }
            };
            let mut slot = (hash >> 32) as usize & mask;
            let group = loop {
                match slots[slot] {
                    NONE => {
                        slots[slot] = groups.len() as u32;
                        let Candidate { rule, position } = *candidate;
                        groups.push(Group { rule, position, hash, rules: 0 });
                        break groups.len() as u32 - 1;
                    }
                    group if is_right(&groups[group as usize]) => break group,
                    _ => slot = (slot + 1) & mask,
                }
            };
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

/// What is before and after a literal of a body.
pub(super) fn rest(body: &[GroundLiteral], position: u32) -> (&[GroundLiteral], &[GroundLiteral]) {
    let position = position as usize;
    (&body[..position], &body[position + 1..])
}
