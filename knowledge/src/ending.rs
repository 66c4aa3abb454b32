//! What never comes back, and what ends a match.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::game::{AtomId, GroundGame};
use groundfrog_reasoner::{FluentId, State};
use rustsat::types::Lit;

use crate::formula::{Answer, Limits};
use crate::induction::{Outcome, assume, exclude};
use crate::property::Claim;
use crate::unrolling::Unrolling;

/// Groups with more fluents are no counters.
const LONGEST_COUNTER: usize = 512;

/// Fluents that change in one direction only, and how often a match can go on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    /// Fluents that hold for ever once they do.
    pub(crate) permanent: FxHashSet<AtomId>,
    /// Joint moves after which every match is over.
    pub(crate) longest: Option<u64>,
}

/// Looks for progress. `groups` are fluents of which at most one holds at a time; `steps` are pairs of a state and the one
/// after it, as matches have them.
pub(crate) fn progress(
    game: &GroundGame,
    limits: &Limits,
    lemmas: &[Claim],
    groups: &[Vec<AtomId>],
    steps: &[(&State, &State)],
) -> Progress {
    let mut unrolling = Unrolling::new(game, limits.clone());
    unrolling.go_on(0);
    assume(&mut unrolling, lemmas, 0);
    let yes = unrolling.formula.yes();
    let mut directed: Vec<(AtomId, bool)> = Vec::new();
    let mut pairs: Vec<(Lit, Lit)> = Vec::new();
    for (fluent, grows, shrinks) in directions(game, steps) {
        let (before, after) = (unrolling.literal(0, fluent), unrolling.literal(1, fluent));
        if grows {
            let lost = unrolling.formula.all(&[before, !after]);
            directed.push((fluent, true));
            pairs.push((yes, lost));
        }
        if shrinks {
            let gained = unrolling.formula.all(&[!before, after]);
            directed.push((fluent, false));
            pairs.push((yes, gained));
        }
    }
    if pairs.is_empty() {
        return Progress {
            permanent: FxHashSet::default(),
            longest: counter(&mut unrolling, groups, None),
        };
    }
    let outcomes = exclude(&mut unrolling, &pairs);
    let proved =
        directed.into_iter().zip(outcomes).filter(|(_, outcome)| *outcome == Outcome::Proved);
    let one_way: Vec<(AtomId, bool)> = proved.map(|(directed, _)| directed).collect();
    let permanent = one_way.iter().filter(|(_, grows)| *grows).map(|&(fluent, _)| fluent).collect();
    let longest = bound(game, limits, lemmas, groups, &one_way);
    Progress { permanent, longest }
}

/// By fluent: whether it never goes in the steps, and whether it never comes.
fn directions(game: &GroundGame, steps: &[(&State, &State)]) -> Vec<(AtomId, bool, bool)> {
    let fluents: Vec<AtomId> = game.fluents().collect();
    let mut found: Vec<(AtomId, bool, bool)> =
        fluents.into_iter().map(|fluent| (fluent, true, true)).collect();
    for (before, after) in steps {
        for FluentId(fluent) in before.fluents().filter(|&fluent| !after.contains(fluent)) {
            found[fluent as usize].1 = false;
        }
        for FluentId(fluent) in after.fluents().filter(|&fluent| !before.contains(fluent)) {
            found[fluent as usize].2 = false;
        }
    }
    found
}

/// After how many joint moves a match is over, if each changes a fluent that changes in one direction only, or moves a counter on,
/// or does the second wherever it does not do the first.
fn bound(
    game: &GroundGame,
    limits: &Limits,
    lemmas: &[Claim],
    groups: &[Vec<AtomId>],
    one_way: &[(AtomId, bool)],
) -> Option<u64> {
    // Clauses that would make the first formula false under no assumption are behind it: a new one.
    let mut unrolling = Unrolling::new(game, limits.clone());
    unrolling.go_on(0);
    assume(&mut unrolling, lemmas, 0);
    if let Some(longest) = counter(&mut unrolling, groups, None) {
        return Some(longest);
    }
    let fluents: FxHashSet<AtomId> = one_way.iter().map(|&(fluent, _)| fluent).collect();
    let unchanged = unrolling.formula.variable();
    for &fluent in &fluents {
        let (before, after) = (unrolling.literal(0, fluent), unrolling.literal(1, fluent));
        unrolling.formula.add(&[!unchanged, !before, after]);
        unrolling.formula.add(&[!unchanged, before, !after]);
    }
    let changes = fluents.len() as u64;
    match unrolling.formula.solve(&[unchanged]) {
        Answer::Unsatisfiable => Some(changes),
        Answer::Unknown => None,
        Answer::Satisfiable => {
            let between = counter(&mut unrolling, groups, Some(unchanged))?;
            changes.checked_add(1)?.checked_mul(between.checked_add(1)?)
        }
    }
}

/// After how many joint moves a counter is at its end: a group whose values follow each other without a way back.
fn counter(
    unrolling: &mut Unrolling<'_>,
    groups: &[Vec<AtomId>],
    assumed: Option<Lit>,
) -> Option<u64> {
    let mut small: Vec<&Vec<AtomId>> =
        groups.iter().filter(|group| (2..=LONGEST_COUNTER).contains(&group.len())).collect();
    small.sort_by_key(|group| std::cmp::Reverse(group.len()));
    small.into_iter().take(16).find_map(|group| longest_way(unrolling, group, assumed))
}

/// The most steps that the values of a group can take, if there is no way back to one of them. No fluent of the group is a
/// value as well.
fn longest_way(
    unrolling: &mut Unrolling<'_>,
    group: &[AtomId],
    assumed: Option<Lit>,
) -> Option<u64> {
    let before = unrolling.literals(0, group);
    let after = unrolling.literals(1, group);
    let searching = unrolling.formula.variable();
    let mut assumptions: Vec<Lit> = assumed.into_iter().collect();
    assumptions.push(searching);
    let mut follows: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    let none = group.len();
    for _ in 0..group.len() * 4 + 16 {
        match unrolling.formula.solve(&assumptions) {
            Answer::Unknown => return None,
            Answer::Unsatisfiable => return longest(&follows, none + 1),
            Answer::Satisfiable => {}
        }
        let formula = &unrolling.formula;
        let value =
            |literals: &[Lit]| literals.iter().position(|&it| formula.value(it)).unwrap_or(none);
        let (from, to) = (value(&before), value(&after));
        if from == to {
            return None;
        }
        follows.entry(from).or_default().push(to);
        // Neither this value before nor that one after: one of the fluents differs.
        let mut other: Vec<Lit> = vec![!searching];
        for (literals, value) in [(&before, from), (&after, to)] {
            match literals.get(value) {
                Some(&literal) => other.push(!literal),
                None => other.extend(literals),
            }
        }
        unrolling.formula.add(&other);
    }
    None
}

/// The length of the longest way, if there is no cycle.
fn longest(follows: &FxHashMap<usize, Vec<usize>>, nodes: usize) -> Option<u64> {
    let mut lengths = vec![0u64; nodes];
    // Each round settles one node more at least; after as many rounds as nodes a change shows a cycle.
    for _ in 0..=nodes {
        let mut is_changed = false;
        for (&from, after) in follows {
            let length = after.iter().map(|&to| lengths[to] + 1).max().unwrap_or(0);
            is_changed |= length != lengths[from];
            lengths[from] = length;
        }
        if !is_changed {
            return lengths.iter().max().copied();
        }
    }
    None
}
