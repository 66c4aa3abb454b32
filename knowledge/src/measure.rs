//! Measures of states that every joint move makes greater: a match ends when there is no greater value.
//!
//! A measure has levels, each a sum of the weights of the fluents that hold; of two states the one is greater whose first
//! level that differs is. Levels are learned from joint moves, the first as one that none of them makes less; those that it
//! leaves the same are left to the next ones. Then the solver looks for a joint move that does not make the measure greater, from
//! which it is learned again. Where some joint moves leave every level the same, as passing does, they must not follow each other.

mod levels;

use std::collections::BTreeMap;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::game::AtomId;
use rustsat::types::Lit;

use crate::changes::{Changes, Choice, choice, sum_of};
use crate::families::Form;
use crate::formula::Answer;
use crate::unrolling::Unrolling;
use levels::Learner;

/// Weights of fluents.
pub(crate) type Weights = Vec<(AtomId, i64)>;

/// A measure of states.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Measure {
    /// The first counts most.
    pub(crate) levels: Vec<Weights>,
    /// So many joint moves in a row at most leave it the same, as where all roles pass but one.
    pub(crate) rests: usize,
}

/// Fluents that a joint move lets hold no more, and those that it lets hold, each ascending.
pub(crate) type Change = (Vec<AtomId>, Vec<AtomId>);

/// How often the solver may find another joint move.
const ROUNDS: usize = 200;
/// How many it may find each time.
const MOST_FOUND: usize = 64;
/// More joint moves are not learned from at first.
const MOST_CHANGES: usize = 3000;

/// A literal that holds nowhere but where the joint move made in a state makes the measure greater, or leaves it the same if it
/// may rest.
pub(crate) fn grows(unrolling: &mut Unrolling<'_>, state: usize, measure: &Measure) -> Lit {
    let levels = Levels::new(measure, &[]);
    let all: Vec<usize> = (0..levels.groups.len()).collect();
    !levels.fails(unrolling, state, &all, measure.rests > 0)
}

/// Looks for a measure that each joint move makes greater. Of each of the groups one fluent at most holds. `follow` says what
/// changes with the joint move in the model that the solver found last.
pub(crate) fn learn<'game>(
    unrolling: &mut Unrolling<'game>,
    forms: &[Form],
    groups: &[Vec<AtomId>],
    changes: impl Iterator<Item = Change>,
    mut follow: impl FnMut(&Unrolling<'game>) -> Option<Change>,
) -> Option<Measure> {
    let mut seen: FxHashSet<Change> = FxHashSet::default();
    let mut learner = Learner::new(forms, groups);
    for change in changes {
        if seen.len() >= MOST_CHANGES {
            break;
        }
        if !seen.contains(&change) {
            learner.add(&change);
            seen.insert(change);
        }
    }
    for _ in 0..ROUNDS {
        if unrolling.formula.is_over() {
            return None;
        }
        let (mut measure, is_strict) = learner.measure()?;
        let levels = Levels::new(&measure, groups);
        if is_strict && levels.grow_by_groups(unrolling) {
            return Some(measure);
        }
        let changes = Changes::new(unrolling, 0, &[], &levels.groups)?;
        let fails = |unrolling: &mut Unrolling<'game>, changed: &[usize]| {
            levels.fails(unrolling, 0, changed, !is_strict)
        };
        let mut new = Vec::new();
        let found = |unrolling: &Unrolling<'game>| {
            let change = follow(unrolling);
            new.extend(change.filter(|it| seen.insert(it.clone())));
            new.len() < MOST_FOUND
        };
        match changes.solve(unrolling, fails, found) {
            Answer::Unsatisfiable if is_strict => return Some(measure),
            Answer::Unsatisfiable => {
                let fails = |unrolling: &mut Unrolling<'game>, changed: &[usize]| {
                    levels.fails(unrolling, 0, changed, false)
                };
                let growing = changes.keeping(unrolling, fails);
                measure.rests = rests(unrolling, &growing)?;
                return Some(measure);
            }
            Answer::Unknown => return None,
            Answer::Satisfiable if new.is_empty() => return None,
            Answer::Satisfiable => new.iter().for_each(|change| learner.add(change)),
        }
    }
    None
}

/// How many joint moves in a row can be made without one of these moves.
fn rests(unrolling: &mut Unrolling<'_>, growing: &[AtomId]) -> Option<usize> {
    let mut assumptions = Vec::new();
    for state in 0..=unrolling.game.roles().len().max(2) {
        assumptions.push(unrolling.goes_on(state));
        for &does in growing {
            assumptions.push(!unrolling.literal(state, does));
        }
        match unrolling.solve(&assumptions) {
            Answer::Unsatisfiable => return Some(state),
            Answer::Unknown => return None,
            Answer::Satisfiable => {}
        }
    }
    None
}

/// The fluents of a measure in groups of which one at most holds.
struct Levels {
    groups: Vec<Vec<AtomId>>,
    /// By level and group.
    weights: Vec<Vec<Weights>>,
}

impl Levels {
    fn new(measure: &Measure, known: &[Vec<AtomId>]) -> Self {
        let mut left: FxHashSet<AtomId> =
            measure.levels.iter().flatten().map(|&(fluent, _)| fluent).collect();
        let mut groups: Vec<Vec<AtomId>> = Vec::new();
        for group in known {
            let own: Vec<AtomId> = group.iter().copied().filter(|it| left.remove(it)).collect();
            groups.extend((!own.is_empty()).then_some(own));
        }
        let mut single: Vec<AtomId> = left.into_iter().collect();
        single.sort_unstable();
        groups.extend(single.into_iter().map(|fluent| vec![fluent]));
        let of_level = |level: &Weights| {
            let weight_of: FxHashMap<AtomId, i64> = level.iter().copied().collect();
            let weighed = |group: &Vec<AtomId>| {
                group.iter().filter_map(|it| Some((*it, *weight_of.get(it)?))).collect()
            };
            groups.iter().map(weighed).collect()
        };
        let weights = measure.levels.iter().map(of_level).collect();
        Levels { groups, weights }
    }

    /// Whether it is shown of a single level that no joint move makes any group weigh less, and each makes one weigh more: that
    /// needs no sums.
    fn grow_by_groups(&self, unrolling: &mut Unrolling<'_>) -> bool {
        let [level] = &self.weights[..] else { return false };
        let goes_on = unrolling.goes_on(0);
        let mut is_same = vec![goes_on];
        for weights in level {
            let sides = [(0, -1), (1, 1)];
            let sides = sides.map(|(state, sign)| choice(unrolling, state, sign, weights));
            let sum = sum_of(unrolling, &sides, 0);
            let falls = unrolling.formula.variable();
            for &it in sum.equal.iter().chain(&sum.more) {
                unrolling.formula.add(&[!falls, !it]);
            }
            if unrolling.solve(&[goes_on, falls]) != Answer::Unsatisfiable {
                return false;
            }
            is_same.extend(sum.less.iter().chain(&sum.more).map(|&it| !it));
        }
        unrolling.solve(&is_same) == Answer::Unsatisfiable
    }

    /// A literal that holds only where the measure does not grow, or gets less if it may rest; if no groups change but these.
    fn fails(
        &self,
        unrolling: &mut Unrolling<'_>,
        state: usize,
        changed: &[usize],
        may_rest: bool,
    ) -> Lit {
        let fails = unrolling.formula.variable();
        let mut is_same = fails;
        for level in &self.weights {
            let sides = [(state, -1), (state + 1, 1)];
            let both = |&group: &usize| {
                sides.map(|(state, sign)| choice(unrolling, state, sign, &level[group]))
            };
            let choices: Vec<Choice> = changed.iter().flat_map(both).collect();
            let sum = sum_of(unrolling, &choices, 0);
            let (is_less, stays) = (unrolling.formula.variable(), unrolling.formula.variable());
            unrolling.formula.add(&[!is_same, is_less, stays]);
            for (which, excluded) in [
                (is_less, &sum.equal),
                (is_less, &sum.more),
                (stays, &sum.less),
                (stays, &sum.more),
            ] {
                excluded.iter().for_each(|&it| unrolling.formula.add(&[!which, !it]));
            }
            is_same = stays;
        }
        if may_rest {
            unrolling.formula.add(&[!is_same]);
        }
        fails
    }
}

/// What differs between two states, each ascending.
pub(crate) fn change(before: &[AtomId], after: &[AtomId]) -> Change {
    let without = |these: &[AtomId], those: &[AtomId]| {
        these.iter().copied().filter(|it| those.binary_search(it).is_err()).collect()
    };
    (without(before, after), without(after, before))
}

/// How many joint moves can be made, of which the measure tells: `groups` are fluents of which one at most holds, and whether one
/// always does.
pub(crate) fn longest_match(measure: &Measure, groups: &[(Vec<AtomId>, bool)]) -> Option<u64> {
    let mut values: u64 = 1;
    for weights in &measure.levels {
        values = values.checked_mul(range(weights, groups)?.checked_add(1)?)?;
    }
    let rests = u64::try_from(measure.rests).ok()?;
    (values - 1).checked_add(values.checked_mul(rests)?)
}

/// How much greater a sum can get from the least it can be.
fn range(weights: &[(AtomId, i64)], groups: &[(Vec<AtomId>, bool)]) -> Option<u64> {
    let mut left: BTreeMap<AtomId, i64> = weights.iter().copied().collect();
    let mut range: i64 = 0;
    for (group, is_exact) in groups {
        if !group.iter().any(|fluent| left.contains_key(fluent)) {
            continue;
        }
        // A fluent that was counted with another group has no weight here.
        let values: Vec<i64> =
            group.iter().map(|fluent| left.remove(fluent).unwrap_or(0)).collect();
        let none = if *is_exact { values.first().copied() } else { Some(0) };
        let all = || values.iter().copied().chain(none);
        range = range.checked_add(all().max()?.checked_sub(all().min()?)?)?;
    }
    for weight in left.into_values() {
        range = range.checked_add(weight.abs())?;
    }
    u64::try_from(range).ok()
}
