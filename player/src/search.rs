//! Strategies that search: UCT on the graph of the states met, and puzzles solved in the start clock.

mod auto;
mod tree;
mod uct;

pub use auto::Auto;
pub use uct::Uct;
