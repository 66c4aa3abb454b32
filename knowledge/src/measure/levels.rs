//! Levels of a measure, learned from what joint moves change.
//!
//! What a level may weigh is a *scope*: fluents of one form, or those of them with one or two arguments given; each counts as much
//! as the others, or as much as one of its arguments tells. Values of the argument follow each other in joint moves: what comes
//! later weighs more. Of the scopes that no joint move makes less the one is taken that most of them make greater.

use std::collections::{BTreeMap, BTreeSet};

use fxhash::FxHashMap;
use groundfrog::game::AtomId;

use super::{Change, Measure};
use crate::ending::{Follows, longest};
use crate::families::Form;

/// More levels are not looked for.
const MOST_LEVELS: usize = 64;
/// Of two arguments given, no more scopes are looked at.
const MOST_PAIRS: usize = 2000;

/// Fluents, each with a value.
struct Scope {
    fluents: Vec<(AtomId, usize)>,
    values: usize,
    /// There is one value, and fluents are counted.
    is_count: bool,
}

/// What the values of a scope weigh; a joint move makes the sum of them never less.
struct Candidate {
    scope: usize,
    weights: Vec<i64>,
    is_less: bool,
    is_more: bool,
    grows: usize,
}

/// What happens in a scope with a joint move: values that go and come.
type Moved = (usize, Vec<usize>, Vec<usize>);

/// Learns measures from joint moves.
pub(super) struct Learner {
    scopes: Vec<Scope>,
    /// By fluent: the scopes that it is in, and its values there.
    of_fluent: FxHashMap<AtomId, Vec<(usize, usize)>>,
    /// By joint move.
    moved: Vec<Vec<Moved>>,
}

impl Learner {
    pub(super) fn new(forms: &[Form], groups: &[Vec<AtomId>]) -> Self {
        let mut scopes: Vec<Scope> = forms.iter().flat_map(of_form).collect();
        scopes.extend(groups.iter().map(|group| {
            let fluents = group.iter().copied().zip(0..).collect();
            Scope { fluents, values: group.len(), is_count: false }
        }));
        let mut of_fluent: FxHashMap<AtomId, Vec<(usize, usize)>> = FxHashMap::default();
        for (number, scope) in scopes.iter().enumerate() {
            for &(fluent, value) in &scope.fluents {
                of_fluent.entry(fluent).or_default().push((number, value));
            }
        }
        Learner { scopes, of_fluent, moved: Vec::new() }
    }

    pub(super) fn add(&mut self, change: &Change) {
        let mut moved: BTreeMap<usize, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for (fluents, comes) in [(&change.0, false), (&change.1, true)] {
            for &(scope, value) in fluents.iter().filter_map(|it| self.of_fluent.get(it)).flatten()
            {
                let (gone, come) = moved.entry(scope).or_default();
                if comes { come.push(value) } else { gone.push(value) }
            }
        }
        self.moved
            .push(moved.into_iter().map(|(scope, (gone, come))| (scope, gone, come)).collect());
    }

    /// A measure that no joint move makes less, and whether all make it greater.
    pub(super) fn measure(&self) -> Option<(Measure, bool)> {
        let mut levels = Vec::new();
        let mut left: Vec<usize> = (0..self.moved.len()).collect();
        while levels.len() < MOST_LEVELS
            && !left.is_empty()
            && let Some(best) = self.best(&left)
        {
            left.retain(|&step| best.growth(&self.moved[step]) == 0);
            let fluents = self.scopes[best.scope].fluents.iter();
            let weighed = fluents.map(|&(fluent, value)| (fluent, best.weights[value]));
            levels.push(weighed.filter(|&(_, weight)| weight != 0).collect());
        }
        (!levels.is_empty()).then_some((Measure { levels, rests: 0 }, left.is_empty()))
    }

    /// The scope that none of the steps makes less and most make greater.
    fn best(&self, steps: &[usize]) -> Option<Candidate> {
        let mut follows: BTreeMap<usize, Follows> = BTreeMap::new();
        for (scope, gone, come) in steps.iter().flat_map(|&step| &self.moved[step]) {
            let own = follows.entry(*scope).or_default();
            let none = self.scopes[*scope].values;
            let value = |moved: &[usize]| match moved {
                [] => Some(none),
                [one] => Some(*one),
                _ => None,
            };
            if let (Some(from), Some(to)) = (value(gone), value(come)) {
                own.entry(from).or_default().insert(to);
            }
        }
        let mut candidates: FxHashMap<usize, Candidate> = FxHashMap::default();
        for (scope, follows) in follows {
            let Scope { values, is_count, .. } = self.scopes[scope];
            let weights = match is_count {
                true => vec![1],
                false => {
                    let Some(lengths) = longest(&follows, values + 1) else { continue };
                    let weight = |value: usize| lengths[values] as i64 - lengths[value] as i64;
                    (0..values).map(weight).collect()
                }
            };
            let candidate = Candidate { scope, weights, is_less: false, is_more: false, grows: 0 };
            candidates.insert(scope, candidate);
        }
        for moved in steps.iter().flat_map(|&step| &self.moved[step]) {
            if let Some(candidate) = candidates.get_mut(&moved.0) {
                let growth = candidate.growth_of(moved);
                candidate.is_less |= growth < 0;
                candidate.is_more |= growth > 0;
                candidate.grows += usize::from(growth != 0);
            }
        }
        let one_way = candidates.into_values().filter(|it| it.is_less != it.is_more);
        let mut best = one_way.max_by_key(|it| (it.grows, std::cmp::Reverse(it.scope)))?;
        if best.is_less {
            best.weights.iter_mut().for_each(|weight| *weight = -*weight);
        }
        Some(best)
    }
}

impl Candidate {
    fn growth_of(&self, (_, gone, come): &Moved) -> i64 {
        let sum = |values: &[usize]| values.iter().map(|&it| self.weights[it]).sum::<i64>();
        sum(come) - sum(gone)
    }

    fn growth(&self, moved: &[Moved]) -> i64 {
        moved.iter().filter(|it| it.0 == self.scope).map(|it| self.growth_of(it)).sum()
    }
}

/// The scopes of a form, those with most fluents first.
fn of_form(form: &Form) -> Vec<Scope> {
    let arguments = form.rows.first().map_or(0, Vec::len);
    let constants: BTreeSet<(usize, u32)> =
        form.rows.iter().flat_map(|row| row.iter().copied().enumerate()).collect();
    let has_pairs = arguments > 3 && constants.len().pow(2) <= MOST_PAIRS * 2;
    // By the arguments that are given: positions of fluents.
    let mut given: BTreeMap<Vec<(usize, u32)>, Vec<usize>> = BTreeMap::new();
    for (position, row) in form.rows.iter().enumerate() {
        given.entry(Vec::new()).or_default().push(position);
        for (place, &one) in row.iter().enumerate() {
            given.entry(vec![(place, one)]).or_default().push(position);
            let others = row.iter().enumerate().skip(place + 1);
            for (other, &two) in others.filter(|_| has_pairs) {
                given.entry(vec![(place, one), (other, two)]).or_default().push(position);
            }
        }
    }
    let mut given: Vec<_> = given.into_iter().collect();
    given.sort_by_key(|(given, _)| given.len());
    let mut scopes = Vec::new();
    for (given, positions) in given {
        let valued = |place: Option<usize>| {
            let mut numbers: FxHashMap<u32, usize> = FxHashMap::default();
            let mut value = |position: usize| {
                let next = numbers.len();
                *numbers.entry(place.map_or(0, |it| form.rows[position][it])).or_insert(next)
            };
            let fluents = positions.iter().map(|&it| (form.fluents[it], value(it))).collect();
            let values = numbers.len();
            Scope { fluents, values, is_count: place.is_none() }
        };
        let is_given = |place: &usize| given.iter().any(|it| it.0 == *place);
        scopes.push(valued(None));
        let valued = (0..arguments).filter(|it| !is_given(it)).map(|place| valued(Some(place)));
        scopes.extend(valued.filter(|scope| scope.values > 1));
    }
    scopes
}
