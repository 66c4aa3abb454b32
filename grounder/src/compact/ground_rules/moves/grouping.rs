//! Rules that differ only in what they say about moves.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, GroundRule, RuleStore};
use hashbrown::HashTable;
use smallvec::SmallVec;

use crate::ticker::Ticker;

const NONE: u32 = u32::MAX;
/// An odd number with well-mixed bits, for hashes.
pub(super) const MULTIPLIER: u64 = 0xf135_7aea_2e62_a9c5;

/// A rule with a literal about moves.
struct MoveRule {
    rule: u32,
    /// What that literal is about.
    atom: u32,
    group: u32,
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
    candidates: Vec<MoveRule>,
    /// The atoms about moves of the rules of each group, one group after the other.
    atoms: Vec<u32>,
    /// By group: where its atoms end.
    ends: Vec<u32>,
    /// By head: the group of its rules that have no other literal.
    by_head: Vec<u32>,
    /// By atom about moves: in how many bodies it is; many if it is negated in one.
    pub(super) uses: Vec<u32>,
    /// How many rules were looked at.
    looked_at: usize,
    /// Whether some have more literals about moves than were tried.
    pub(super) has_more: bool,
}

impl Grouping {
    /// Groups rules by all but one literal about moves: that of the number of the attempt, or their last. Rules with
    /// other heads than those wanted are left out.
    pub(super) fn new(
        rules: &RuleStore,
        is_about_moves: &[bool],
        attempt: usize,
        is_wanted: impl Fn(u32) -> bool,
        ticker: &mut Ticker<'_>,
    ) -> Result<Grouping, Exceeded> {
        let mut grouping = Grouping {
            groups: Vec::new(),
            candidates: Vec::new(),
            atoms: Vec::new(),
            ends: Vec::new(),
            by_head: vec![NONE; is_about_moves.len()],
            uses: vec![0; is_about_moves.len()],
            looked_at: 0,
            has_more: false,
        };
        let mut by_rest = HashTable::new();
        let wanted = (0..).zip(rules.heads()).filter(|&(_, &head)| is_wanted(head));
        for (number, _) in wanted {
            ticker.tick()?;
            let rule = rules.rule(number as usize);
            grouping.looked_at += 1;
            if let Some(position) = grouping.position(rule, is_about_moves, attempt) {
                grouping.add(rules, (number, rule), position, &mut by_rest);
            }
        }
        grouping.collect_atoms();
        Ok(grouping)
    }

    /// Where a body has the literal about moves of an attempt.
    #[inline]
    fn position(
        &mut self,
        rule: GroundRule<'_>,
        is_about_moves: &[bool],
        attempt: usize,
    ) -> Option<u32> {
        let (mut position, mut passed) = (None, 0);
        for (at, literal) in (0..).zip(rule.body) {
            let atom = literal.atom() as usize;
            if !is_about_moves[atom] {
                continue;
            }
            let uses = &mut self.uses[atom];
            if literal.is_negated() {
                *uses = u32::MAX;
                continue;
            }
            *uses = uses.saturating_add(1);
            if passed <= attempt {
                position = Some(at);
            }
            passed += 1;
        }
        self.has_more |= passed > attempt + 1;
        position
    }

    /// Adds a rule to its group.
    #[inline]
    fn add(
        &mut self,
        rules: &RuleStore,
        (number, rule): (u32, GroundRule<'_>),
        position: u32,
        by_rest: &mut HashTable<u32>,
    ) {
        let new = self.groups.len() as u32;
        let (group, hash) = if rule.body.len() == 1 {
            let group = &mut self.by_head[rule.head as usize];
            *group = if *group == NONE { new } else { *group };
            (*group, 0)
        } else {
            let hash = hash(rule, position);
            (find_or_insert(by_rest, rules, &self.groups, (rule, position), hash), hash)
        };
        if group == new {
            self.groups.push(Group { rule: number, position, rules: 0, hash });
        }
        self.groups[group as usize].rules += 1;
        let atom = rule.body[position as usize].atom();
        self.candidates.push(MoveRule { rule: number, atom, group });
    }

    fn collect_atoms(&mut self) {
        // Where each group's atoms begin, then where they end.
        self.ends.reserve_exact(self.groups.len());
        let mut end = 0;
        for group in &self.groups {
            self.ends.push(end);
            end += group.rules;
        }
        self.atoms.resize(end as usize, 0);
        for candidate in &self.candidates {
            let end = &mut self.ends[candidate.group as usize];
            self.atoms[*end as usize] = candidate.atom;
            *end += 1;
        }
    }

    /// How many of the rules that were looked at share their group with an earlier one, as a part of them.
    pub(super) fn shared(&self) -> f64 {
        (self.candidates.len() - self.groups.len()) as f64 / self.looked_at.max(1) as f64
    }

    /// Whether there are rules that share their group.
    pub(super) fn is_worth_a_look(&self) -> bool {
        self.groups.len() < self.candidates.len()
    }

    /// The rules, ascending, each with its group.
    pub(super) fn rules(&self) -> impl Iterator<Item = (u32, usize)> {
        self.candidates.iter().map(|it| (it.rule, it.group as usize))
    }

    pub(super) fn atom_count(&self) -> usize {
        self.atoms.len()
    }

    /// The atoms about moves of the rules of a group, in the order of the rules.
    pub(super) fn atoms(&self, group: usize) -> &[u32] {
        let start = group.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.atoms[start as usize..self.ends[group] as usize]
    }

    /// The atoms of the rules for a head that have no other literal.
    pub(super) fn atoms_alone(&self, head: u32) -> &[u32] {
        match self.by_head[head as usize] {
            NONE => &[],
            group => self.atoms(group as usize),
        }
    }
}

/// The group of a rule, or the number of the next one.
fn find_or_insert(
    by_rest: &mut HashTable<u32>,
    rules: &RuleStore,
    groups: &[Group],
    (rule, position): (GroundRule<'_>, u32),
    hash: u64,
) -> u32 {
    let is_same = |&group: &u32| {
        let group = &groups[group as usize];
        group.hash == hash && is_like(rules, group, rule, position)
    };
    *by_rest
        .entry(hash, is_same, |&group| groups[group as usize].hash)
        .or_insert(groups.len() as u32)
        .get()
}

/// Whether a rule has the head and the rest of a group, in whatever order.
#[inline]
fn is_like(rules: &RuleStore, group: &Group, rule: GroundRule<'_>, position: u32) -> bool {
    let first = rules.rule(group.rule as usize);
    if first.head != rule.head || first.body.len() != rule.body.len() {
        return false;
    }
    // Loops over the few literals that there are take less time than iterators in two parts.
    let skip = |at: usize, position: u32| at + usize::from(at >= position as usize);
    let is_in_order = (0..rule.body.len() - 1)
        .all(|at| rule.body[skip(at, position)] == first.body[skip(at, group.position)]);
    is_in_order || sorted_rest(rule.body, position) == sorted_rest(first.body, group.position)
}

fn sorted_rest(body: &[GroundLiteral], position: u32) -> SmallVec<[u32; 16]> {
    let (before, after) = rest(body, position);
    let mut codes: SmallVec<[u32; 16]> = before.iter().chain(after).map(|it| it.code()).collect();
    codes.sort_unstable();
    codes
}

/// A hash of a rule's head and the rest of its body, whose order does not matter.
#[inline]
fn hash(rule: GroundRule<'_>, position: u32) -> u64 {
    let mix = |hash: u64, it: u32| (hash.rotate_left(26) ^ u64::from(it)).wrapping_mul(MULTIPLIER);
    let mut sum = 0u64;
    for (at, literal) in (0..).zip(rule.body) {
        if at != position {
            sum = sum.wrapping_add(mix(mix(1, literal.code()), literal.code()));
        }
    }
    // A hash table begins with the low bits, and the high ones are the good ones.
    mix(sum, rule.head).rotate_left(32)
}

/// What is before and after a literal of a body.
pub(super) fn rest(body: &[GroundLiteral], position: u32) -> (&[GroundLiteral], &[GroundLiteral]) {
    let position = position as usize;
    (&body[..position], &body[position + 1..])
}
