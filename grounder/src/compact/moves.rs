//! Moves: rules that differ only in one move of a role say together that the role makes one of some moves.
//!
//! `next(c) <- true(c), does(r, a)` for each of the moves a in S becomes `next(c) <- true(c), some(S)`, with
//! `some(S) <- does(r, a)` for each a in S, once for all rules that speak of the same S. In every state a
//! role makes exactly one move. So where S is most of the moves, as in the frame rules of boards,
//! `not some(others)` takes the place of `some(S)`, with rules for the few other moves.

use std::hash::BuildHasher;

use fxhash::{FxBuildHasher, FxHashMap};
use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};

use crate::pulse::Pulse;

/// What a mover is called that is no role.
pub const NOBODY: u32 = u32::MAX;
/// How many groups of rules with one head are searched for one that a rule belongs to.
const SEARCHED: usize = 8;
const NONE: u32 = u32::MAX;
/// New atoms must make the rules that they concern fewer than this part of what they were.
const WORTH_IT: f64 = 0.75;

/// The moves of the roles.
pub struct Moves {
    /// The number of the first atom `(does r m)`; the others follow.
    pub first: u32,
    /// By such atom: the role, as a small number, or [`NOBODY`].
    pub movers: Vec<u32>,
    /// By such atom: whether the move can ever be legal.
    pub is_possible: Vec<bool>,
}

impl Moves {
    fn mover(&self, literal: GroundLiteral) -> u32 {
        let position = literal.atom().wrapping_sub(self.first) as usize;
        if literal.is_negated() { NOBODY } else { *self.movers.get(position).unwrap_or(&NOBODY) }
    }

    fn is_possible(&self, atom: u32) -> bool {
        self.is_possible[(atom - self.first) as usize]
    }

    fn possible_of(&self, role: u32) -> Vec<u32> {
        let own = self.movers.iter().zip(&self.is_possible).enumerate();
        let own = own.filter(|&(_, (&mover, &is_possible))| mover == role && is_possible);
        own.map(|(position, _)| self.first + position as u32).collect()
    }
}

/// Merges rules. New atoms, which stand for sets of moves, are numbered from `first_new`, above all others.
/// Returns how many there are.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn merge(
    rules: &mut RuleStore,
    moves: &Moves,
    first_new: u32,
    pulse: &mut Pulse<'_>,
) -> Result<u32, Exceeded> {
    let roles = moves.movers.iter().filter(|&&it| it != NOBODY).max().map_or(0, |it| it + 1);
    let mut new = 0;
    for role in 0..roles {
        let first_new = first_new + new;
        let grouping = Grouping::new(rules, moves, role, first_new, pulse);
        pulse.finish()?;
        let mut sets = Sets::new(&grouping, rules, moves);
        let (definitions, sets_named) = sets.choose(&moves.possible_of(role), first_new);
        if sets.sets.iter().all(|set| set.becomes == Becomes::Nothing) {
            continue;
        }
        *rules = rewrite(rules, &grouping, &sets, pulse);
        pulse.finish()?;
        rules.append(&definitions, |literal| literal);
        new += sets_named;
    }
    Ok(new)
}

/// Rules that differ only in the move of a role.
struct Group {
    /// One of them.
    rule: u32,
    /// Where its body has the move.
    position: usize,
    rules: u32,
    /// The next group with the same head.
    next: u32,
}

impl Group {
    fn includes(&self, rules: &RuleStore, body: &[GroundLiteral], position: usize) -> bool {
        let own = rules.rule(self.rule as usize).body;
        own.len() == body.len() && rest(own, self.position).eq(rest(body, position))
    }
}

/// A body without its move.
fn rest(body: &[GroundLiteral], position: usize) -> impl Iterator<Item = &GroundLiteral> {
    body[..position].iter().chain(&body[position + 1..])
}

/// The rules with one move of a role, grouped.
struct Grouping {
    groups: Vec<Group>,
    /// By rule: its group, or [`NONE`].
    of_rule: Vec<u32>,
    /// By rule: its move, if it is in a group.
    moves: Vec<u32>,
}

impl Grouping {
    fn new(
        rules: &RuleStore,
        moves: &Moves,
        role: u32,
        atoms: u32,
        pulse: &mut Pulse<'_>,
    ) -> Grouping {
        let mut groups: Vec<Group> = Vec::new();
        let mut first_of_head = vec![NONE; atoms as usize];
        let mut grouping = Grouping {
            groups: Vec::new(),
            of_rule: vec![NONE; rules.len()],
            moves: vec![NONE; rules.len()],
        };
        for (number, rule) in rules.iter().enumerate().take_while(|_| pulse.beat()) {
            let mut own = (0..rule.body.len()).filter(|&it| moves.mover(rule.body[it]) == role);
            let (Some(position), None) = (own.next(), own.next()) else { continue };
            let first = &mut first_of_head[rule.head as usize];
            let mut chain = std::iter::successors(Some(*first), |&it| {
                groups.get(it as usize).map(|group| group.next)
            });
            let found = chain.by_ref().take(SEARCHED).find(|&it| {
                let group = groups.get(it as usize);
                group.is_some_and(|group| group.includes(rules, rule.body, position))
            });
            let group = found.unwrap_or_else(|| {
                let it = Group { rule: number as u32, position, rules: 0, next: *first };
                groups.push(it);
                *first = groups.len() as u32 - 1;
                *first
            });
            groups[group as usize].rules += 1;
            grouping.of_rule[number] = group;
            grouping.moves[number] = rule.body[position].atom();
        }
        Grouping { groups, ..grouping }
    }
}

/// A set of moves that some groups have in common.
#[derive(Clone, Copy)]
struct Set {
    start: u32,
    end: u32,
    /// How many groups have it.
    groups: u32,
    becomes: Becomes,
}

/// What takes the place of a group's move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Becomes {
    /// The rules stay as they are.
    Nothing,
    /// None of the moves is ever legal: the rules never apply.
    Never,
    /// Any move of the role will do.
    Always,
    /// One new atom, for the set or, negated, for the other moves.
    Literal(GroundLiteral),
}

/// The sets of moves of the groups.
struct Sets {
    sets: Vec<Set>,
    /// By group: its set, or [`NONE`].
    of_group: Vec<u32>,
    moves: Vec<u32>,
}

impl Sets {
    fn new(grouping: &Grouping, rules: &RuleStore, moves: &Moves) -> Sets {
        let mut ends = vec![0u32; grouping.groups.len()];
        let mut sum = 0;
        for (end, group) in ends.iter_mut().zip(&grouping.groups) {
            *end = sum;
            sum += group.rules;
        }
        let mut all = vec![0u32; sum as usize];
        for rule in 0..rules.len() {
            if let Some(end) = ends.get_mut(grouping.of_rule[rule] as usize) {
                all[*end as usize] = grouping.moves[rule];
                *end += 1;
            }
        }
        let mut sets: Vec<Set> = Vec::new();
        let mut by_hash: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        let mut of_group = vec![NONE; grouping.groups.len()];
        let mut kept: Vec<u32> = Vec::new();
        for (number, group) in grouping.groups.iter().enumerate().filter(|(_, it)| it.rules > 1) {
            let own = &mut all[(ends[number] - group.rules) as usize..ends[number] as usize];
            own.sort_unstable();
            let start = kept.len();
            kept.extend(own.iter().filter(|&&it| moves.is_possible(it)));
            let same = by_hash.entry(FxBuildHasher.hash_one(&kept[start..])).or_default();
            let known = same.iter().copied().find(|&it| {
                let set = sets[it as usize];
                kept[set.start as usize..set.end as usize] == kept[start..]
            });
            of_group[number] = known.unwrap_or_else(|| {
                let (start, end) = (start as u32, kept.len() as u32);
                same.push(sets.len() as u32);
                sets.push(Set { start, end, groups: 0, becomes: Becomes::Nothing });
                sets.len() as u32 - 1
            });
            if known.is_some() {
                kept.truncate(start);
            }
            sets[of_group[number] as usize].groups += 1;
        }
        Sets { sets, of_group, moves: kept }
    }

    /// Chooses what is shortest: the rules as they are, rules for the moves, or rules for the other moves.
    /// Returns the rules that define the new atoms, and how many these are.
    fn choose(&mut self, possible: &[u32], first_new: u32) -> (RuleStore, u32) {
        let (mut definitions, mut new) = (RuleStore::default(), 0);
        for set in &mut self.sets {
            let own = &self.moves[set.start as usize..set.end as usize];
            let others = possible.len() - own.len();
            let is_other = |it: &&u32| own.binary_search(it).is_err();
            set.becomes = match (own, others) {
                ([], _) => Becomes::Never,
                (_, 0) => Becomes::Always,
                (&[only], _) => Becomes::Literal(GroundLiteral::new(only, false)),
                (_, 1) => {
                    let other = possible.iter().find(is_other).expect("there is one");
                    Becomes::Literal(GroundLiteral::new(*other, true))
                }
                _ => {
                    let groups = set.groups as usize;
                    let after = groups + own.len().min(others);
                    if after as f64 > (groups * own.len()) as f64 * WORTH_IT {
                        continue;
                    }
                    let is_negated = others < own.len();
                    let others = possible.iter().filter(|it| is_negated && is_other(it));
                    let own = own.iter().filter(|_| !is_negated);
                    for &it in own.chain(others) {
                        definitions.push(first_new + new, &[GroundLiteral::new(it, false)]);
                    }
                    new += 1;
                    Becomes::Literal(GroundLiteral::new(first_new + new - 1, is_negated))
                }
            };
        }
        (definitions, new)
    }
}

/// Puts one rule in the place of each group whose set has become something else.
fn rewrite(
    rules: &RuleStore,
    grouping: &Grouping,
    sets: &Sets,
    pulse: &mut Pulse<'_>,
) -> RuleStore {
    let mut result = RuleStore::default();
    result.reserve(rules.len(), rules.literal_count());
    let mut body: Vec<GroundLiteral> = Vec::new();
    for (number, rule) in rules.iter().enumerate().take_while(|_| pulse.beat()) {
        let group = grouping.of_rule[number] as usize;
        let set = sets.of_group.get(group).and_then(|&set| sets.sets.get(set as usize));
        let becomes = set.map_or(Becomes::Nothing, |set| set.becomes);
        if becomes == Becomes::Nothing {
            result.push(rule.head, rule.body);
        } else if becomes != Becomes::Never && grouping.groups[group].rule as usize == number {
            body.clear();
            body.extend(rest(rule.body, grouping.groups[group].position));
            if let Becomes::Literal(literal) = becomes {
                body.push(literal);
            }
            body.sort_unstable();
            body.dedup();
            result.push(rule.head, &body);
        }
    }
    result
}

#[cfg(test)]
mod tests;
