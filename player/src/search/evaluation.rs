//! What a state is worth that is no end: how far it fulfils the goals, or a number for each fluent, learned from random playouts.
//!
//! A fluent that places something on a board is worth what all of its kind are, fitted first, and what this place is worth beside that.

use std::sync::Arc;

use groundfrog::Budget;
use groundfrog::game::{AtomId, GroundGame, RoleId};
use groundfrog_knowledge::Structures;
use groundfrog_knowledge::evaluation::{FuzzyGoals, Grades, Kinds};
use groundfrog_reasoner::{BitParallel, State};

use super::samples::Samples;
use crate::solve::position::Rules;
use crate::solve::values_of;
use crate::strategy::StrategyOptions;

/// How often all states are gone through.
const ROUNDS: u32 = 3;
/// How much of an error is made good at once, at first; it falls with the number of states.
const RATE: f32 = 0.2;
/// States after which the rate is half of that.
const HALF: f32 = 8_000.0;
/// What a goal of 1 is worth to the search.
pub(super) const SCALE: i32 = 1000;

/// Values that are so near to the best or the worst end are those of ends that are some moves away.
const SURE: i32 = SCALE / 2;

/// What states are worth to a role.
#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    source: Source,
    /// The least and the greatest goal value that the rules have.
    range: (i64, i64),
}

/// What the worth of a state comes from.
#[derive(Clone, Debug)]
enum Source {
    Learned(Weights),
    Fuzzy(Arc<Fuzzy>),
}

impl Evaluation {
    fn new(game: &GroundGame, role: RoleId, source: Source) -> Self {
        let values = values_of(game, role);
        let range = values.first().copied().zip(values.last().copied()).unwrap_or((0, 100));
        Evaluation { source, range }
    }

    /// By weights that were learned.
    pub(super) fn learned(game: &GroundGame, role: RoleId, weights: Weights) -> Self {
        Evaluation::new(game, role, Source::Learned(weights))
    }

    /// By how far goals are fulfilled.
    pub(super) fn fuzzy(game: &GroundGame, role: RoleId, fuzzy: Fuzzy) -> Self {
        Evaluation::new(game, role, Source::Fuzzy(Arc::new(fuzzy)))
    }

    /// What the worst end is worth.
    pub(super) fn least(&self) -> i32 {
        self.range.0 as i32 * SCALE
    }

    /// What the best end is worth.
    pub(super) fn most(&self) -> i32 {
        self.range.1 as i32 * SCALE
    }

    /// What a state is worth: between the ends, so that what is sure counts more.
    pub(super) fn of(&self, state: &State) -> i32 {
        let (worst, best) = (self.range.0 as f32, self.range.1 as f32);
        let goal = match &self.source {
            Source::Learned(weights) => weights.sum(state) * 100.0,
            Source::Fuzzy(fuzzy) => worst + (best - worst) * fuzzy.of(state),
        };
        let (least, most) = (self.least() + SURE, self.most() - SURE);
        ((goal * SCALE as f32) as i32).clamp(least.min(most), most)
    }
}

/// What fluents tell of the goal of a role.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// By fluent, for goals from 0 to 1.
    weights: Vec<f32>,
    bias: f32,
}

/// What playouts of a game are like, for a role.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Likeness {
    /// How much of the variance of the goal the evaluation explains, in states that it has not learned from: 1 is all.
    pub(super) explained: f64,
    /// Playouts that came to an end by themselves.
    pub(super) playouts: usize,
    /// How the own goal goes with the sum of the others' (Pearson's correlation): -1 where their sum is constant.
    pub(super) accord: f64,
}

impl Weights {
    /// Learns from random playouts, for as long as it may.
    pub(super) fn learn(
        rules: &mut Rules,
        lanes: Option<BitParallel>,
        kinds: &Kinds,
        role: RoleId,
        options: &StrategyOptions,
        until: &Budget,
    ) -> (Self, Likeness) {
        let samples = Samples::draw(rules, lanes, role, options.seed, options.memory, until);
        let fluents = rules.reasoner.game().fluents().len();
        let mut coarse = Weights { weights: vec![0.0; fluents], bias: 0.0 };
        coarse.fit(kinds, &samples.learned);
        let mut fine = coarse.clone();
        let rounds = (0..ROUNDS).flat_map(|_| &samples.learned);
        for (count, (state, value)) in rounds.enumerate() {
            fine.teach(state, *value, RATE / (1.0 + count as f32 / HALF));
        }
        // Few playouts tell what a piece is worth, but not what each place is.
        let tried = [coarse, fine].map(|it| (it.explained(&samples.tried), it));
        let [coarse, fine] = tried;
        let (explained, weights) = if fine.0 > coarse.0 { fine } else { coarse };
        let playouts = samples.goals.len();
        (weights, Likeness { explained, playouts, accord: correlation(&samples.goals) })
    }

    /// Gives all fluents of a kind the same weight, by least squares.
    fn fit(&mut self, kinds: &Kinds, samples: &[(State, f32)]) {
        let mut fit = Fit::new(kinds.names.len() + 1);
        for (state, value) in samples {
            let mut row = vec![0.0; kinds.names.len() + 1];
            row[0] = 1.0;
            let placed = state.fluents().filter_map(|it| kinds.of.get(it.index()).copied()?);
            placed.for_each(|kind| row[kind + 1] += 1.0);
            fit.add(&row, f64::from(*value));
        }
        let found = fit.solve();
        self.bias = found[0] as f32;
        for (weight, kind) in self.weights.iter_mut().zip(&kinds.of) {
            *weight = kind.map_or(0.0, |it| found[it + 1] as f32);
        }
    }

    fn sum(&self, state: &State) -> f32 {
        self.bias + state.fluents().map(|it| self.weights[it.index()]).sum::<f32>()
    }

    /// Learns from a state what it was worth, by normalised least mean squares.
    fn teach(&mut self, state: &State, value: f32, rate: f32) {
        let share = rate * (value - self.sum(state)) / (state.len() as f32 + 1.0);
        self.bias += share;
        state.fluents().for_each(|it| self.weights[it.index()] += share);
    }

    /// How much of the variance of values it explains.
    fn explained(&self, samples: &[(State, f32)]) -> f64 {
        let mean =
            samples.iter().map(|it| f64::from(it.1)).sum::<f64>() / samples.len().max(1) as f64;
        let variance: f64 = samples.iter().map(|it| (f64::from(it.1) - mean).powi(2)).sum();
        let error = |it: &(State, f32)| f64::from(it.1 - self.sum(&it.0)).powi(2);
        let errors: f64 = samples.iter().map(error).sum();
        if variance <= 0.0 { 0.0 } else { 1.0 - errors / variance }
    }
}

/// Pearson's correlation; 0 where one of the two does not vary.
fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let count = pairs.len().max(1) as f64;
    let one = pairs.iter().map(|it| it.0).sum::<f64>() / count;
    let other = pairs.iter().map(|it| it.1).sum::<f64>() / count;
    let product = |it: &(f64, f64)| (it.0 - one) * (it.1 - other);
    let covariance: f64 = pairs.iter().map(product).sum();
    let variance: f64 = pairs.iter().map(|it| (it.0 - one).powi(2)).sum();
    let others: f64 = pairs.iter().map(|it| (it.1 - other).powi(2)).sum();
    if variance * others <= 0.0 { 0.0 } else { covariance / (variance * others).sqrt() }
}

/// What keeps weights small that nothing tells much of.
const RIDGE: f64 = 1e-3;

/// Least squares by normal equations.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    matrix: Vec<Vec<f64>>,
    values: Vec<f64>,
    count: f64,
}

impl Fit {
    /// For rows of so many features.
    pub(super) fn new(size: usize) -> Self {
        Fit { matrix: vec![vec![0.0; size]; size], values: vec![0.0; size], count: 0.0 }
    }

    /// Adds a row of features and the value that goes with it.
    pub(super) fn add(&mut self, row: &[f64], value: f64) {
        for (at, one) in row.iter().enumerate() {
            for (sum, other) in self.matrix[at].iter_mut().zip(row) {
                *sum += one * other;
            }
            self.values[at] += one * value;
        }
        self.count += 1.0;
    }

    /// The weights, by elimination with the greatest pivot.
    pub(super) fn solve(mut self) -> Vec<f64> {
        let size = self.values.len();
        for at in 0..size {
            self.matrix[at][at] += RIDGE * self.count.max(1.0);
        }
        for at in 0..size {
            let size_of = |row: &usize| self.matrix[*row][at].abs();
            let pivot = (at..size)
                .max_by(|one, other| size_of(one).total_cmp(&size_of(other)))
                .unwrap_or(at);
            self.matrix.swap(at, pivot);
            self.values.swap(at, pivot);
            let own = self.matrix[at].clone();
            for row in at + 1..size {
                let factor = self.matrix[row][at] / own[at];
                self.matrix[row].iter_mut().zip(&own).for_each(|(it, own)| *it -= factor * own);
                self.values[row] -= factor * self.values[at];
            }
        }
        let mut weights = vec![0.0; size];
        for at in (0..size).rev() {
            let known: f64 = (at + 1..size).map(|it| self.matrix[at][it] * weights[it]).sum();
            weights[at] = (self.values[at] - known) / self.matrix[at][at];
        }
        weights
    }
}

/// The goals of all roles, as far as they are worth more than the worst: a state is worth how far it fulfils them (Schiffel &
/// Thielscher, "Fluxplayer", 2007).
///
/// A goal that does not hold is wanted before the match ends, and one that holds is wanted at the end: they are worth the degrees of "the goal, and
/// no end" and of "the goal, or an end". What a role has is the mean over its goals, weighed by their values.
#[derive(Clone, Debug)]
pub(super) struct Fuzzy {
    /// Of the goals, and of the end if it can be unfolded.
    degrees: FuzzyGoals,
    /// By role, the own one first: the share of each goal among its goals.
    shares: Vec<Vec<f64>>,
}

impl Fuzzy {
    /// For a role of a game; none if its goals cannot be unfolded.
    pub(super) fn new(game: &GroundGame, role: RoleId, structures: &Structures) -> Option<Self> {
        let others = (0..game.roles().len() as u32).map(RoleId).filter(|it| *it != role);
        let (mut atoms, mut shares) = (Vec::new(), Vec::new());
        for role in std::iter::once(role).chain(others) {
            let goals = game.goals_of(role).filter_map(|it| Some((it.value? as f64, it.atom)));
            let goals: Vec<(f64, AtomId)> = goals.collect();
            let least = goals.iter().map(|it| it.0).fold(f64::INFINITY, f64::min);
            let sum: f64 = goals.iter().map(|it| it.0 - least).sum();
            let worth = goals.into_iter().filter(|it| it.0 > least);
            let (own, of_goals) = worth.map(|it| ((it.0 - least) / sum, it.1)).unzip();
            shares.push(own);
            atoms.extend::<Vec<AtomId>>(of_goals);
        }
        let grades = Grades::new(structures, game);
        let with_end: Vec<AtomId> = atoms.iter().copied().chain(game.terminal()).collect();
        let degrees = FuzzyGoals::new(game, &with_end, grades.clone());
        let degrees = degrees.or_else(|| FuzzyGoals::new(game, &atoms, grades))?;
        Some(Fuzzy { degrees, shares })
    }

    /// What a state is worth to the role, from 0 to 1: what it has, less what the best of the others has.
    pub(super) fn of(&self, state: &State) -> f32 {
        let degrees = self.degrees.degrees(state);
        let (goals, end) = degrees.split_at(self.shares.iter().map(Vec::len).sum());
        let (yager, end) = (&self.degrees.yager, end.first().copied());
        let wanted = |goal: f64| match end {
            None => goal,
            Some(end) if goal > 0.5 => yager.any([goal, end].into_iter()),
            Some(end) => yager.all([goal, 1.0 - end].into_iter()),
        };
        let mut rest = goals.iter().copied();
        let mut has = self.shares.iter().map(|shares| -> f64 {
            shares.iter().zip(&mut rest).map(|(share, goal)| share * wanted(goal)).sum()
        });
        let own = has.next().unwrap_or(0.0);
        (0.5 + (own - has.fold(0.0, f64::max)) / 2.0) as f32
    }
}

#[cfg(test)]
mod tests {
    use groundfrog_reasoner::{FluentId, GroundReasoner, Vocabulary};

    use super::*;

    #[test]
    fn fluents_of_a_kind_are_worth_the_same_at_first() {
        // Two places for pawns, two for rooks, and who is to move.
        let of = vec![Some(0), Some(0), Some(1), Some(1), None];
        let kinds = Kinds { names: vec!["pawn".to_owned(), "rook".to_owned()], of };
        let states =
            (0..32_u32).map(|it| (0..5).filter(move |bit| it >> bit & 1 == 1).map(FluentId));
        let samples: Vec<(State, f32)> = states
            .map(|held| {
                let state = State::of(held);
                let count = |range: std::ops::Range<u32>| {
                    range.filter(|&it| state.contains(FluentId(it))).count() as f32
                };
                let value = 0.2 + 0.1 * count(0..2) + 0.3 * count(2..4);
                (state, value)
            })
            .collect();
        let mut learned = Weights { weights: vec![0.0; 5], bias: 0.0 };
        learned.fit(&kinds, &samples);
        for (weight, wanted) in learned.weights.iter().zip([0.1, 0.1, 0.3, 0.3, 0.0]) {
            assert!((weight - wanted).abs() < 0.01, "{:?}", learned.weights);
        }
        assert!(learned.explained(&samples) > 0.99);
    }

    #[test]
    fn goals_that_add_up_are_opposed() {
        let opposed = [(0.0, 100.0), (50.0, 50.0), (100.0, 0.0)];
        assert!((correlation(&opposed) + 1.0).abs() < 1e-9);
        assert!((correlation(&[(0.0, 0.0), (90.0, 90.0)]) - 1.0).abs() < 1e-9);
        assert_eq!(correlation(&[(0.0, 10.0), (90.0, 10.0)]), 0.0);
    }

    #[test]
    fn more_of_a_row_is_worth_more_and_less_to_the_other() {
        let text = groundfrog_corpus::game("tictactoe").expect("a game").text;
        let rules = GroundReasoner::of_text(text).expect("a game");
        let game = rules.game();
        let marked = |fluents: &[&str]| {
            let all = (0..game.fluents().len() as u32).map(FluentId);
            State::of(all.filter(|it| fluents.contains(&rules.fluent_text(*it).as_str())))
        };
        let states = [
            marked(&["(square 1 1 cross)"]),
            marked(&["(square 1 1 cross)", "(square 1 2 cross)"]),
            marked(&["(square 1 1 cross)", "(square 1 2 cross)", "(square 1 3 cross)"]),
        ];
        for (role, is_own) in [(RoleId(0), true), (RoleId(1), false)] {
            let fuzzy = Fuzzy::new(game, role, &Structures::default()).expect("it can be unfolded");
            let worth: Vec<f32> = states.iter().map(|it| fuzzy.of(it)).collect();
            let ascends = worth.is_sorted_by(|one, other| one < other);
            let descends = worth.is_sorted_by(|one, other| one > other);
            assert_eq!((ascends, descends), (is_own, !is_own), "{worth:?}");
        }
    }
}
