//! Puzzles for one player.

mod hanoi;
mod lights_out;
mod sliding;

pub(super) use hanoi::HANOI;
pub(super) use lights_out::LIGHTS_OUT;
pub(super) use sliding::SLIDING_PUZZLE;
