//! Whether a negative cycle remains once the rules are ground.

use groundfrog_engine::Budget;

use groundfrog::ground::{self, Extents};
use groundfrog::restrictions::stratification::{NegativeCycle, OnceGround};

/// More ground rules than this are not looked at, nor do they take more bytes than this beside the tables that are there.
const MAX_RULES: u64 = 1 << 20;
const MAX_BYTES: u64 = 64 << 20;

/// Grounds the rules of a cycle's predicates and looks for a cycle among their atoms.
pub(crate) fn once_ground(cycle: &NegativeCycle, extents: &Extents, budget: &Budget) -> OnceGround {
    let bytes = extents.tables().bytes() + MAX_BYTES;
    let budget = budget.clone().with_rules(MAX_RULES).with_memory(bytes);
    let game = extents.ground_rules(&cycle.predicates, &budget);
    let found = game.and_then(|game| Ok(ground::once_ground(&game, &budget)?));
    found.unwrap_or_else(|error| OnceGround::Undecided(error.to_string()))
}
