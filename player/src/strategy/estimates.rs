//! Mean values of moves.

use groundfrog_reasoner::{MoveId, Random};

use super::{CandidateMove, Decision};
use crate::machine::Machine;

/// Mean values of the legal moves of a role.
pub(super) struct Estimates {
    moves: Vec<MoveId>,
    /// By move: how many values, and their sum.
    sums: Vec<(u64, f64)>,
}

impl Estimates {
    pub(super) fn new(moves: &[MoveId]) -> Self {
        Estimates { moves: moves.to_vec(), sums: vec![(0, 0.0); moves.len()] }
    }

    pub(super) fn add(&mut self, index: usize, value: f64) {
        let (count, sum) = &mut self.sums[index];
        *count += 1;
        *sum += value;
    }

    fn mean(&self, index: usize) -> Option<f64> {
        let (count, sum) = self.sums[index];
        (count > 0).then(|| sum / count as f64)
    }

    /// One of the best moves; what has no value counts as 0.
    pub(super) fn decide(&self, method: &str, random: &mut Random, machine: &Machine) -> Decision {
        let means: Vec<f64> =
            (0..self.moves.len()).map(|it| self.mean(it).unwrap_or(0.0)).collect();
        let most = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let best: Vec<usize> = (0..means.len()).filter(|&it| means[it] >= most).collect();
        let chosen = best[random.below(best.len() as u32) as usize];
        let mut candidates: Vec<CandidateMove> = (0..self.moves.len())
            .map(|at| CandidateMove {
                action: machine.move_text(self.moves[at]),
                visits: self.sums[at].0,
                value: self.mean(at),
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
