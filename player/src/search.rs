//! Strategies that search: UCT on the graph of the states met, information sets where roles do not see everything, and puzzles
//! solved in the start clock.

mod alpha_beta;
mod auto;
mod evaluation;
mod information_sets;
mod look_ahead;
mod playouts;
mod proof;
mod puzzle_plan;
mod samples;
mod stage_game;
mod tree;
mod uct;
mod ways;

use crate::strategy::StrategyOptions;
pub use auto::Auto;
pub use information_sets::InformationSets;
pub use uct::Uct;

/// How many threads search: one where decisions are not to depend on the time, and all processors for 0.
fn thread_count(options: &StrategyOptions) -> usize {
    match options.threads {
        _ if options.most.is_some() => 1,
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        count => count,
    }
}

/// Joint moves after which a playout or a way down the tree is given up.
const LONGEST: usize = 1000;
/// Goals are from 0 to 100.
const BEST: f64 = 100.0;
