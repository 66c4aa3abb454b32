//! What a state is worth that is no end: how far it fulfils the goals, or a number for each fluent, learned from random playouts.
//!
//! A fluent that places something on a board is worth what all of its kind are, fitted first, and what this place is worth beside that.

use std::sync::Arc;

use groundfrog::game::{GroundGame, RoleId};
use groundfrog_knowledge::evaluation::Kinds;
use groundfrog_reasoner::{BitParallel, State};

use super::fuzzy::Fuzzy;
use super::least_squares::Fit;
use super::samples::Samples;
use crate::clock::Until;
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
        until: &Until,
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

#[cfg(test)]
mod tests {
    use groundfrog_reasoner::FluentId;

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
}
