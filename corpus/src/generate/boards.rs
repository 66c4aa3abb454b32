//! Board games for two players that move in turn.

mod breakthrough;
mod hex;
mod in_a_row;
mod nim;

pub(super) use breakthrough::BREAKTHROUGH;
pub(super) use hex::HEX;
pub(super) use in_a_row::{CONNECT_FOUR, TIC_TAC_TOE};
pub(super) use nim::NIM;
