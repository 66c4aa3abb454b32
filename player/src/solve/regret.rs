//! Games in which two roles, or one, do not see everything: strategies by regret matching over information sets.
//!
//! The whole tree of histories is held, so this is for small games. Each iteration adds to the regret of each move of each
//! information set what it would have been worth more than what was played (counterfactual regret minimisation; Zinkevich,
//! Johanson, Bowling & Piccione, NIPS 2007), regrets that fall below 0 are forgotten and later strategies count more in the
//! mean (CFR+; Tammelin 2014). What the mean strategies are worth at least and at most is found by best responses, so the
//! bounds hold whatever was iterated; they come close to each other and are hardly ever equal.

mod tree;

use groundfrog::game::RoleId;
use groundfrog_reasoner::{ReasonerError, Vocabulary};

use super::position::Rules;
use super::{Solution, SolveMethod, Undecided};
use crate::clock::StateBudget;
pub use tree::LONGEST_HISTORY;
use tree::NoTree;
pub(crate) use tree::shares;

/// Bounds that are so close, of goal values from 0 to 100, end the search.
const CLOSE: f64 = 0.01;
/// Iterations between two looks at the bounds.
const INTERVAL: u32 = 100;

/// How a role plays in one information set.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct MixedMove {
    /// The role.
    pub role: String,
    /// Its own moves from the beginning, each with what it then perceived, as KIF.
    pub history: Vec<(String, Vec<String>)>,
    /// Its moves there, each with its probability.
    pub moves: Vec<(String, f64)>,
}

/// Bounds on what each role can get, and mean strategies that keep to them.
pub(super) fn solve(
    rules: &mut Rules,
    budget: &mut StateBudget<'_>,
    memory: u64,
) -> Result<Solution, ReasonerError> {
    let chance = rules.reasoner.chance_role();
    let players: Vec<RoleId> = rules.reasoner.role_ids().filter(|&it| Some(it) != chance).collect();
    let game = rules.reasoner.game();
    let mut solution = Solution::open(game, SolveMethod::RegretMatching, None);
    let tree = match players.len() {
        1 | 2 => tree::build(rules, &players, budget, memory),
        _ => Err(NoTree::Unsuited(Undecided::ImperfectInformation)),
    };
    solution.states = budget.steps();
    let mut tree = match tree {
        Ok(tree) => tree,
        Err(NoTree::Unsuited(why)) => return Ok(Solution { undecided: Some(why), ..solution }),
        Err(NoTree::Failed(error)) => return Err(error),
    };
    if tree.is_over_at_once() {
        (solution.line_is_complete, solution.line_stop) = (true, None);
    }
    let mut iterations = 0;
    let found = loop {
        for _ in 0..INTERVAL {
            iterations += 1;
            tree.iterate(iterations);
        }
        let found = tree.bounds();
        if found.iter().all(|it| it.1 - it.0 <= CLOSE) || budget.is_over() {
            break found;
        }
    };
    for (role, (lower, upper)) in players.iter().zip(found) {
        let value = &mut solution.values[role.index()];
        // Rounding must not turn the bounds round.
        (value.lower, value.upper) = (lower, upper.max(lower));
        value.decided = value.lower == value.upper;
    }
    let is_exact = players.iter().all(|it| solution.values[it.index()].exact().is_some());
    solution.undecided = (!is_exact).then_some(match budget.is_over() {
        true => Undecided::Budget,
        false => Undecided::Approximate,
    });
    solution.strategies = tree.strategies(rules, &players);
    solution.memory = tree.bytes();
    Ok(solution)
}
