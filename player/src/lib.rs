//! Playing, running and showing matches of General Game Playing.
//!
//! * [`strategy`]: what chooses the moves of one role, whoever asks for them.

pub mod strategy;
