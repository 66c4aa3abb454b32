//! What holds where a place is filled, and what does not: in a game with gravity a column that is lower has no disc there, and a
//! box that is taken has all of its lines.

use groundfrog::game::{AtomId, GroundGame};
use groundfrog_reasoner::{FluentId, State};

use crate::condition::Condition;
use crate::families::Family;
use crate::measure::Weights;
use crate::property::Claim;

/// Families with more groups are not looked at, nor games with more fluents.
const MOST_GROUPS: usize = 200;
const MOST_FLUENTS: usize = 2000;
/// No more states are compared.
const MOST_STATES: usize = 4096;
/// More pairs are not compared.
const MOST_PAIRS: usize = 6000;
/// No more candidates for a family, nor more fluents that may never hold.
const MOST_CANDIDATES: usize = 500;
/// A pair that is never seen says something only if chance would have shown it so often.
const LEAST_EXPECTED: f64 = 6.0;

/// States, as bits.
type States = Vec<u64>;

/// That fluents never hold which hold in none of the states.
pub(crate) fn never(game: &GroundGame, states: &[&State]) -> Vec<Claim> {
    let first = game.fluents().next().map_or(0, |fluent| fluent.0);
    let mut is_seen = vec![false; game.fluents().count()];
    for FluentId(fluent) in states.iter().flat_map(|state| state.fluents()) {
        is_seen[fluent as usize] = true;
    }
    let unseen = game.fluents().filter(|fluent| !is_seen[(fluent.0 - first) as usize]);
    let never = |fluent| Claim { parts: vec![Condition::Atom(fluent).negated()] };
    unseen.take(MOST_CANDIDATES).map(never).collect()
}

/// That values of a counter never hold together with values of another group which do in none of the states: who is in control at
/// a step, and how much can have been counted until then.
pub(crate) fn exclusions(
    game: &GroundGame,
    counters: &[Weights],
    groups: &[Vec<AtomId>],
    states: &[&State],
) -> Vec<Claim> {
    let first = game.fluents().next().map_or(0, |fluent| fluent.0);
    let states_of = |fluent: AtomId| -> (AtomId, States) {
        let mut found = vec![0; states.len().div_ceil(64)];
        for (number, state) in states.iter().enumerate() {
            let holds = state.contains(FluentId(fluent.0 - first));
            found[number / 64] |= u64::from(holds) << (number % 64);
        }
        (fluent, found)
    };
    let mut found = Vec::new();
    for counter in counters {
        let values: Vec<(AtomId, States)> =
            counter.iter().map(|&(fluent, _)| states_of(fluent)).collect();
        let is_own = |group: &&Vec<AtomId>| {
            group.iter().any(|fluent| counter.iter().any(|(own, _)| own == fluent))
        };
        let mut others: Vec<&Vec<AtomId>> = groups.iter().filter(|it| !is_own(it)).collect();
        others.sort_by_key(|group| group.len());
        for group in others {
            if found.len() + counter.len() * group.len() > MOST_PAIRS {
                continue;
            }
            for (other, held) in group.iter().map(|&fluent| states_of(fluent)) {
                let apart = values
                    .iter()
                    .filter(|(_, own)| own.iter().zip(&held).all(|(one, other)| one & other == 0));
                found.extend(apart.map(|&(value, _)| {
                    let both = Condition::All(Condition::atoms([value, other]));
                    Claim { parts: vec![both.negated()] }
                }));
            }
        }
    }
    found
}

/// For groups of a family and fluents of other forms: the fluent holds, or does not, wherever one of the group does, as far as all
/// of the states say.
pub(crate) fn candidates(game: &GroundGame, family: &Family, states: &[&State]) -> Vec<Claim> {
    let fluents: Vec<AtomId> = game.fluents().collect();
    if family.groups.len() > MOST_GROUPS || fluents.len() > MOST_FLUENTS {
        return Vec::new();
    }
    let first = fluents.first().map_or(0, |fluent| fluent.0);
    let apart = states.len().div_ceil(MOST_STATES).max(1);
    let states: Vec<&State> = states.iter().copied().step_by(apart).collect();
    let where_any = |group: &[AtomId]| -> States {
        let mut found = vec![0; states.len().div_ceil(64)];
        for (number, state) in states.iter().enumerate() {
            let holds = group.iter().any(|fluent| state.contains(FluentId(fluent.0 - first)));
            found[number / 64] |= u64::from(holds) << (number % 64);
        }
        found
    };
    let count = |states: &States| states.iter().map(|word| word.count_ones()).sum::<u32>();
    let is_own = |fluent: &AtomId| family.groups.iter().any(|group| group.contains(fluent));
    let others: Vec<(AtomId, States)> = fluents
        .iter()
        .filter(|fluent| !is_own(fluent))
        .map(|&fluent| (fluent, where_any(&[fluent])))
        .collect();
    let all = f64::from(states.len() as u32);
    let mut found: Vec<(f64, usize, AtomId, bool)> = Vec::new();
    for (number, group) in family.groups.iter().enumerate() {
        let filled = where_any(group);
        let filled_count = count(&filled);
        for (fluent, held) in &others {
            let both = filled.iter().zip(held).map(|(one, other)| (one & other).count_ones());
            let both: u32 = both.sum();
            let share = f64::from(filled_count) * f64::from(count(held)) / all;
            // Either all of them or none, though chance would have it otherwise.
            for (holds, seen, expected) in
                [(false, both, share), (true, filled_count - both, f64::from(filled_count) - share)]
            {
                if seen == 0 && expected >= LEAST_EXPECTED {
                    found.push((expected, number, *fluent, holds));
                }
            }
        }
    }
    found.sort_by(|one, other| {
        let key = |it: &(f64, usize, AtomId, bool)| (it.1, it.2, it.3);
        other.0.total_cmp(&one.0).then(key(one).cmp(&key(other)))
    });
    found.truncate(MOST_CANDIDATES);
    let claim = |(_, group, fluent, holds): (f64, usize, AtomId, bool)| {
        let filled = Condition::Any(Condition::atoms(family.groups[group].iter().copied()));
        let fluent = Condition::Atom(fluent);
        let other = if holds { fluent } else { fluent.negated() };
        Claim { parts: vec![filled.implies(other)] }
    };
    found.into_iter().map(claim).collect()
}
