//! Playing matches of General Game Playing.
//!
//! * [`belief`]: what a role can know of a match in which it does not see everything.
//! * [`solve`]: the value of a game for each role, exactly.
//! * [`strategy`]: what chooses the moves of one role, whoever asks for them.
//! * [`search`]: strategies that search; [`build_strategy`] makes each of them by its name.
//! * [`position`]: where a match is as far as a role can tell.
//! * [`memory`]: what all matches of a process may use together.
//! * [`follower`]: what is known of a match, found beside whoever chooses.
//! * [`protocol`]: the messages between game servers and players, over HTTP.
//! * [`review`](mod@review): what a search thinks of the states of a match that is over.
//! * [`PeerText`]: text that somebody else has sent, harmless.
//! * [`server`]: a player that listens, with its [`clock`].
//! * [`seat_thread`]: a player in a thread of its own; [`text`]: terms as text.

pub mod belief;
mod built_in;
pub mod clock;
pub mod follower;
pub mod memory;
mod peer_text;
pub mod position;
pub mod protocol;
pub mod review;
pub mod search;
pub mod seat_thread;
#[cfg(not(target_family = "wasm"))]
pub mod server;
pub mod solve;
pub mod strategy;
pub mod text;

pub use built_in::{StrategyKind, UnknownStrategy, build_strategy};
pub use peer_text::PeerText;
