//! The protocol between game servers and players: messages in KIF over HTTP, as real programs speak it.
//!
//! Requests are read here and not by a web server's library, since servers of matches count lengths in characters, or tell none.
//!
//! * [`Message`]: what a server says.
//! * [`http`]: requests and answers, read and written within a deadline and a size.
//! * [`Address`]: asking a player.
//! * [`listen`]: being asked by many at once, each with a place among the [`connections`].

mod client;
pub mod connections;
pub mod http;
mod listen;
mod message;

pub use client::{Address, ClientError};
pub use listen::listen;
pub use message::{Message, MessageError, News};
