//! The sets of moves that groups of rules speak of, one for each role.
//!
//! What atoms say is united for each group ([`Union`]), unless that is too much work ([`MoveWork`]).

use std::hash::BuildHasher;
use std::ops::Range;

use fxhash::{FxBuildHasher, FxHashMap};
use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};

use super::{Grouping, Meanings};
use crate::game::Moves;
use crate::simplify::subsumption::mix;
use crate::ticker::Ticker;
use crate::tuning::{MOST_LOOKED_AT, STEP_GAIN};

/// What sums may differ by if they are added up in another order.
const INEXACT: f64 = 1e-6;

const NONE: u32 = u32::MAX;

/// What says that one of a set of moves is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Becomes {
    /// Nothing: none of the moves is ever legal.
    Never,
    /// Nothing is needed: the role has no other move.
    Always,
    /// One move, or one that is not made, or a new atom, or that of the other moves, negated.
    Literal(GroundLiteral),
}

/// Some of the possible moves of a role.
#[derive(Clone, Copy)]
pub(super) struct MoveSet {
    role: u32,
    start: u32,
    end: u32,
    /// How many groups have it.
    groups: u32,
    pub(super) becomes: Becomes,
    /// Whether a new atom would have to be defined, or is.
    needs_atom: bool,
    /// How many rules define that atom.
    rules: u32,
    /// The set before it with the same hash.
    alike: Option<u32>,
}

/// The sets of all groups.
pub(super) struct MoveSets {
    sets: Vec<MoveSet>,
    moves: Vec<u32>,
    /// The sets of the groups, one group after the other.
    of_groups: Vec<u32>,
    /// By group: where its sets end.
    ends: Vec<u32>,
    /// By group: how many rules go with it.
    weights: Vec<f64>,
    /// By group: whether other rules take its place.
    pub(super) is_chosen: Vec<bool>,
}

impl MoveSets {
    pub(super) fn new(
        grouping: &Grouping,
        meanings: &Meanings<'_>,
        possible: &[Vec<u32>],
        ticker: &mut Ticker<'_>,
    ) -> Result<MoveSets, Exceeded> {
        let count = grouping.groups.len();
        let mut sets = MoveSets {
            sets: Vec::new(),
            moves: Vec::new(),
            of_groups: Vec::new(),
            ends: Vec::with_capacity(count),
            weights: vec![0.0; count],
            is_chosen: vec![false; count],
        };
        let work = MoveWork::new(grouping, meanings, ticker)?;
        let mut by_hash: FxHashMap<u64, u32> = FxHashMap::default();
        let mut united = Union::new(meanings.moves, possible.len());
        for (number, group) in grouping.groups.iter().enumerate() {
            ticker.tick()?;
            let same = work.alike[number] as usize;
            if same < number {
                for at in sets.range(same) {
                    let set = sets.of_groups[at];
                    sets.sets[set as usize].groups += 1;
                    sets.of_groups.push(set);
                }
                sets.weights[number] = sets.weights[same];
            } else if group.rules > 1 && work.moves[number] <= work.most {
                let atoms = grouping.atoms(number);
                for (role, own) in united.unite(atoms, meanings) {
                    let set = sets.intern(role, own, possible, &mut by_hash);
                    sets.of_groups.push(set);
                }
                sets.weights[number] = atoms.iter().map(|&it| meanings.weight(it)).sum();
            }
            sets.ends.push(sets.of_groups.len() as u32);
        }
        Ok(sets)
    }

    /// The set of some possible moves of a role.
    fn intern(
        &mut self,
        role: u32,
        own: &[u32],
        possible: &[Vec<u32>],
        by_hash: &mut FxHashMap<u64, u32>,
    ) -> u32 {
        let last = by_hash.entry(FxBuildHasher.hash_one((role, own))).or_insert(NONE);
        let alike = (*last != NONE).then_some(*last);
        let mut known = alike;
        while let Some(number) = known {
            let set = &mut self.sets[number as usize];
            if set.role == role && self.moves[set.start as usize..set.end as usize] == *own {
                set.groups += 1;
                return number;
            }
            known = set.alike;
        }
        let (becomes, needs_atom) = meaning(own, &possible[role as usize]);
        let others = possible[role as usize].len() - own.len();
        let start = self.moves.len() as u32;
        self.moves.extend_from_slice(own);
        let end = self.moves.len() as u32;
        let rules = (end - start).min(others as u32);
        *last = self.sets.len() as u32;
        self.sets.push(MoveSet { role, start, end, groups: 1, becomes, needs_atom, rules, alike });
        self.sets.len() as u32 - 1
    }

    /// Where the numbers of a group's sets are among `of_groups`.
    fn range(&self, group: usize) -> Range<usize> {
        let start = group.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[group] as usize
    }

    /// The sets of a group, one for each role that its rules speak of.
    pub(super) fn of_group(&self, group: usize) -> impl Iterator<Item = &MoveSet> {
        self.of_groups[self.range(group)].iter().map(|&it| &self.sets[it as usize])
    }

    /// Chooses the groups for which other rules are fewer. Returns the rules that define the new atoms, and
    /// how many these are.
    pub(super) fn choose(
        &mut self,
        possible: &[Vec<u32>],
        first_new: u32,
        code: impl Fn(u32) -> u64,
    ) -> (RuleStore, u32) {
        let mut is_used = vec![false; self.sets.len()];
        for number in 0..self.weights.len() {
            let weight = self.weights[number];
            // Groups of one rule, and those that would be too much work.
            if weight == 0.0 {
                continue;
            }
            let rules = self.of_group(number).map(|set| {
                let shared = f64::from(set.rules) / f64::from(set.groups);
                if set.needs_atom { 1.0 + shared } else { 1.0 }
            });
            if rules.sum::<f64>() <= weight * STEP_GAIN + INEXACT {
                self.is_chosen[number] = true;
                let own = &self.of_groups[self.range(number)];
                own.iter().for_each(|&it| is_used[it as usize] = true);
            }
        }
        // The moves of each set that the rules for its new atom are about, one set after the other.
        let mut defining: Vec<u32> = Vec::new();
        let mut named: Vec<(u32, u64, usize, Range<usize>)> = Vec::new();
        for (number, set) in self.sets.iter().enumerate() {
            if is_used[number] && set.needs_atom {
                let start = defining.len();
                let own = &self.moves[set.start as usize..set.end as usize];
                if set.is_most(possible) {
                    defining.extend(others(own, &possible[set.role as usize]));
                } else {
                    defining.extend_from_slice(own);
                }
                let own = start..defining.len();
                let codes = defining[start..].iter().map(|&it| code(it));
                named.push((set.rules, codes.fold(0, u64::wrapping_add), number, own));
            }
        }
        // Not in the order of the groups: the names of the atoms would depend on the order of rows in tables.
        named.sort_unstable_by_key(|&(rules, code, number, _)| (rules, code, number));
        let count = named.len() as u32;
        let mut definitions = RuleStore::default();
        for (new, (.., number, own)) in (first_new..).zip(named) {
            for &it in &defining[own] {
                definitions.push(new, &[GroundLiteral::new(it, false)]);
            }
            let is_negated = self.sets[number].is_most(possible);
            self.sets[number].becomes = Becomes::Literal(GroundLiteral::new(new, is_negated));
        }
        (definitions, count)
    }
}

impl MoveSet {
    /// Whether the role has fewer other moves.
    fn is_most(&self, possible: &[Vec<u32>]) -> bool {
        let own = (self.end - self.start) as usize;
        possible[self.role as usize].len() - own < own
    }
}

/// What says that one of these moves is made, and whether a new atom has to.
fn meaning(own: &[u32], possible: &[u32]) -> (Becomes, bool) {
    match (own, possible.len() - own.len()) {
        ([], _) => (Becomes::Never, false),
        (_, 0) => (Becomes::Always, false),
        (&[only], _) => (Becomes::Literal(GroundLiteral::new(only, false)), false),
        (_, 1) => {
            let other = others(own, possible).next().expect("there is one");
            (Becomes::Literal(GroundLiteral::new(other, true)), false)
        }
        _ => (Becomes::Never, true),
    }
}

/// The possible moves that are not in a set; both ascend, and all of the set are possible.
fn others<'a>(own: &'a [u32], possible: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    let mut own = own.iter().peekable();
    possible.iter().copied().filter(move |it| own.next_if_eq(&it).is_none())
}

/// Unites what atoms say about moves.
struct Union<'run> {
    moves: &'run Moves,
    /// By move, in words of 64: whether it is among them. Clear between two unions.
    bits: Vec<u64>,
    of_roles: Vec<OfRole>,
}

/// The moves of a role.
#[derive(Clone, Default)]
struct OfRole {
    /// Whether there are any, possible or not.
    is_there: bool,
    /// The possible ones, ascending.
    possible: Vec<u32>,
}

impl<'run> Union<'run> {
    fn new(moves: &'run Moves, roles: usize) -> Self {
        let bits = vec![0; moves.movers.len().div_ceil(64)];
        Union { moves, bits, of_roles: vec![OfRole::default(); roles] }
    }

    /// Unites moves, as atoms say. Returns the roles that these are of, ascending, with the possible moves of
    /// each.
    fn unite(
        &mut self,
        atoms: &[u32],
        meanings: &Meanings<'_>,
    ) -> impl Iterator<Item = (u32, &[u32])> {
        for it in &mut self.of_roles {
            it.is_there = false;
            it.possible.clear();
        }
        let mut add = |atom: u32| {
            let of_role = &mut self.of_roles[self.moves.mover(atom) as usize];
            of_role.is_there = true;
            if self.moves.is_possible(atom) {
                of_role.possible.push(atom);
            }
        };
        let moves = atoms.iter().flat_map(|it| meanings.of(it));
        for &it in moves {
            let position = it - self.moves.first;
            self.bits[position as usize / 64] |= 1 << (position % 64);
        }
        for (first, word) in (self.moves.first..).step_by(64).zip(&mut self.bits) {
            let mut left = std::mem::take(word);
            while left != 0 {
                add(first + left.trailing_zeros());
                left &= left - 1;
            }
        }
        let of_roles = (0..).zip(&self.of_roles).filter(|(_, it)| it.is_there);
        of_roles.map(|(role, it)| (role, &it.possible[..]))
    }
}

/// What there is to be done for the groups.
struct MoveWork {
    /// By group: the first one with the same atoms; groups with the same atoms have the same sets.
    alike: Vec<u32>,
    /// By group that is the first with its atoms: how many moves these speak of, each counted as often as it is.
    moves: Vec<u32>,
    /// What speaks of more moves is too much work: the groups stay as they are. Not a matter of which groups come
    /// first, or the rules would depend on the order of rows in tables.
    most: u32,
}

impl MoveWork {
    fn new(
        grouping: &Grouping,
        meanings: &Meanings<'_>,
        ticker: &mut Ticker<'_>,
    ) -> Result<MoveWork, Exceeded> {
        let count = grouping.groups.len();
        let mut work =
            MoveWork { alike: (0..count as u32).collect(), moves: vec![0; count], most: 0 };
        let mut by_atoms: FxHashMap<u64, u32> = FxHashMap::default();
        let mut comparison = SetComparison { marks: vec![0; grouping.uses.len()], last: 0 };
        let groups = grouping.groups.iter().enumerate().filter(|(_, group)| group.rules > 1);
        for (number, _) in groups {
            ticker.tick()?;
            let atoms = grouping.atoms(number);
            let unordered = atoms.iter().fold(0, |sum: u64, &it| sum.wrapping_add(mix(it)));
            let first = by_atoms.entry(unordered).or_insert(number as u32);
            if comparison.same(grouping.atoms(*first as usize), atoms) {
                work.alike[number] = *first;
            }
            if work.alike[number] == number as u32 {
                let moves: usize = atoms.iter().map(|it| meanings.of(it).len()).sum();
                work.moves[number] = u32::try_from(moves).unwrap_or(u32::MAX);
            }
        }
        let most = MOST_LOOKED_AT.max(4 * grouping.atom_count()) as u64;
        work.most = u32::MAX;
        if work.moves.iter().map(|&it| u64::from(it)).sum::<u64>() > most {
            let mut moves = work.moves.clone();
            moves.sort_unstable();
            let mut left = most;
            let of_size = moves.chunk_by(|left, right| left == right);
            let fit = of_size.take_while(|same| {
                let all = u64::from(same[0]) * same.len() as u64;
                left.checked_sub(all).map(|rest| left = rest).is_some()
            });
            work.most = fit.last().map_or(0, |it| it[0]);
        }
        Ok(work)
    }
}

/// Compares lists of atoms as sets.
struct SetComparison {
    /// By atom: the last comparison that has found it in the first list, if it has not met it in the second.
    marks: Vec<u32>,
    last: u32,
}

impl SetComparison {
    /// Whether two lists are the same, or have the same atoms, none of them twice.
    fn same(&mut self, left: &[u32], right: &[u32]) -> bool {
        if left == right || left.len() != right.len() {
            return left == right;
        }
        self.last += 1;
        left.iter().for_each(|&it| self.marks[it as usize] = self.last);
        right.iter().all(|&it| std::mem::replace(&mut self.marks[it as usize], 0) == self.last)
    }
}
