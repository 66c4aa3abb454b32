//! Rules that differ only in what they say about moves.

use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};

use super::Meanings;
use crate::pulse::Pulse;

/// How many groups of rules with one head are searched for one that a rule belongs to.
const SEARCHED: usize = 32;
const NONE: u32 = u32::MAX;
/// At least one rule of so many should go.
const PROMISING: usize = 20;

/// Rules with one head whose bodies differ in one literal, which is about moves.
pub(super) struct Group {
    /// The first of them.
    pub(super) rule: u32,
    /// Where its body has that literal.
    pub(super) position: usize,
    pub(super) rules: u32,
    /// What the other literals sum up to: two bodies mostly differ in it.
    sum: u32,
    /// The next group with the same head.
    next: u32,
}

/// Rules grouped by all but one literal.
pub(super) struct Grouping {
    pub(super) groups: Vec<Group>,
    /// The atoms about moves of the rules of each group, one group after the other.
    atoms: Vec<u32>,
    /// By group: where its atoms end.
    ends: Vec<u32>,
    /// By rule: its group, or [`NONE`].
    of_rule: Vec<u32>,
    /// Whether there are rules that other literals could be tried for.
    pub(super) has_more: bool,
}

impl Grouping {
    /// Groups rules with these heads by all but the literal about moves with this number.
    pub(super) fn new(
        rules: &RuleStore,
        meanings: &Meanings,
        attempt: usize,
        heads: impl Fn(u32) -> bool,
        pulse: &mut Pulse<'_>,
    ) -> Grouping {
        let mut groups: Vec<Group> = Vec::new();
        let mut of_rule = vec![NONE; rules.len()];
        let mut first_of_head = vec![NONE; meanings.len()];
        let mut atoms_of_rules = vec![NONE; rules.len()];
        let mut has_more = false;
        let wanted = |&number: &usize| heads(rules.heads()[number]);
        for number in (0..rules.len()).filter(wanted).take_while(|_| pulse.beat()) {
            let rule = rules.rule(number);
            let mut about =
                (0..rule.body.len()).filter(|&it| meanings.is_about_moves(rule.body[it]));
            let Some(mut position) = about.next() else { continue };
            for _ in 0..attempt {
                position = about.next().unwrap_or(position);
            }
            has_more |= about.next().is_some();
            let others = rule.body.iter().fold(0, |sum: u32, it| sum.wrapping_add(it.code()));
            let sum = others.wrapping_sub(rule.body[position].code());
            let first = &mut first_of_head[rule.head as usize];
            let found = search(&groups, *first, |group| {
                if group.sum != sum {
                    return false;
                }
                let own = rules.rule(group.rule as usize).body;
                own.len() == rule.body.len()
                    && are_alike((own, group.position), (rule.body, position))
            });
            // The group found last comes first: the next rule often belongs to it.
            let group = match found {
                Some((group, NONE)) => group,
                Some((group, before)) => {
                    groups[before as usize].next = groups[group as usize].next;
                    groups[group as usize].next = *first;
                    group
                }
                None => {
                    let rule = number as u32;
                    groups.push(Group { rule, position, rules: 0, sum, next: *first });
                    groups.len() as u32 - 1
                }
            };
            *first = group;
            groups[group as usize].rules += 1;
            of_rule[number] = group;
            atoms_of_rules[number] = rule.body[position].atom();
        }
        let mut ends: Vec<u32> = Vec::with_capacity(groups.len());
        let mut end = 0;
        for group in &groups {
            ends.push(end);
            end += group.rules;
        }
        let mut atoms = vec![0; end as usize];
        for (&group, atom) in of_rule.iter().zip(atoms_of_rules).filter(|it| *it.0 != NONE) {
            let end = &mut ends[group as usize];
            atoms[*end as usize] = atom;
            *end += 1;
        }
        Grouping { groups, atoms, ends, of_rule, has_more }
    }

    /// Whether there is something to gain: more than a few rules share their group with others.
    pub(super) fn is_promising(&self) -> bool {
        let shared = self.atoms.len() - self.groups.len();
        shared * PROMISING >= self.of_rule.iter().filter(|&&it| it != NONE).count()
    }

    /// The group of a rule.
    pub(super) fn group(&self, rule: usize) -> Option<usize> {
        Some(self.of_rule[rule]).filter(|&it| it != NONE).map(|it| it as usize)
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

/// The first of a chain of groups that is the right one, and the group before it.
fn search(groups: &[Group], first: u32, is_right: impl Fn(&Group) -> bool) -> Option<(u32, u32)> {
    let (mut group, mut before) = (first, NONE);
    for _ in 0..SEARCHED {
        let it = groups.get(group as usize)?;
        if is_right(it) {
            return Some((group, before));
        }
        (before, group) = (group, it.next);
    }
    None
}

/// Whether two bodies of the same length, each without one literal, are the same.
fn are_alike(left: (&[GroundLiteral], usize), right: (&[GroundLiteral], usize)) -> bool {
    let ((early, first), (late, last)) =
        if left.1 <= right.1 { (left, right) } else { (right, left) };
    early[..first] == late[..first]
        && early[first + 1..=last] == late[first..last]
        && early[last + 1..] == late[last + 1..]
}

/// A body without one literal.
pub(super) fn rest(
    body: &[GroundLiteral],
    position: usize,
) -> impl Iterator<Item = &GroundLiteral> {
    body[..position].iter().chain(&body[position + 1..])
}
