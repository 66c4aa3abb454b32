//! Playing, running and showing matches of General Game Playing.
//!
//! * [`belief`]: what a role can know of a match in which it does not see everything.
//! * [`board`]: a board to look at, found from the rules.
//! * [`solve`]: the value of a game for each role, exactly.
//! * [`strategy`]: what chooses the moves of one role, whoever asks for them.
//! * [`search`]: strategies that search.
//! * [`machine`](mod@machine) and [`position`]: the rules of a match, and where it is as far as a role can tell.
//! * [`memory`]: what all matches of a process may use together.
//! * [`follower`]: what is known of a match, found beside whoever chooses.
//! * [`protocol`]: the messages between game servers and players, over HTTP.
//! * [`PeerText`]: text that somebody else has sent, harmless.
//! * [`server`]: a player that listens, with its [`clock`].
//! * [`referee`]: the game master, which runs matches; [`record`]: what it writes down; [`tournament`]: many matches.
//! * `serve`: a page with a board in a browser (feature `serve`).

pub mod belief;
pub mod board;
pub mod clock;
mod fault;
pub mod follower;
pub mod machine;
pub mod memory;
mod peer_text;
pub mod position;
pub mod protocol;
pub mod record;
pub mod referee;
pub mod search;
mod seat_thread;
#[cfg(feature = "serve")]
pub mod serve;
pub mod server;
pub mod solve;
pub mod strategy;
mod text;
pub mod tournament;

pub use fault::Fault;
pub use peer_text::PeerText;
