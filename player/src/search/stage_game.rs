//! A root where two roles choose at once: each by regret matching (Hart & Mas-Colell 2000; in trees of simultaneous moves Lanctot,
//! Lisý & Winands 2014), whose means come close to an equilibrium where the sum of goals is constant.

use fxhash::FxHashMap;
use groundfrog_reasoner::Random;

use super::BEST;
use crate::solve::shares;

/// How often a move is taken whatever the regrets are.
const EXPLORATION: f64 = 0.1;

/// With more joint moves too little is known of each: roles then choose by their own means, as elsewhere in the tree.
const MOST_JOINT_MOVES: usize = 1000;

/// The stage game of one state.
#[derive(Clone, Debug)]
pub(super) struct StageGame {
    /// By role, then by move: what the role regrets of it, at least 0.
    regrets: Vec<Vec<f64>>,
    /// The same: how often it was to be taken.
    sums: Vec<Vec<f64>>,
    /// By joint move: how often it was made, and by role the sum of what came of it.
    outcomes: FxHashMap<Vec<u16>, (u32, Vec<f64>)>,
    /// The role `random`, whose moves are all alike likely: it regrets nothing.
    chance: Option<usize>,
}

impl StageGame {
    /// Of a state with so many moves of each role, if two but chance have a choice, and not too many. With three roles the means of regret
    /// matching need not come close to an equilibrium, whatever goals add up to.
    pub(super) fn new(moves: &[usize], chance: Option<usize>) -> Option<Self> {
        let has_choice = |role: &usize| Some(*role) != chance && moves[*role] > 1;
        let joint = moves.iter().try_fold(1_usize, |all, count| all.checked_mul(*count));
        let is_small = joint.is_some_and(|joint| joint <= MOST_JOINT_MOVES);
        if !is_small || (0..moves.len()).filter(has_choice).count() != 2 {
            return None;
        }
        let regrets: Vec<Vec<f64>> = moves.iter().map(|&count| vec![0.0; count]).collect();
        Some(StageGame { sums: regrets.clone(), regrets, outcomes: FxHashMap::default(), chance })
    }

    /// Appends a joint move to try next.
    pub(super) fn select(&mut self, random: &mut Random, made: &mut Vec<u16>) {
        for (regrets, sums) in self.regrets.iter().zip(&mut self.sums) {
            let strategy = shares(regrets);
            let even = 1.0 / strategy.len() as f64;
            sums.iter_mut().zip(&strategy).for_each(|(sum, share)| *sum += share);
            let tried: Vec<f64> =
                strategy.iter().map(|it| (1.0 - EXPLORATION) * it + EXPLORATION * even).collect();
            made.push(drawn(&tried, random) as u16);
        }
    }

    /// Learns what came of a joint move, by role.
    pub(super) fn learn(&mut self, made: &[u16], values: &[f64]) {
        let (visits, sums) =
            self.outcomes.entry(made.to_vec()).or_insert_with(|| (0, vec![0.0; values.len()]));
        *visits += 1;
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        let mut other = made.to_vec();
        let chance = self.chance;
        for (role, regrets) in self.regrets.iter_mut().enumerate().filter(|it| Some(it.0) != chance)
        {
            for (position, regret) in regrets.iter_mut().enumerate() {
                other[role] = position as u16;
                // What was not tried yet is hoped to be the best.
                let mean = self
                    .outcomes
                    .get(&other)
                    .map_or(BEST, |(visits, sums)| sums[role] / f64::from(*visits));
                // Regrets below 0 are forgotten (regret matching plus).
                *regret = (*regret + (mean - values[role]) / BEST).max(0.0);
            }
            other[role] = made[role];
        }
    }

    /// The mean strategy of a role; alike where nothing was tried.
    pub(super) fn mean(&self, role: usize) -> Vec<f64> {
        shares(&self.sums[role])
    }
}

/// A position drawn by probabilities.
pub(super) fn drawn(probabilities: &[f64], random: &mut Random) -> usize {
    let mut left = (random.next_word() >> 11) as f64 / (1_u64 << 53) as f64;
    for (position, share) in probabilities.iter().enumerate() {
        left -= share;
        if left < 0.0 {
            return position;
        }
    }
    probabilities.len().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the roles of a game with these outcomes, whose goals add up to 100, could gain together against what the others have come to.
    fn gain(outcomes: &[[f64; 3]; 3], steps: u32, random: &mut Random) -> f64 {
        let mut game = StageGame::new(&[3, 3], None).expect("both choose");
        for _ in 0..steps {
            let mut made = Vec::new();
            game.select(random, &mut made);
            let own = outcomes[usize::from(made[0])][usize::from(made[1])];
            game.learn(&made, &[own, 100.0 - own]);
        }
        let means = [game.mean(0), game.mean(1)];
        let against = |row: &[f64; 3]| row.iter().zip(&means[1]).map(|(it, p)| it * p).sum::<f64>();
        let column = |it: usize| (0..3).map(|row| means[0][row] * outcomes[row][it]).sum::<f64>();
        let best = outcomes.iter().map(against).fold(f64::MIN, f64::max);
        let least = (0..3).map(column).fold(f64::MAX, f64::min);
        best - least
    }

    #[test]
    fn nobody_gains_much_against_the_means_of_matrix_games() {
        let mut random = Random::new(2);
        let mut sums = [0.0, 0.0];
        for _ in 0..50 {
            let outcomes = [(); 3].map(|()| [(); 3].map(|()| f64::from(random.below(101))));
            for (sum, steps) in sums.iter_mut().zip([200, 20_000]) {
                *sum += gain(&outcomes, steps, &mut random) / 50.0;
            }
        }
        assert!(sums[1] < 2.0 && sums[1] < sums[0], "{sums:?}");
    }

    #[test]
    fn one_role_and_chance_are_no_stage_game() {
        assert!(StageGame::new(&[3, 5], Some(1)).is_none());
        assert!(StageGame::new(&[3, 1], None).is_none());
        assert!(StageGame::new(&[3, 2, 2], Some(1)).is_some());
        assert!(StageGame::new(&[3, 2, 2], None).is_none(), "three roles choose");
        assert!(StageGame::new(&[3, 2, 1], None).is_some());
        assert!(StageGame::new(&[100, 100], None).is_none(), "too many joint moves");
    }
}
