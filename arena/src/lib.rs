//! Running and showing matches of General Game Playing.
//!
//! * [`referee`]: the game master, which runs matches; [`record`]: what it writes down.
//! * [`tournament`]: many matches.
//! * [`board`]: a board to look at, found from the rules.
//! * `serve`: a page with a board in a browser (feature `serve`).

pub mod board;
pub mod record;
pub mod referee;
#[cfg(feature = "serve")]
pub mod serve;
pub mod tournament;

pub use record::Fault;
