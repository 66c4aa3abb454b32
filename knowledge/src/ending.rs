//! What never comes back, and what ends a match: counters, and clocks, which are fluents each of which makes the next one hold,
//! whatever is done, until the end.

use std::collections::BTreeSet;

use fxhash::FxHashMap;
use groundfrog::game::{AtomId, GroundGame};
use groundfrog_reasoner::{FluentId, State};
use rustsat::types::Lit;

use crate::condition::Condition;
use crate::formula::Answer;
use crate::measure::{Measure, Weights};
use crate::unrolling::Unrolling;

/// Groups with more fluents are no counters.
const LONGEST_COUNTER: usize = 512;
/// No more groups are looked at.
const MOST_COUNTERS: usize = 48;

/// The fluents that never go in the steps.
pub(crate) fn staying(game: &GroundGame, steps: &[(&State, &State)]) -> Vec<AtomId> {
    let mut stays = vec![true; game.fluents().count()];
    for (before, after) in steps {
        for FluentId(fluent) in before.fluents().filter(|&fluent| !after.contains(fluent)) {
            stays[fluent as usize] = false;
        }
    }
    game.fluents().zip(stays).filter(|it| it.1).map(|it| it.0).collect()
}

/// The order in which the values of a group follow each other.
#[derive(Clone, Debug)]
pub(crate) struct CountedGroup {
    /// Position of the group.
    pub(crate) group: usize,
    /// Whether every joint move changes the value.
    pub(crate) every_move: bool,
    /// Every change makes the sum of these greater.
    pub(crate) weights: Weights,
}

impl CountedGroup {
    /// The value is the same after a joint move, unless every one changes it, or comes later.
    pub(crate) fn condition(&self, game: &GroundGame) -> Condition {
        let grows = Condition::Grows(Measure { levels: vec![self.weights.clone()], rests: 0 });
        if self.every_move {
            return grows;
        }
        let stays = |&(fluent, _): &(AtomId, i64)| {
            let next = game.next(fluent).map_or_else(Condition::never, Condition::Atom);
            let now = Condition::Atom(fluent);
            Condition::All(vec![now.clone().implies(next.clone()), next.implies(now)])
        };
        let stays = Condition::All(self.weights.iter().map(stays).collect());
        Condition::Any(vec![stays, grows])
    }
}

/// The groups whose values follow each other without a way back.
pub(crate) fn counters(
    unrolling: &mut Unrolling<'_>,
    groups: &[Vec<AtomId>],
    steps: &[(&State, &State)],
) -> Vec<CountedGroup> {
    let mut small: Vec<usize> = (0..groups.len())
        .filter(|&group| (2..=LONGEST_COUNTER).contains(&groups[group].len()))
        .collect();
    small.sort_by_key(|&group| std::cmp::Reverse(groups[group].len()));
    small.truncate(MOST_COUNTERS);
    // Those with few values take the least time.
    small.reverse();
    let order = |group: usize| {
        let (every_move, weights) = order(unrolling, &groups[group], steps)?;
        Some(CountedGroup { group, every_move, weights })
    };
    small.into_iter().filter_map(order).collect()
}

/// Weights by which every change of a group's value makes a greater one of it, if there is no way back to a value; and whether
/// every joint move changes it. That no fluent of the group holds is a value as well, of weight 0.
fn order(
    unrolling: &mut Unrolling<'_>,
    group: &[AtomId],
    steps: &[(&State, &State)],
) -> Option<(bool, Weights)> {
    let none = group.len();
    let first = unrolling.game.fluents().next().map_or(0, |fluent| fluent.0);
    let value_in = |state: &State| {
        group.iter().position(|it| state.contains(FluentId(it.0 - first))).unwrap_or(none)
    };
    let mut follows = Follows::default();
    for (before, after) in steps {
        follows.entry(value_in(before)).or_default().insert(value_in(after));
    }
    longest(&follows, none + 1)?;
    let before: Vec<Lit> = group.iter().map(|&fluent| unrolling.literal(0, fluent)).collect();
    let after: Vec<Lit> = group.iter().map(|&fluent| unrolling.literal(1, fluent)).collect();
    let searching = unrolling.formula.variable();
    // Neither this value before nor that one after: one of the fluents differs.
    let exclude = |unrolling: &mut Unrolling<'_>, from: usize, to: usize| {
        let mut other: Vec<Lit> = vec![!searching];
        for (literals, value) in [(&before, from), (&after, to)] {
            match literals.get(value) {
                Some(&literal) => other.push(!literal),
                None => other.extend(literals),
            }
        }
        unrolling.formula.add(&other);
    };
    for (&from, after) in &follows {
        after.iter().for_each(|&to| exclude(unrolling, from, to));
    }
    let assumptions = [unrolling.goes_on(0), searching];
    for _ in 0..group.len() * 4 + 16 {
        match unrolling.solve(&assumptions) {
            Answer::Unknown => return None,
            Answer::Unsatisfiable => {
                let lengths = longest(&follows, none + 1)?;
                let weight = |value: usize| lengths[none] as i64 - lengths[value] as i64;
                let weights = group.iter().enumerate().map(|(value, &it)| (it, weight(value)));
                let every_move = follows.iter().all(|(from, after)| !after.contains(from));
                return Some((every_move, weights.collect()));
            }
            Answer::Satisfiable => {}
        }
        let formula = &unrolling.formula;
        let value =
            |literals: &[Lit]| literals.iter().position(|&it| formula.value(it)).unwrap_or(none);
        let (from, to) = (value(&before), value(&after));
        follows.entry(from).or_default().insert(to);
        longest(&follows, none + 1)?;
        exclude(unrolling, from, to);
    }
    None
}

/// By node: those that follow it.
pub(crate) type Follows = FxHashMap<usize, BTreeSet<usize>>;

/// By node: the length of the longest way from there, if there is no cycle but from a node to itself.
pub(crate) fn longest(follows: &Follows, nodes: usize) -> Option<Vec<u64>> {
    let mut lengths = vec![0u64; nodes];
    // Each round settles one node more at least; after as many rounds as nodes a change shows a cycle.
    for _ in 0..=nodes {
        let mut is_changed = false;
        for (&from, after) in follows {
            let others = after.iter().filter(|&&to| to != from);
            let length = others.map(|&to| lengths[to] + 1).max().unwrap_or(0);
            is_changed |= length != lengths[from];
            lengths[from] = length;
        }
        if !is_changed {
            return Some(lengths);
        }
    }
    None
}

/// The joint moves after which every match is over, where a clock ends it: from a fluent of the initial state on, each makes the next
/// one hold by rules with one literal each, and the last one ends the match. It follows from the rules alone.
pub(crate) fn last_move(game: &GroundGame) -> Option<u64> {
    let terminal = game.terminal()?;
    // By atom: what holds where it does.
    let mut implied: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for rule in game.rules().iter() {
        if let [literal] = rule.body
            && !literal.is_negated()
        {
            implied.entry(literal.atom()).or_default().push(rule.head);
        }
    }
    let after: FxHashMap<AtomId, AtomId> =
        game.fluents().filter_map(|fluent| Some((game.next(fluent)?, fluent))).collect();
    let (mut met, mut here) = (vec![false; game.atom_count()], game.init().to_vec());
    for moves in 0.. {
        let mut following = Vec::new();
        while let Some(atom) = here.pop() {
            if std::mem::replace(&mut met[atom.index()], true) {
                continue;
            }
            if atom == terminal {
                return Some(moves);
            }
            following.extend(after.get(&atom));
            here.extend(implied.get(&atom.0).into_iter().flatten().map(|&it| AtomId(it)));
        }
        if following.is_empty() {
            break;
        }
        here = following;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use groundfrog_reasoner::GroundReasoner;

    fn last_move_of(text: &str) -> Option<u64> {
        last_move(GroundReasoner::of_text(text).expect("a game").game())
    }

    #[test]
    fn a_clock_ends_matches_and_nothing_else_does() {
        let rules = "(role a) (init (at 0)) (init (lamp off)) (succ 0 1) (succ 1 2) (succ 2 3) (legal a wait) (legal a switch)
            (<= (next (lamp on)) (does a switch)) (<= (next (lamp ?l)) (true (lamp ?l)) (does a wait)) (goal a 100)";
        let clock = "(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))";
        let waits = "(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m) (does a switch)) (<= (next (at ?n)) (true (at ?n)) (does a wait))";
        let late = "(<= late (true (at 3))) (<= terminal late)";
        assert_eq!(last_move_of(&format!("{rules} {clock} {late}")), Some(3));
        assert_eq!(last_move_of(&format!("{rules} {clock} (<= terminal (true (at 2)))")), Some(2));
        assert_eq!(last_move_of(&format!("{rules} {waits} {late}")), None);
        let lit = "(<= terminal (true (at 3)) (true (lamp on)))";
        assert_eq!(last_move_of(&format!("{rules} {clock} {lit}")), None);
    }
}
