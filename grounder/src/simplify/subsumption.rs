//! Rules that say nothing new: the body contains the body of another rule with the same head, or a literal
//! and its negation.
//!
//! A body that contains another contains in particular the other's rarest literal. So the rules of an atom
//! are filed under their rarest literals, and each is compared only with those filed under one of its own.
//! Where literals are in many bodies the search is cut short, and superfluous rules may stay.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{Edits, GroundLiteral, RuleStore};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use smallvec::SmallVec;

use crate::ticker::Ticker;
use crate::tuning::MOST_RULES_COMPARED;

/// The end of a list of rules. Zero, as memory that is all zero comes without being written.
const END: u32 = 0;

/// Removes contradictory and subsumed rules where `concerns` the head, and where it `may_repeat` also all but
/// the first of equal rules. Returns whether anything changed.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn remove_subsumed(
    rules: &mut RuleStore,
    atoms: usize,
    concerns: impl Fn(u32) -> bool,
    may_repeat: impl Fn(u32) -> bool,
    ticker: &mut Ticker<'_>,
) -> Result<bool, Exceeded> {
    let edits = subsumed(rules, atoms, concerns, may_repeat, ticker)?;
    rules.edit(&edits);
    Ok(!edits.is_empty())
}

/// What [`remove_subsumed`] removes.
///
/// # Errors
/// A limit that was exceeded.
pub fn subsumed(
    rules: &RuleStore,
    atoms: usize,
    concerns: impl Fn(u32) -> bool,
    may_repeat: impl Fn(u32) -> bool,
    ticker: &mut Ticker<'_>,
) -> Result<Edits, Exceeded> {
    let mut search = SubsumptionSearch::new(rules, atoms);
    let lengths = search.drop_contradictions(&concerns, ticker)?;
    let may_be_subsumed = |atom: u32| lengths[atom as usize].differ();
    search.each_atom(
        |atom| may_be_subsumed(atom) || may_repeat(atom),
        |search, atom, its_rules| {
            if may_repeat(atom) {
                search.drop_repeated(its_rules, ticker)?;
            }
            if may_be_subsumed(atom) {
                search.drop_subsumed(its_rules, ticker)?;
            }
            Ok(())
        },
    )?;
    Ok(search.found())
}

/// Removes all but the first of equal rules about the atoms whose rules have become shorter.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn remove_repeated_of(
    rules: &mut RuleStore,
    is_shortened: &[bool],
    ticker: &mut Ticker<'_>,
) -> Result<(), Exceeded> {
    if is_shortened.contains(&true) {
        let concerns = |head: u32| is_shortened[head as usize];
        remove_repeated(rules, is_shortened.len(), concerns, ticker)?;
    }
    Ok(())
}

/// Removes all but the first of rules with the same head and the same set of literals, where `concerns` the
/// head. Returns whether anything changed.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn remove_repeated(
    rules: &mut RuleStore,
    atoms: usize,
    concerns: impl Fn(u32) -> bool,
    ticker: &mut Ticker<'_>,
) -> Result<bool, Exceeded> {
    let mut search = SubsumptionSearch::new(rules, atoms);
    search.each_atom(concerns, |search, _, its_rules| search.drop_repeated(its_rules, ticker))?;
    let edits = search.found();
    rules.edit(&edits);
    Ok(!edits.is_empty())
}

/// The least and the greatest length of some bodies. Lengths from 2^16 - 1 on count as equal: such rules are
/// not worth a comparison.
#[derive(Clone, Copy, Default)]
struct Lengths {
    /// One more than the least; 0 if there is no body.
    least: u16,
    most: u16,
}

impl Lengths {
    fn add(&mut self, length: usize) {
        let length = u16::try_from(length + 1).unwrap_or(u16::MAX);
        self.most = self.most.max(length);
        self.least = if self.least == 0 { length } else { self.least.min(length) };
    }

    fn differ(self) -> bool {
        self.least < self.most
    }
}

struct SubsumptionSearch<'run> {
    rules: &'run RuleStore,
    atoms: usize,
    dropped: Vec<bool>,
    changed: bool,
    // What there is by literal is made when it is first needed: mostly it is not.
    /// By literal: in how many bodies of the atom at hand it is.
    frequency: Vec<u32>,
    /// By literal: one more than the first position of the rules filed under it.
    first: Vec<u32>,
    /// By position: one more than the next one filed under the same literal.
    after: Vec<u32>,
    /// By position: a bit for each literal; a body that contains another has all its bits.
    masks: Vec<u64>,
    /// By literal: the last body that was found to have it, counted over all atoms.
    mark: Vec<u32>,
    marked: u32,
    /// By literal: the number of the atom at hand, and in the low 16 bits the length of the longest body.
    longest: Vec<u64>,
    /// How many atoms were looked at, in the same bits.
    looked_at: u64,
}

impl<'run> SubsumptionSearch<'run> {
    fn new(rules: &'run RuleStore, atoms: usize) -> Self {
        SubsumptionSearch {
            rules,
            atoms,
            dropped: vec![false; rules.len()],
            changed: false,
            frequency: Vec::new(),
            first: Vec::new(),
            after: Vec::new(),
            masks: Vec::new(),
            mark: Vec::new(),
            marked: 0,
            longest: Vec::new(),
            looked_at: 0,
        }
    }

    #[inline]
    fn body(&self, rule: u32) -> &'run [GroundLiteral] {
        self.rules.rule(rule as usize).body
    }

    fn drop(&mut self, rule: u32) {
        self.dropped[rule as usize] = true;
        self.changed = true;
    }

    /// What was dropped.
    fn found(self) -> Edits {
        let mut edits = Edits::default();
        if self.changed {
            let dropped = self.dropped.iter().enumerate().filter(|it| *it.1);
            dropped.for_each(|(rule, _)| edits.drop(rule));
        }
        edits
    }

    /// Looks at the rules of each atom that is demanded.
    fn each_atom(
        &mut self,
        demanded: impl Fn(u32) -> bool,
        mut look_at: impl FnMut(&mut Self, u32, &[u32]) -> Result<(), Exceeded>,
    ) -> Result<(), Exceeded> {
        if !self.rules.heads().iter().any(|&head| demanded(head)) {
            return Ok(());
        }
        let by_head = self.rules.by_head(self.atoms, &demanded);
        for atom in (0..self.atoms as u32).filter(|&atom| demanded(atom)) {
            look_at(self, atom, by_head.row(atom as usize))?;
        }
        Ok(())
    }

    /// Drops rules with a literal and its negation. Returns the lengths of the others by head.
    fn drop_contradictions(
        &mut self,
        concerns: impl Fn(u32) -> bool,
        ticker: &mut Ticker<'_>,
    ) -> Result<Vec<Lengths>, Exceeded> {
        let mut lengths = vec![Lengths::default(); self.atoms];
        for (number, rule) in self.rules.iter().enumerate() {
            ticker.tick()?;
            if !concerns(rule.head) {
                continue;
            }
            if is_contradictory(rule.body) {
                self.drop(number as u32);
            } else {
                lengths[rule.head as usize].add(rule.body.len());
            }
        }
        Ok(lengths)
    }

    /// Drops the rules of one atom whose bodies are those of earlier ones.
    fn drop_repeated(&mut self, rules: &[u32], ticker: &mut Ticker<'_>) -> Result<(), Exceeded> {
        if rules.len() < 2 {
            return Ok(());
        }
        let mut stored: HashTable<(u64, u32)> = HashTable::with_capacity(rules.len());
        for &rule in rules {
            ticker.tick()?;
            let body = self.body(rule);
            let own = hash(body);
            let is_same =
                |&(hash, other): &(u64, u32)| hash == own && same_set(self.body(other), body);
            match stored.entry(own, is_same, |it| it.0) {
                Entry::Occupied(_) => self.drop(rule),
                Entry::Vacant(free) => _ = free.insert((own, rule)),
            }
        }
        Ok(())
    }

    /// Drops the rules of one atom that others with shorter bodies subsume.
    fn drop_subsumed(&mut self, rules: &[u32], ticker: &mut Ticker<'_>) -> Result<(), Exceeded> {
        let left = |search: &Self, rule: &u32| !search.dropped[*rule as usize];
        let lengths = rules.iter().filter(|it| left(self, it)).map(|&it| self.body(it).len());
        let (least, most) =
            lengths.fold((usize::MAX, 0), |(least, most), it| (least.min(it), most.max(it)));
        if least >= most {
            return Ok(());
        }
        if least == 0 {
            for &rule in rules {
                if !self.body(rule).is_empty() {
                    self.drop(rule);
                }
            }
            return Ok(());
        }
        if !self.has_covered(rules) {
            return Ok(());
        }
        self.count(rules);
        self.file(rules, most);
        for position in 0..rules.len() {
            let longer = left(self, &rules[position]) && self.body(rules[position]).len() > least;
            ticker.tick()?;
            if longer && self.is_subsumed(rules, position, ticker)? {
                self.drop(rules[position]);
            }
        }
        for &rule in rules {
            for literal in self.body(rule) {
                self.frequency[literal.code() as usize] = 0;
                self.first[literal.code() as usize] = END;
            }
        }
        Ok(())
    }

    /// Whether all literals of some body are in longer ones, if not in a single one; else no body is part of
    /// another. That is mostly so, and much faster to see than which is part of which.
    fn has_covered(&mut self, rules: &[u32]) -> bool {
        self.longest.resize(self.atoms * 2, 0);
        self.looked_at += 1 << 16;
        let looked_at = self.looked_at;
        let mark = |body: &[GroundLiteral]| looked_at | body.len().min(0xffff) as u64;
        for &rule in rules.iter().filter(|&&rule| !self.dropped[rule as usize]) {
            let body = self.rules.rule(rule as usize).body;
            for literal in body {
                let longest = &mut self.longest[literal.code() as usize];
                *longest = mark(body).max(*longest);
            }
        }
        rules.iter().any(|&rule| {
            let body = self.body(rule);
            let in_longer = |it: &GroundLiteral| self.longest[it.code() as usize] > mark(body);
            !self.dropped[rule as usize] && body.iter().all(in_longer)
        })
    }

    fn count(&mut self, rules: &[u32]) {
        self.masks.clear();
        self.frequency.resize(self.atoms * 2, 0);
        for &rule in rules {
            let mut mask = 0;
            for literal in self.body(rule) {
                self.frequency[literal.code() as usize] += 1;
                mask |= 1u64 << (literal.code().wrapping_mul(0x9e37_79b1) >> 26);
            }
            self.masks.push(mask);
        }
    }

    /// Files each rule that is left under its rarest literal, but for the longest.
    fn file(&mut self, rules: &[u32], most: usize) {
        self.after.clear();
        self.first.resize(self.atoms * 2, END);
        self.mark.resize(self.atoms * 2, 0);
        for (position, &rule) in rules.iter().enumerate() {
            self.after.push(END);
            let body = self.body(rule);
            if body.len() == most || self.dropped[rule as usize] {
                continue;
            }
            let frequency = |it: &&GroundLiteral| self.frequency[it.code() as usize];
            if let Some(literal) = body.iter().min_by_key(frequency) {
                let first = &mut self.first[literal.code() as usize];
                self.after[position] = std::mem::replace(first, position as u32 + 1);
            }
        }
    }

    /// Whether another rule's shorter body is part of this one's.
    fn is_subsumed(
        &mut self,
        rules: &[u32],
        position: usize,
        ticker: &mut Ticker<'_>,
    ) -> Result<bool, Exceeded> {
        let body = self.body(rules[position]);
        let mut is_marked = false;
        let mut allowed = MOST_RULES_COMPARED;
        for literal in body {
            let mut other = self.first[literal.code() as usize];
            while other != END && allowed > 0 {
                allowed -= 1;
                let part = other as usize - 1;
                other = self.after[part];
                if self.masks[part] & !self.masks[position] != 0 {
                    continue;
                }
                let shorter = self.body(rules[part]);
                if shorter.len() >= body.len() {
                    continue;
                }
                ticker.tick()?;
                if !std::mem::replace(&mut is_marked, true) {
                    self.marked += 1;
                    body.iter().for_each(|it| self.mark[it.code() as usize] = self.marked);
                }
                if shorter.iter().all(|it| self.mark[it.code() as usize] == self.marked) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// Whether a body has a literal and its negation.
fn is_contradictory(body: &[GroundLiteral]) -> bool {
    let (some, all) =
        body.iter().fold((0, 1), |(some, all), it| (some | it.code(), all & it.code()));
    if some & !all & 1 == 0 {
        return false;
    }
    // Most bodies with both signs show that they have not by a bit for each atom.
    let mut bits = [0u64; 2];
    for literal in body {
        let bit = literal.atom().wrapping_mul(0x9e37_79b1) >> 26;
        bits[usize::from(literal.is_negated())] |= 1 << bit;
    }
    let negation = |it: &GroundLiteral| GroundLiteral::from_code(it.code() ^ 1);
    bits[0] & bits[1] != 0 && body.iter().any(|it| it.is_negated() && body.contains(&negation(it)))
}

/// A hash of a body, a set of literals, that does not depend on the order: a sum. What is summed must be far from linear, as bodies in which
/// two literals trade a part of their numbers are common.
#[inline]
pub(crate) fn hash(body: &[GroundLiteral]) -> u64 {
    body.iter().fold(0, |sum: u64, it| sum.wrapping_add(mix(it.code())))
}

/// What such sums are made of.
#[inline]
pub(crate) fn mix(number: impl Into<u64>) -> u64 {
    const SPREADS: u64 = 0xf135_7aea_2e62_a9c5;
    const FOLDS: u64 = 0x9e37_79b9_7f4a_7c15;
    let spread = number.into().wrapping_add(1).wrapping_mul(SPREADS);
    let product = u128::from(spread) * u128::from(FOLDS);
    product as u64 ^ (product >> 64) as u64
}

/// Whether two bodies, sets both, are the same set.
pub(crate) fn same_set(left: &[GroundLiteral], right: &[GroundLiteral]) -> bool {
    left.len() == right.len() && left.iter().all(|it| right.contains(it))
}

/// The codes of a body's literals but one, in the same order however the body lists them.
pub(crate) fn sorted_without(body: &[GroundLiteral], own: u32) -> SmallVec<[u32; 16]> {
    let codes = body.iter().map(|it| it.code());
    let mut rest: SmallVec<[u32; 16]> = codes.filter(|it| *it != own).collect();
    rest.sort_unstable();
    rest
}
