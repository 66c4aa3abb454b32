//! What a state is worth that is no end: a small network over its fluents, learned in matches against itself.
//!
//! Each fluent that holds adds its row to a hidden layer, so that an evaluation costs some hundred additions. There is one output, what the
//! first of two roles gets of a constant sum.

mod self_play;

use groundfrog_reasoner::{Random, State};

pub(super) use self_play::self_play;

/// Units of the hidden layer.
const HIDDEN: usize = 16;
/// Games with more fluents are not learned.
const MOST_FLUENTS: usize = 1 << 17;

/// A network from fluents to the share that the first role gets, from 0 to 1.
#[derive(Clone, Debug)]
pub(super) struct LearnedValue {
    /// By fluent: its direct weight, and what it adds to the hidden layer.
    direct: Vec<f32>,
    rows: Vec<[f32; HIDDEN]>,
    bias: f32,
    offsets: [f32; HIDDEN],
    outputs: [f32; HIDDEN],
    has_hidden: bool,
}

impl LearnedValue {
    /// One that knows nothing, for so many fluents.
    fn new(fluents: usize, has_hidden: bool, random: &mut Random) -> Self {
        let mut drawn = |scale: f32| scale * (2.0 * random.fraction() as f32 - 1.0);
        LearnedValue {
            direct: vec![0.0; fluents],
            rows: (0..fluents).map(|_| std::array::from_fn(|_| drawn(0.3))).collect(),
            bias: 0.0,
            offsets: [0.0; HIDDEN],
            outputs: std::array::from_fn(|_| drawn(0.1)),
            has_hidden,
        }
    }

    /// The hidden layer, and the sum before the last function.
    fn sums(&self, state: &State) -> ([f32; HIDDEN], f32) {
        let (mut hidden, mut sum) = (self.offsets, self.bias);
        for fluent in state.fluents() {
            sum += self.direct[fluent.index()];
            if self.has_hidden {
                let row = &self.rows[fluent.index()];
                hidden.iter_mut().zip(row).for_each(|(unit, it)| *unit += it);
            }
        }
        if self.has_hidden {
            for (unit, weight) in hidden.iter_mut().zip(&self.outputs) {
                *unit = unit.max(0.0);
                sum += *unit * weight;
            }
        }
        (hidden, sum)
    }

    /// What a state is worth to the first role, from 0 to 1.
    pub(super) fn of(&self, state: &State) -> f32 {
        share(self.sums(state).1)
    }

    /// Learns what a state is worth: goes down the gradient of the likelihood, by steps that are as large for many fluents as for few
    /// (normalised). Returns what it was thought to be worth.
    pub(super) fn teach(&mut self, state: &State, value: f32, rate: f32) -> f32 {
        let (hidden, sum) = self.sums(state);
        let known = share(sum);
        let fluents = state.len() as f32 + 1.0;
        let mut size = fluents;
        if self.has_hidden {
            for (unit, weight) in hidden.iter().zip(&self.outputs) {
                size += unit * unit + if *unit > 0.0 { weight * weight * fluents } else { 0.0 };
            }
        }
        let step = rate * (value - known) * 4.0 / size;
        let mut steps = [0.0; HIDDEN];
        if self.has_hidden {
            for unit in 0..HIDDEN {
                if hidden[unit] > 0.0 {
                    steps[unit] = step * self.outputs[unit];
                    self.outputs[unit] += step * hidden[unit];
                }
            }
            self.offsets.iter_mut().zip(&steps).for_each(|(unit, it)| *unit += it);
        }
        self.bias += step;
        for fluent in state.fluents() {
            self.direct[fluent.index()] += step;
            if self.has_hidden {
                let row = &mut self.rows[fluent.index()];
                row.iter_mut().zip(&steps).for_each(|(unit, it)| *unit += it);
            }
        }
        known
    }
}

fn share(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}
