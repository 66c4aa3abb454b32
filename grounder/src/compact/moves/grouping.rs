//! Rules that differ only in what they say about moves.

use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};

use super::Meanings;
use crate::pulse::Pulse;

/// How many groups of rules with one head are searched for one that a rule belongs to.
const SEARCHED: usize = 32;
const NONE: u32 = u32::MAX;

/// Rules with one head whose bodies differ in one literal, which is about moves.
pub(super) struct Group {
    /// The first of them.
    pub(super) rule: u32,
    /// Where its body has that literal.
    pub(super) position: usize,
    pub(super) rules: u32,
    /// The next group with the same head.
    next: u32,
    /// The end of its moves; they begin where those of the group before end.
    end: u32,
}

/// Rules grouped by all but one literal.
pub(super) struct Grouping {
    pub(super) groups: Vec<Group>,
    /// The moves that the rules of each group speak of, one group after the other.
    moves: Vec<u32>,
    /// By rule: its group, or [`NONE`].
    of_rule: Vec<u32>,
    /// Whether there are rules that other literals could be tried for.
    pub(super) has_more: bool,
}

impl Grouping {
    /// Groups rules by all but the literal about moves with this number.
    pub(super) fn new(
        rules: &RuleStore,
        meanings: &Meanings,
        attempt: usize,
        pulse: &mut Pulse<'_>,
    ) -> Grouping {
        let mut groups: Vec<Group> = Vec::new();
        let mut of_rule = vec![NONE; rules.len()];
        let mut first_of_head = vec![NONE; meanings.ends.len()];
        let mut literals = vec![NONE; rules.len()];
        let mut has_more = false;
        for (number, rule) in rules.iter().enumerate().take_while(|_| pulse.beat()) {
            let mut about =
                (0..rule.body.len()).filter(|&it| !meanings.of(rule.body[it]).is_empty());
            let Some(mut position) = about.next() else { continue };
            for _ in 0..attempt {
                position = about.next().unwrap_or(position);
            }
            has_more |= about.next().is_some();
            let first = &mut first_of_head[rule.head as usize];
            let found = search(&groups, *first, |group| {
                let own = rules.rule(group.rule as usize).body;
                let same_length = own.len() == rule.body.len();
                same_length && rest(own, group.position).eq(rest(rule.body, position))
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
                    groups.push(Group { rule, position, rules: 0, next: *first, end: 0 });
                    groups.len() as u32 - 1
                }
            };
            *first = group;
            let it = &mut groups[group as usize];
            it.rules += 1;
            it.end += meanings.of(rule.body[position]).len() as u32;
            of_rule[number] = group;
            literals[number] = rule.body[position].code();
        }
        let mut start = 0;
        for group in &mut groups {
            let own = std::mem::replace(&mut group.end, start);
            start += own;
        }
        let mut moves = vec![0; start as usize];
        for (group, literal) in of_rule.iter().zip(literals).filter(|(group, _)| **group != NONE) {
            let end = &mut groups[*group as usize].end;
            let own = meanings.of(GroundLiteral::from_code(literal));
            moves[*end as usize..*end as usize + own.len()].copy_from_slice(own);
            *end += own.len() as u32;
        }
        Grouping { groups, moves, of_rule, has_more }
    }

    /// The group of a rule.
    pub(super) fn group(&self, rule: usize) -> Option<usize> {
        Some(self.of_rule[rule]).filter(|&it| it != NONE).map(|it| it as usize)
    }

    /// The moves that the rules of a group speak of.
    pub(super) fn moves(&self, group: usize) -> &[u32] {
        let start = group.checked_sub(1).map_or(0, |before| self.groups[before].end);
        &self.moves[start as usize..self.groups[group].end as usize]
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

/// A body without one literal.
pub(super) fn rest(
    body: &[GroundLiteral],
    position: usize,
) -> impl Iterator<Item = &GroundLiteral> {
    body[..position].iter().chain(&body[position + 1..])
}
