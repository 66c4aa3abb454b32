//! The protocol between game servers and players: messages in KIF over HTTP, as real programs speak it.
//!
//! Requests are read here and not by a web server's library, since servers of matches count lengths in characters, or tell none.
//!
//! * [`Message`]: what a server says.
//! * [`http`]: requests and answers, read and written within a deadline and a size.
//! * [`Address`]: asking a player.
//! * `connections`: being asked by many at once, each with a place.

mod client;
#[cfg(not(target_family = "wasm"))]
pub mod connections;
pub mod http;
mod message;

pub use client::{Address, ClientError};
pub use message::{Message, MessageError, News};
