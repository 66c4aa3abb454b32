//! Base and input: what can hold in a state, and which moves can be legal.

pub mod iterative;
pub mod one_step;
