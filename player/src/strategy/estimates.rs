//! Mean values of moves.

use groundfrog_reasoner::{MoveId, Random};

use super::{CandidateMove, Decision};
use crate::machine::Machine;

/// Mean values of the legal moves of a role.
pub(super) struct Estimates {
    moves: Vec<MoveId>,
    /// By move: how many values, and their sum.
    sums: Vec<(u64, f64)>,
    /// By move: the sum of how many moves it took to have these.
    lengths: Vec<u64>,
}

impl Estimates {
    pub(super) fn new(moves: &[MoveId]) -> Self {
        let (moves, count) = (moves.to_vec(), moves.len());
        Estimates { moves, sums: vec![(0, 0.0); count], lengths: vec![0; count] }
    }

    /// Adds a value that was had after so many moves.
    pub(super) fn add(&mut self, index: usize, value: f64, length: usize) {
        let (count, sum) = &mut self.sums[index];
        *count += 1;
        *sum += value;
        self.lengths[index] += length as u64;
    }

    fn mean(&self, index: usize) -> Option<f64> {
        let (count, sum) = self.sums[index];
        (count > 0).then(|| sum / count as f64)
    }

    /// One of the best moves, of those with the same mean the one that has it soonest; what has no value counts as 0.
    pub(super) fn decide(&self, method: &str, random: &mut Random, machine: &Machine) -> Decision {
        let means: Vec<f64> =
            (0..self.moves.len()).map(|it| self.mean(it).unwrap_or(0.0)).collect();
        let most = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut best: Vec<usize> = (0..means.len()).filter(|&it| means[it] >= most).collect();
        let length = |it: usize| self.lengths[it] as f64 / self.sums[it].0.max(1) as f64;
        let soonest = best.iter().map(|&it| length(it)).fold(f64::INFINITY, f64::min);
        best.retain(|&it| most <= 0.0 || length(it) <= soonest);
        let chosen = best[random.below(best.len() as u32) as usize];
        let mut candidates: Vec<CandidateMove> = (0..self.moves.len())
            .map(|at| CandidateMove {
                action: machine.move_text(self.moves[at]),
                visits: self.sums[at].0,
                value: self.mean(at),
                proven: false,
            })
            .collect();
        candidates.sort_by_key(|it| std::cmp::Reverse(it.visits));
        Decision {
            action: machine.move_text(self.moves[chosen]),
            method: method.to_owned(),
            value: self.mean(chosen),
            playouts: self.sums.iter().map(|it| it.0).sum(),
            candidates,
            ..Decision::default()
        }
    }
}
