//! Moves: rules that differ only in the move say together that a role makes one of some moves.
//!
//! `next(c) <- true(c), does(r, a)` for each of the moves a in S becomes `next(c) <- true(c), some(S)`, with
//! `some(S) <- does(r, a)` for each a in S, once for all rules that speak of the same S. In every state a
//! role makes exactly one move. So where S is most of the moves, as in the frame rules of boards,
//! `not some(others)` takes the place of `some(S)`, with rules for the few other moves. A view that only says
//! which moves are made counts as these moves.

mod grouping;
mod sets;

use std::ops::Range;

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};

use crate::pulse::Pulse;
use grouping::Grouping;
use sets::{Becomes, Sets};

/// Of more rules than this, some are grouped first, to see whether it pays:
const WORTH_A_SAMPLE: usize = 20_000;
/// those with one head of so many.
const SAMPLED: u32 = 13;
/// What a mover is called that is no role.
pub const NOBODY: u32 = u32::MAX;
/// A body may have more literals about moves; so many are tried.
const TRIED: usize = 4;

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
    fn mover(&self, atom: u32) -> u32 {
        let position = atom.wrapping_sub(self.first) as usize;
        self.movers.get(position).copied().unwrap_or(NOBODY)
    }

    fn is_possible(&self, atom: u32) -> bool {
        self.is_possible[(atom - self.first) as usize]
    }

    /// The possible moves of each role, ascending.
    fn possible(&self) -> Vec<Vec<u32>> {
        let roles = self.movers.iter().filter(|&&it| it != NOBODY).max().map_or(0, |it| it + 1);
        let mut possible = vec![Vec::new(); roles as usize];
        for (position, (&mover, &is_possible)) in
            self.movers.iter().zip(&self.is_possible).enumerate()
        {
            if mover != NOBODY && is_possible {
                possible[mover as usize].push(self.first + position as u32);
            }
        }
        possible
    }
}

/// What merging rules has changed.
#[derive(Debug, Default)]
pub struct Merged {
    /// How many new atoms there are.
    pub atoms: u32,
    /// The heads of new rules.
    pub heads: Vec<u32>,
}

/// Merges rules. New atoms, which stand for sets of moves, are numbered from `first_new`, above all others.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn merge(
    rules: &mut RuleStore,
    moves: &Moves,
    is_view: impl Fn(u32) -> bool,
    first_new: u32,
    pulse: &mut Pulse<'_>,
) -> Result<Merged, Exceeded> {
    let possible = moves.possible();
    let mut merged = Merged::default();
    let mut known = None;
    for attempt in 0..TRIED {
        let first_new = first_new + merged.atoms;
        let meanings = match known.take() {
            Some(meanings) => meanings,
            None => Meanings::new(rules, moves, &is_view, first_new, pulse)?,
        };
        if rules.len() > WORTH_A_SAMPLE {
            let sample = |head: u32| head.is_multiple_of(SAMPLED);
            let sample = Grouping::new(rules, &meanings, attempt, sample, pulse);
            pulse.finish()?;
            if !sample.is_promising() {
                break;
            }
        }
        let grouping = Grouping::new(rules, &meanings, attempt, |_| true, pulse);
        pulse.finish()?;
        let mut sets = Sets::new(&grouping, &meanings, moves, &possible, pulse);
        pulse.finish()?;
        let (definitions, named) = sets.choose(&possible, first_new);
        if sets.is_chosen.contains(&true) {
            *rules = rewrite(rules, &grouping, &sets, &mut merged.heads, pulse);
            pulse.finish()?;
            rules.append(&definitions, |literal| literal);
            merged.heads.extend(first_new..first_new + named);
            merged.atoms += named;
        } else {
            known = Some(meanings);
        }
        if !grouping.has_more {
            break;
        }
    }
    Ok(merged)
}

/// What atoms say about moves: which of some is made.
struct Meanings {
    /// By atom: where its moves begin; they end where those of the next atom begin.
    starts: Vec<u32>,
    moves: Vec<u32>,
    /// By atom: in how many bodies it is; many if it is negated in one.
    uses: Vec<u32>,
}

impl Meanings {
    fn new(
        rules: &RuleStore,
        moves: &Moves,
        is_view: &impl Fn(u32) -> bool,
        atoms: u32,
        pulse: &mut Pulse<'_>,
    ) -> Result<Meanings, Exceeded> {
        let mut counts = vec![0u32; atoms as usize];
        let mut uses = vec![0u32; atoms as usize];
        for rule in rules.iter().take_while(|_| pulse.beat()) {
            let count = &mut counts[rule.head as usize];
            match rule.body {
                [it] if !it.is_negated() && moves.mover(it.atom()) != NOBODY => {
                    *count = count.saturating_add(1);
                }
                _ => *count = u32::MAX,
            }
            for literal in rule.body {
                let own = &mut uses[literal.atom() as usize];
                *own = own.saturating_add(if literal.is_negated() { u32::MAX } else { 1 });
            }
        }
        pulse.finish()?;
        // Where the moves of each atom begin stands one behind it until they have been put in.
        let mut starts = Vec::with_capacity(atoms as usize + 2);
        starts.push(0);
        let mut end = 0;
        for (atom, own) in counts.iter_mut().enumerate() {
            if moves.mover(atom as u32) != NOBODY {
                *own = 1;
            } else if *own == u32::MAX || (*own > 0 && !is_view(atom as u32)) {
                *own = 0;
            }
            starts.push(end);
            end += *own;
        }
        let mut all = vec![0; end as usize];
        let mut add = |atom: u32, made: u32| {
            let next = &mut starts[atom as usize + 1];
            all[*next as usize] = made;
            *next += 1;
        };
        for (position, _) in moves.movers.iter().enumerate().filter(|it| *it.1 != NOBODY) {
            let atom = moves.first + position as u32;
            add(atom, atom);
        }
        for rule in rules.iter().filter(|rule| rule.body.len() == 1) {
            if counts[rule.head as usize] > 0 && moves.mover(rule.head) == NOBODY {
                add(rule.head, rule.body[0].atom());
            }
        }
        Ok(Meanings { starts, moves: all, uses })
    }

    /// How many atoms there are.
    fn len(&self) -> usize {
        self.uses.len()
    }

    /// The moves of which an atom says that one is made; none if it says something else.
    fn of(&self, atom: u32) -> &[u32] {
        &self.moves[self.range(atom)]
    }

    fn range(&self, atom: u32) -> Range<usize> {
        let atom = atom as usize;
        self.starts[atom] as usize..self.starts[atom + 1] as usize
    }

    fn is_about_moves(&self, literal: GroundLiteral) -> bool {
        !literal.is_negated() && !self.range(literal.atom()).is_empty()
    }

    /// How many rules go if a rule with this atom does: itself, and its share of those of a view.
    fn weight(&self, moves: &Moves, atom: u32) -> f64 {
        let is_view = moves.mover(atom) == NOBODY;
        let rules = if is_view { self.of(atom).len() } else { 0 };
        1.0 + rules as f64 / f64::from(self.uses[atom as usize])
    }
}

/// Puts the rules that are chosen for each group in its place.
fn rewrite(
    rules: &RuleStore,
    grouping: &Grouping,
    sets: &Sets,
    heads: &mut Vec<u32>,
    pulse: &mut Pulse<'_>,
) -> RuleStore {
    let mut result = RuleStore::default();
    result.reserve(rules.len(), rules.literal_count());
    let mut body: Vec<GroundLiteral> = Vec::new();
    for (number, rule) in rules.iter().enumerate().take_while(|_| pulse.beat()) {
        let Some(group) = grouping.group(number).filter(|&it| sets.is_chosen[it]) else {
            result.push(rule.head, rule.body);
            continue;
        };
        let first = &grouping.groups[group];
        if first.rule as usize != number {
            continue;
        }
        heads.push(rule.head);
        let becomes = || sets.of_group(group).map(|set| set.becomes);
        let is_always = becomes().any(|it| it == Becomes::Always);
        for it in becomes() {
            body.clear();
            body.extend(grouping::rest(rule.body, first.position));
            match it {
                Becomes::Never => continue,
                Becomes::Literal(_) if is_always => continue,
                Becomes::Always => {}
                Becomes::Literal(literal) => body.push(literal),
            }
            body.sort_unstable();
            body.dedup();
            result.push(rule.head, &body);
            if is_always {
                break;
            }
        }
    }
    result
}

#[cfg(test)]
mod tests;
