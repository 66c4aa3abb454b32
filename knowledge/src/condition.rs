//! What can be said of a state, or of a joint move in it, as a condition on ground atoms.

use std::collections::{BTreeMap, BTreeSet};

use groundfrog::AtomKind;
use groundfrog::game::{AtomId, GroundGame};
use rustsat::types::Lit;

use crate::measure::{Measure, Weights};
use crate::situation::Situation;
use crate::unrolling::Unrolling;

/// A condition on atoms. `next` and `does` are about a joint move in a state that is not terminal, the others about the state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Condition {
    Atom(AtomId),
    Not(Box<Condition>),
    /// All of these hold.
    All(Vec<Condition>),
    /// One of these holds.
    Any(Vec<Condition>),
    /// So many of these hold at most.
    AtMost(usize, Vec<Condition>),
    /// Whichever atom of each list is chosen of those that hold: their values have this sum.
    Sum {
        sum: i128,
        choices: Vec<Vec<(AtomId, i64)>>,
    },
    /// The joint move makes the measure greater, or leaves it the same if it may rest.
    Grows(Measure),
    /// The weights of the fluents that hold have this sum; of each group one at most holds.
    Total {
        sum: i64,
        groups: Vec<Vec<(AtomId, i64)>>,
    },
}

impl Condition {
    pub(crate) fn negated(self) -> Self {
        match self {
            Condition::Not(inner) => *inner,
            other => Condition::Not(Box::new(other)),
        }
    }

    /// The condition that holds where the first does not, or the second does.
    pub(crate) fn implies(self, other: Self) -> Self {
        Condition::Any(vec![self.negated(), other])
    }

    pub(crate) fn atoms(atoms: impl IntoIterator<Item = AtomId>) -> Vec<Self> {
        atoms.into_iter().map(Condition::Atom).collect()
    }

    pub(crate) fn never() -> Self {
        Condition::Any(Vec::new())
    }

    /// A literal that holds just where the condition does; of [`Condition::Grows`] one that holds nowhere else.
    pub(crate) fn literal(&self, unrolling: &mut Unrolling<'_>, state: usize) -> Lit {
        let mut literals = |parts: &[Condition]| -> Vec<Lit> {
            parts.iter().map(|part| part.literal(unrolling, state)).collect()
        };
        match self {
            Condition::Atom(atom) => unrolling.literal(state, *atom),
            Condition::Not(inner) => !inner.literal(unrolling, state),
            Condition::All(parts) => {
                let literals = literals(parts);
                unrolling.formula.all(&literals)
            }
            Condition::Any(parts) => {
                let literals = literals(parts);
                unrolling.formula.any(&literals)
            }
            Condition::AtMost(most, parts) => {
                let literals = literals(parts);
                !unrolling.formula.more_than(*most, &literals)
            }
            Condition::Sum { sum, choices } => {
                let mut reached = BTreeMap::from([(0_i128, vec![unrolling.formula.yes()])]);
                for choice in choices {
                    reached = add_choice(unrolling, state, choice, &reached);
                }
                let others = reached.into_iter().filter(|(other, _)| other != sum);
                let others: Vec<Lit> = others.flat_map(|(_, ways)| ways).collect();
                !unrolling.formula.any(&others)
            }
            Condition::Grows(measure) => crate::measure::grows(unrolling, state, measure),
            Condition::Total { sum, groups } => {
                crate::total::literal(unrolling, state, *sum, groups)
            }
        }
    }

    /// Whether it holds.
    pub(crate) fn holds(&self, situation: &Situation<'_>) -> bool {
        match self {
            Condition::Atom(atom) => situation.contains(*atom),
            Condition::Not(inner) => !inner.holds(situation),
            Condition::All(parts) => parts.iter().all(|part| part.holds(situation)),
            Condition::Any(parts) => parts.iter().any(|part| part.holds(situation)),
            Condition::AtMost(most, parts) => {
                parts.iter().filter(|part| part.holds(situation)).take(most + 1).count() <= *most
            }
            Condition::Sum { sum, choices } => {
                let mut sums = BTreeSet::from([0_i128]);
                for choice in choices {
                    let values = choice.iter().filter(|(atom, _)| situation.contains(*atom));
                    let values: Vec<i64> = values.map(|&(_, value)| value).collect();
                    sums = sums
                        .iter()
                        .flat_map(|sum| values.iter().map(move |&value| sum + i128::from(value)))
                        .collect();
                }
                sums.iter().all(|other| other == sum)
            }
            Condition::Grows(measure) => {
                let growth = |weights: &Weights| -> i64 {
                    let of_fluent = |&(fluent, weight): &(AtomId, i64)| {
                        let (now, next) =
                            (situation.contains(fluent), situation.holds_next(fluent));
                        weight * (i64::from(next) - i64::from(now))
                    };
                    weights.iter().map(of_fluent).sum()
                };
                let mut growths = measure.levels.iter().map(growth);
                growths.find(|&it| it != 0).map_or(measure.rests > 0, |it| it > 0)
            }
            Condition::Total { sum, groups } => {
                let held = groups.iter().flatten().filter(|(atom, _)| situation.contains(*atom));
                held.map(|&(_, weight)| weight).sum::<i64>() == *sum
            }
        }
    }

    /// Calls for every atom.
    pub(crate) fn for_each_atom(&self, each: &mut impl FnMut(AtomId)) {
        match self {
            Condition::Atom(atom) => each(*atom),
            Condition::Not(inner) => inner.for_each_atom(each),
            Condition::All(parts) | Condition::Any(parts) | Condition::AtMost(_, parts) => {
                parts.iter().for_each(|part| part.for_each_atom(each));
            }
            Condition::Sum { choices: lists, .. } | Condition::Total { groups: lists, .. } => {
                lists.iter().flatten().for_each(|&(atom, _)| each(atom));
            }
            Condition::Grows(measure) => {
                measure.levels.iter().flatten().for_each(|&(fluent, _)| each(fluent));
            }
        }
    }

    /// Whether it is about a joint move.
    pub(crate) fn is_of_step(&self, game: &GroundGame) -> bool {
        if let Condition::Grows(_) = self {
            return true;
        }
        let mut found = false;
        self.for_each_atom(&mut |atom| {
            found |= matches!(game.kind(atom), AtomKind::Next | AtomKind::Does);
        });
        found
    }
}

/// The sums that are reached with one more choice, each with literals of which one holds where it is reached.
fn add_choice(
    unrolling: &mut Unrolling<'_>,
    state: usize,
    choice: &[(AtomId, i64)],
    reached: &BTreeMap<i128, Vec<Lit>>,
) -> BTreeMap<i128, Vec<Lit>> {
    let mut sums: BTreeMap<i128, Vec<Lit>> = BTreeMap::new();
    for (before, ways) in reached {
        let reached = unrolling.formula.any(ways);
        for &(atom, value) in choice {
            let chosen = unrolling.literal(state, atom);
            let both = unrolling.formula.all(&[reached, chosen]);
            sums.entry(before + i128::from(value)).or_default().push(both);
        }
    }
    sums
}
