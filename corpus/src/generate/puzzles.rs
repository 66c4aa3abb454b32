//! Puzzles for one player.

mod change_ringing;
mod hanoi;
mod lights_out;
mod sliding;

pub(super) use change_ringing::CHANGE_RINGING;
pub(super) use hanoi::HANOI;
pub(super) use lights_out::LIGHTS_OUT;
pub(super) use sliding::SLIDING_PUZZLE;
