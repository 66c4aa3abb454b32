//! What moves are worth in random play: where the order of moves begins.

use groundfrog::game::RoleId;
use groundfrog_reasoner::{MoveId, Random};

use super::position::Rules;

/// Random playouts that are looked at.
const PLAYOUTS: u32 = 1000;
/// Longer ones are given up.
const LONGEST: u32 = 1000;
/// So many joint moves are enough.
const MOST_MOVES: usize = 200_000;

/// By move: in how many playouts it was made, and how well its maker did, 0 to 1; and by role the mean goal.
pub(crate) fn prior(
    rules: &mut Rules,
    may_go_on: impl Fn() -> bool,
) -> (Vec<(f32, f32)>, Vec<f64>) {
    let moves = rules.reasoner.game().moves().len();
    let roles = rules.roles;
    let mut sums = vec![(0.0_f32, 0.0_f32); moves];
    let mut goals = vec![(0.0, 0.0); roles];
    let mut random = Random::new(1);
    let mut made: Vec<MoveId> = Vec::new();
    let owners: Vec<RoleId> = rules.reasoner.game().moves().iter().map(|it| it.role).collect();
    let mut count = 0;
    for _ in 0..PLAYOUTS {
        count += made.len() / roles.max(1);
        if count > MOST_MOVES || !may_go_on() {
            break;
        }
        made.clear();
        let playout = &mut rules.reasoner;
        playout.playout_observed(&mut random, LONGEST, |_, moves| made.extend_from_slice(moves));
        let values: Vec<Option<i64>> = (0..roles as u32)
            .map(|role| playout.final_goals(RoleId(role)).first().copied())
            .collect();
        for (sum, value) in goals.iter_mut().zip(&values) {
            if let Some(value) = value {
                *sum = (sum.0 + 1.0, sum.1 + *value as f64);
            }
        }
        for it in &made {
            if let Some(value) = values[owners[it.index()].index()] {
                let sum = &mut sums[it.index()];
                *sum = (sum.0 + 1.0, sum.1 + value as f32 / 100.0);
            }
        }
    }
    let means = sums.into_iter().map(|it| (it.0, if it.0 > 0.0 { it.1 / it.0 } else { 0.0 }));
    let goals = goals.into_iter().map(|it| if it.0 > 0.0 { it.1 / it.0 } else { 0.0 });
    (means.collect(), goals.collect())
}
