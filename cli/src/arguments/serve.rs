//! Arguments of `groundfrog serve`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

use super::{Memory, TimeLimit};

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

    /// A name that browsers may know this machine by, besides `localhost` and its numbers.
    #[arg(long = "host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,

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

    /// Time to ground a game, in seconds; then its rules are interpreted.
    #[arg(long, value_name = "TIME", default_value = "10", help_heading = "Limits")]
    pub(crate) time_limit: TimeLimit,

    /// Memory for the rules of a game and for each built-in player: bytes, or with a unit (`512M`, `1GiB`).
    #[arg(long, value_name = "SIZE", default_value = "1GiB", help_heading = "Limits")]
    pub(crate) max_memory: Memory,
}
