//! The protocol between game servers and players: messages in KIF over HTTP, as real programs speak it.
//!
//! Sockets are those of the standard library, since every deadline counts from connecting and a peer may say half a word.
//!
//! * [`Message`]: what a server says.
//! * [`http`]: requests and answers, read and written within a deadline and a size.
//! * [`Address`]: asking a player.
//! * [`listen`]: being asked by many at once.

mod client;
pub mod http;
mod listen;
mod message;

pub use client::{Address, ClientError};
pub use listen::listen;
pub use message::{Message, MessageError, News};
