//! Whether a negative cycle remains once the rules are ground.

use groundfrog_engine::Budget;

use groundfrog::ground::{self, Extents};
use groundfrog::restrictions::stratification::{NegativeCycle, OnceGround};

/// More ground rules than this are not looked at.
const MAX_RULES: u64 = 1 << 20;

/// Grounds the rules of a cycle's predicates and looks for a cycle among their atoms.
pub(crate) fn once_ground(cycle: &NegativeCycle, extents: &Extents, budget: &Budget) -> OnceGround {
    let budget = budget.clone().with_rules(MAX_RULES);
    let game = extents.ground_rules(&cycle.predicates, &budget);
    let found = game.and_then(|game| Ok(ground::once_ground(&game, &budget)?));
    found.unwrap_or_else(|error| OnceGround::Undecided(error.to_string()))
}
