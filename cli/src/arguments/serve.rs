//! Arguments of `groundfrog serve`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

use super::{Memory, MessageSize, TimeLimit};

#[derive(Debug, Args)]
#[command(after_help = crate::exit::HELP)]
pub(crate) struct ServeArguments {
    /// Games to offer besides those of the corpus; folders are searched.
    #[arg(value_name = "GAME")]
    pub(crate) games: Vec<PathBuf>,

    /// The port to listen on; 0 takes any that is free.
    #[arg(long, default_value_t = 8047)]
    pub(crate) port: u16,

    /// The address to listen on; `0.0.0.0` lets other machines in.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    pub(crate) listen: IpAddr,

    /// A name that browsers may know this machine by, besides `localhost` and its numbers; with a port if it is not the page's.
    #[arg(long = "host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,

    /// What browsers have to know to use the page. Beyond loopback it is drawn at random and printed, unless it is given.
    #[arg(long, value_name = "TOKEN", value_parser = token)]
    pub(crate) token: Option<String>,

    /// The address of a player over HTTP that may be chosen. If any is given, or beyond loopback, no others may.
    #[arg(long = "allow-player", value_name = "URL")]
    pub(crate) remote_players: Vec<String>,

    /// Show the records of matches in this folder, also while they grow; it may come into being later.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) watch: Option<PathBuf>,

    /// How many threads a built-in player may search with; 0 takes all processors.
    #[arg(long, value_name = "N", default_value = "1")]
    #[arg(value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(0..=1024))]
    pub(crate) threads: usize,

    /// Another number, other random moves.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Time to open a game, in seconds; what is not ground after two thirds of it is interpreted.
    #[arg(long, value_name = "TIME", default_value = "10", help_heading = "Limits")]
    pub(crate) time_limit: TimeLimit,

    /// Memory of the process, which games and matches share: bytes, or with a unit (`512M`, `1GiB`).
    #[arg(long, value_name = "SIZE", default_value = "1GiB", help_heading = "Limits")]
    pub(crate) max_memory: Memory,

    /// Bytes that a request may have, or with a unit; a description has a quarter of them at most.
    #[arg(long, value_name = "SIZE", default_value = "4MiB", help_heading = "Limits")]
    pub(crate) max_message: MessageSize,
}

/// A token: a word that nobody guesses, and that needs no escapes in an address.
fn token(text: &str) -> Result<String, String> {
    let is_plain = |it: u8| it.is_ascii_alphanumeric() || b"-_".contains(&it);
    match text.len() >= 16 && text.bytes().all(is_plain) {
        true => Ok(text.to_owned()),
        false => Err("expected 16 or more of A to Z, a to z, 0 to 9, `-` and `_`".to_owned()),
    }
}
