//! What a state is worth that is no end: a number for each fluent, learned from random playouts.

use groundfrog::game::RoleId;
use groundfrog_reasoner::{PlayoutEnd, Random, State};

use super::LONGEST;
use crate::clock::Until;
use crate::solve::position::Rules;
use crate::solve::values_of;

/// Playouts that are learned from.
const PLAYOUTS: u32 = 20_000;
/// States of each playout: neighbours tell the same.
const STATES: usize = 4;
/// How much of an error is made good at once, at first; it falls with the number of playouts.
const RATE: f32 = 0.2;
/// Playouts after which the rate is half of that.
const HALF: f32 = 2_000.0;
/// What a goal of 1 is worth to the search.
pub(super) const SCALE: i32 = 1000;

/// What fluents tell of the goal of a role.
#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    /// By fluent, for goals from 0 to 1.
    weights: Vec<f32>,
    bias: f32,
    /// The least and the greatest goal value that the rules have.
    range: (i64, i64),
}

/// What playouts of a game are like, for a role.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Likeness {
    /// How much of the variance of the goal the evaluation explains, in states that it has not learned from yet: 1 is all.
    pub(super) explained: f64,
    /// Playouts that came to an end by themselves.
    pub(super) playouts: u32,
}

impl Evaluation {
    /// Learns as long as it may.
    pub(super) fn learn(
        rules: &mut Rules,
        role: RoleId,
        seed: u64,
        until: &Until,
    ) -> (Self, Likeness) {
        let fluents = rules.reasoner.game().fluents().len();
        let values = values_of(rules.reasoner.game(), role);
        let range = values.first().copied().zip(values.last().copied()).unwrap_or((0, 100));
        let mut evaluation = Evaluation { weights: vec![0.0; fluents], bias: 0.5, range };
        let mut likeness = Likeness::default();
        let mut random = Random::new(seed);
        let mut errors = Errors::default();
        let mut way: Vec<State> = Vec::new();
        for number in 0..PLAYOUTS {
            if until.is_over() {
                break;
            }
            way.clear();
            let mut length = 0;
            let mut drawn = Random::new(random.next_word());
            let observe = |words: &[u64], _: &[_]| {
                // Each state is as likely to be kept as any other.
                length += 1;
                if way.len() < STATES {
                    way.push(State::of_words(words));
                } else if let Some(old) = way.get_mut(drawn.below(length) as usize) {
                    *old = State::of_words(words);
                }
            };
            let playout = rules.reasoner.playout_observed(&mut random, LONGEST as u32, observe);
            if playout.end != PlayoutEnd::Terminal {
                continue;
            }
            let mut goals = Vec::new();
            rules.reasoner.final_values(playout, 0, &mut goals);
            let own = goals[role.index()];
            likeness.playouts += 1;
            let rate = RATE / (1.0 + number as f32 / HALF);
            for state in &way {
                let error = evaluation.teach(state, own as f32 / 100.0, rate);
                if number > PLAYOUTS / 10 {
                    errors.add(own as f64 / 100.0, f64::from(error));
                }
            }
        }
        likeness.explained = errors.explained();
        (evaluation, likeness)
    }

    fn sum(&self, state: &State) -> f32 {
        self.bias + state.fluents().map(|it| self.weights[it.index()]).sum::<f32>()
    }

    /// Learns from a state what it was worth, by normalised least mean squares; returns the error before.
    fn teach(&mut self, state: &State, value: f32, rate: f32) -> f32 {
        let error = value - self.sum(state);
        let share = rate * error / (state.len() as f32 + 1.0);
        self.bias += share;
        state.fluents().for_each(|it| self.weights[it.index()] += share);
        error
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
        let value = (self.sum(state) * 100.0 * SCALE as f32) as i32;
        let (least, most) = (self.least() + 1, self.most() - 1);
        value.clamp(least.min(most), most)
    }
}

/// Errors and what they would be without an evaluation.
#[derive(Clone, Copy, Debug, Default)]
struct Errors {
    count: f64,
    sum: f64,
    squares: f64,
    errors: f64,
}

impl Errors {
    fn add(&mut self, value: f64, error: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
        self.errors += error * error;
    }

    fn explained(&self) -> f64 {
        let variance = self.squares - self.sum * self.sum / self.count.max(1.0);
        if variance <= 0.0 { 0.0 } else { 1.0 - self.errors / variance }
    }
}
