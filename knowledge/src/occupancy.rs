//! What holds where a place is filled, and what does not: in a game with gravity a column that is lower has no disc there, and a
//! box that is taken has all of its lines.

use fxhash::FxHashMap;
use groundfrog::game::{AtomId, GroundGame};
use groundfrog_reasoner::{FluentId, State};

use crate::condition::Condition;
use crate::families::Family;
use crate::property::Claim;

/// Families with more groups are not looked at, nor games with more fluents.
const MOST_GROUPS: usize = 200;
const MOST_FLUENTS: usize = 2000;
/// No more states are compared.
const MOST_STATES: usize = 4096;
/// No more surprises are looked at.
const MOST_SURPRISES: usize = 3000;
/// No more fluents outside of groups may begin a phase.
const MOST_SINGLE: usize = 100;
/// No more candidates for a family, nor more fluents that may never hold.
const MOST_CANDIDATES: usize = 500;
/// A pair that is never seen says something only if chance would have shown it so often, a group and a fluent if so often.
const LEAST_EXPECTED: f64 = 6.0;
const LEAST_BOND: f64 = 1.0;

/// States, as bits.
type States = Vec<u64>;

/// In which of some states fluents hold.
struct Occurrences {
    first: u32,
    words: usize,
    /// How many states there are.
    count: f64,
    /// By fluent.
    states: Vec<States>,
}

impl Occurrences {
    fn new(game: &GroundGame, states: &[&State]) -> Self {
        let words = states.len().div_ceil(64);
        let mut found = vec![vec![0; words]; game.fluents().count()];
        for (number, state) in states.iter().enumerate() {
            for FluentId(fluent) in state.fluents() {
                found[fluent as usize][number / 64] |= 1 << (number % 64);
            }
        }
        let first = game.fluents().next().map_or(0, |fluent| fluent.0);
        Occurrences { first, words, count: states.len() as f64, states: found }
    }

    /// Of pairs of fluents those that hold together in none of the states, though chance would have shown them together so often at
    /// least; with how often.
    fn apart(
        &self,
        pairs: impl Iterator<Item = (AtomId, AtomId)>,
        least: f64,
    ) -> Vec<(f64, AtomId, AtomId)> {
        let counts: Vec<f64> = self.states.iter().map(|own| f64::from(count(own))).collect();
        let place = |fluent: AtomId| (fluent.0 - self.first) as usize;
        let expected = pairs.filter(|(one, other)| one != other).map(|(one, other)| {
            (counts[place(one)] * counts[place(other)] / self.count, one, other)
        });
        let is_apart = |&(expected, one, other): &(f64, AtomId, AtomId)| {
            expected >= least && are_apart(&self.states[place(one)], &self.states[place(other)])
        };
        expected.filter(is_apart).collect()
    }

    /// Where one of these holds.
    fn of(&self, group: &[AtomId]) -> States {
        let mut found = vec![0; self.words];
        for fluent in group {
            let own = &self.states[(fluent.0 - self.first) as usize];
            found.iter_mut().zip(own).for_each(|(one, other)| *one |= other);
        }
        found
    }
}

/// That fluents never hold which hold in none of the states.
pub(crate) fn never(game: &GroundGame, states: &[&State]) -> Vec<Claim> {
    let first = game.fluents().next().map_or(0, |fluent| fluent.0);
    let mut is_seen = vec![false; game.fluents().count()];
    for FluentId(fluent) in states.iter().flat_map(|state| state.fluents()) {
        is_seen[fluent as usize] = true;
    }
    let unseen = game.fluents().filter(|fluent| !is_seen[(fluent.0 - first) as usize]);
    let never = |fluent| Claim::of_states(vec![Condition::Atom(fluent).negated()]);
    unseen.take(MOST_CANDIDATES).map(never).collect()
}

/// Pairs of values of two groups that hold together in none of the states: who is in control at a step, how much can have been
/// counted until then, or what one side has of what both share. Groups with few values come first, until `most` pairs are compared.
pub(crate) fn exclusions(
    game: &GroundGame,
    groups: &[Vec<AtomId>],
    states: &[&State],
    most: usize,
) -> Vec<(AtomId, AtomId)> {
    let occurrences = Occurrences::new(game, states);
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for one in 0..groups.len() {
        pairs.extend((one + 1..groups.len()).map(|other| (one, other)));
    }
    let size = |&(one, other): &(usize, usize)| groups[one].len() * groups[other].len();
    pairs.sort_by_key(size);
    let mut compared = 0;
    let few = pairs.into_iter().take_while(|pair| {
        compared += size(pair);
        compared <= most
    });
    let of_groups = few.flat_map(|(one, other)| {
        groups[one].iter().flat_map(move |&it| groups[other].iter().map(move |&that| (it, that)))
    });
    let ordered = of_groups.map(|(one, other)| (one.min(other), one.max(other)));
    let mut found: Vec<(AtomId, AtomId)> =
        occurrences.apart(ordered, 0.0).into_iter().map(|(_, one, other)| (one, other)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Pairs of fluents that hold together in none of the states, though chance would have shown them so, as what lies above what;
/// those that are most surprising come first. None of these pairs is in one of the `known` groups.
pub(crate) fn surprises(
    game: &GroundGame,
    known: &[Vec<AtomId>],
    states: &[&State],
) -> Vec<(AtomId, AtomId)> {
    let all: Vec<AtomId> = game.fluents().collect();
    if all.len() > MOST_FLUENTS {
        return Vec::new();
    }
    let mut groups_of: FxHashMap<AtomId, Vec<usize>> = FxHashMap::default();
    for (number, group) in known.iter().enumerate() {
        group.iter().for_each(|&fluent| groups_of.entry(fluent).or_default().push(number));
    }
    let are_known = |one: &AtomId, other: &AtomId| match (groups_of.get(one), groups_of.get(other))
    {
        (Some(one), Some(other)) => one.iter().any(|group| other.contains(group)),
        _ => false,
    };
    let pairs = (0..all.len()).flat_map(|one| all[one + 1..].iter().map(move |&it| (one, it)));
    let pairs = pairs.map(|(one, other)| (all[one], other));
    let mut found = Occurrences::new(game, states).apart(pairs, LEAST_EXPECTED);
    found.retain(|(_, one, other)| !are_known(one, other));
    found.sort_by(|one, other| {
        other.0.total_cmp(&one.0).then((one.1, one.2).cmp(&(other.1, other.2)))
    });
    found.truncate(MOST_SURPRISES);
    found.into_iter().map(|(_, one, other)| (one, other)).collect()
}

fn are_apart(one: &States, other: &States) -> bool {
    one.iter().zip(other).all(|(one, other)| one & other == 0)
}

fn count(states: &States) -> u32 {
    states.iter().map(|word| word.count_ones()).sum()
}

/// That one of several groups is always filled, each where the others are not, as far as all of the states say: bids are made, or
/// somebody is in control.
pub(crate) fn phases(game: &GroundGame, groups: &[Vec<AtomId>], states: &[&State]) -> Vec<Claim> {
    let values = Occurrences::new(game, states);
    let mut fluents: Vec<AtomId> = game.fluents().collect();
    fluents.retain(|fluent| !groups.iter().any(|group| group.contains(fluent)));
    let single = fluents.into_iter().take(MOST_SINGLE).map(|fluent| vec![fluent]);
    let groups: Vec<Vec<AtomId>> = groups.iter().cloned().chain(single).collect();
    let filled: Vec<States> = groups.iter().map(|group| values.of(group)).collect();
    let mut found: Vec<Claim> = Vec::new();
    for (first, of_first) in filled.iter().enumerate() {
        let (mut members, mut covered) = (groups[first].clone(), of_first.clone());
        while count(&covered) as usize != states.len() {
            let apart = (0..groups.len()).filter(|&other| are_apart(&filled[other], &covered));
            let Some(next) = apart.max_by_key(|&other| (count(&filled[other]), usize::MAX - other))
            else {
                break;
            };
            if count(&filled[next]) == 0 {
                break;
            }
            members.extend(&groups[next]);
            covered.iter_mut().zip(&filled[next]).for_each(|(one, other)| *one |= other);
        }
        if members.len() > groups[first].len() && count(&covered) as usize == states.len() {
            members.sort_unstable();
            let claim = Claim::of_states(vec![Condition::Any(Condition::atoms(members))]);
            if !found.contains(&claim) {
                found.push(claim);
            }
        }
    }
    found
}

/// How a group and a fluent go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bond {
    /// Where the group is filled, the fluent does not hold.
    Without,
    /// Where the group is filled, the fluent holds.
    With,
    /// Where the fluent holds, the group is filled.
    Of,
}

/// For groups of a family and fluents of other forms: the fluent holds, or does not, wherever one of the group does, or one of the
/// group wherever the fluent does, as far as all of the states say.
pub(crate) fn candidates(game: &GroundGame, family: &Family, states: &[&State]) -> Vec<Claim> {
    let fluents: Vec<AtomId> = game.fluents().collect();
    if family.groups.len() > MOST_GROUPS || fluents.len() > MOST_FLUENTS {
        return Vec::new();
    }
    let apart = states.len().div_ceil(MOST_STATES).max(1);
    let states: Vec<&State> = states.iter().copied().step_by(apart).collect();
    let values = Occurrences::new(game, &states);
    let is_own = |fluent: &AtomId| family.groups.iter().any(|group| group.contains(fluent));
    let others: Vec<(AtomId, States)> = fluents
        .iter()
        .filter(|fluent| !is_own(fluent))
        .map(|&fluent| (fluent, values.of(&[fluent])))
        .collect();
    let all = f64::from(states.len() as u32);
    let mut found: Vec<(f64, usize, AtomId, Bond)> = Vec::new();
    for (number, group) in family.groups.iter().enumerate() {
        let filled = values.of(group);
        let filled_count = count(&filled);
        for (fluent, held) in &others {
            let both = filled.iter().zip(held).map(|(one, other)| (one & other).count_ones());
            let both: u32 = both.sum();
            let held_count = count(held);
            let share = f64::from(filled_count) * f64::from(held_count) / all;
            // Either all of them or none, though chance would have it otherwise.
            for (bond, seen, expected) in [
                (Bond::Without, both, share),
                (Bond::With, filled_count - both, f64::from(filled_count) - share),
                (Bond::Of, held_count - both, f64::from(held_count) - share),
            ] {
                if seen == 0 && expected >= LEAST_BOND {
                    found.push((expected, number, *fluent, bond));
                }
            }
        }
    }
    found.sort_by(|one, other| {
        let key = |it: &(f64, usize, AtomId, Bond)| (it.1, it.2, it.3);
        other.0.total_cmp(&one.0).then(key(one).cmp(&key(other)))
    });
    found.truncate(MOST_CANDIDATES);
    let claim = |(_, group, fluent, bond): (f64, usize, AtomId, Bond)| {
        let filled = Condition::Any(Condition::atoms(family.groups[group].iter().copied()));
        let fluent = Condition::Atom(fluent);
        let bond = match bond {
            Bond::Without => filled.implies(fluent.negated()),
            Bond::With => filled.implies(fluent),
            Bond::Of => fluent.implies(filled),
        };
        Claim::of_states(vec![bond])
    };
    found.into_iter().map(claim).collect()
}
