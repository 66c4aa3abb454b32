//! Options of the commands that play matches with others: `player`, `match`, `tournament`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;
use groundfrog_player::StrategyKind;
use groundfrog_player::belief::Opponents;

use super::{Clock, FormatArguments, InputArguments, Memory, MessageSize, ReportChoice};

#[derive(Debug, Args)]
#[command(after_help = crate::exit::HELP)]
pub(crate) struct PlayerArguments {
    /// The port to listen on; 0 takes any that is free.
    #[arg(long, default_value_t = 9147)]
    pub(crate) port: u16,

    /// The address to listen on; `0.0.0.0` lets other machines in.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    pub(crate) listen: IpAddr,

    /// The name that servers get.
    #[arg(long, default_value = "groundfrog")]
    pub(crate) name: String,

    /// What chooses the moves: `auto`, `uct`, `alphabeta`, `fuzzy`, `mcts` (plain Monte Carlo), `greedy` (one step) or `random`.
    #[arg(long, default_value = "auto", value_name = "NAME")]
    pub(crate) strategy: StrategyKind,

    /// Play so many matches at once; further ones are refused.
    #[arg(long, value_name = "N", default_value = "1")]
    #[arg(value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=64))]
    pub(crate) matches: usize,

    /// Bytes that a message may have, or with a unit (`512K`, `8MiB`).
    #[arg(long, value_name = "SIZE", default_value = "4MiB")]
    pub(crate) max_message: MessageSize,

    /// A site whose pages may send messages, such as `http://localhost:8000`; `*` is any.
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    pub(crate) allowed_origins: Vec<String>,

    /// Append a line of JSON for each message that is answered. Lines for which a reader leaves no room are dropped.
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) strength: StrengthArguments,
}

// What strategies may use.
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct StrengthArguments {
    /// Memory of the process, which matches share: bytes, with a unit (`512M`, `4GiB`), `none`, or `auto`, which is 4GiB, or three
    /// quarters of what address space or container allow.
    #[arg(long, value_name = "SIZE", default_value = "auto")]
    pub(crate) max_memory: Memory,

    /// How many threads may search; 0 takes all processors.
    #[arg(long, value_name = "N", default_value = "0")]
    #[arg(value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(0..=1024))]
    pub(crate) threads: usize,

    /// Another number, other random moves.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,

    /// In games with percepts, how the other roles are assumed to play: weights of moves, such as `bruno:bet=3`; all others
    /// weigh 1.
    #[arg(long, value_name = "R:MOVE=W,...", default_value = "", hide_default_value = true)]
    pub(crate) opponents: Opponents,
}

#[derive(Debug, Args)]
#[command(after_help = crate::exit::HELP)]
pub(crate) struct MatchArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,

    /// Who plays, in the order of the roles: a name and the address of a player (`me=http://127.0.0.1:9147`), or a
    /// built-in strategy (`it=mcts`).
    #[arg(long = "player", value_name = "NAME=URL", required = true)]
    pub(crate) players: Vec<String>,

    /// Time to prepare, in seconds.
    #[arg(long, value_name = "TIME", default_value = "10")]
    pub(crate) start_clock: Clock,

    /// Time for a move, in seconds.
    #[arg(long, value_name = "TIME", default_value = "2")]
    pub(crate) play_clock: Clock,

    /// Write the record of the match to a file, also while it is under way.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,

    /// The name of the match.
    #[arg(long, value_name = "NAME", default_value = "match.1")]
    pub(crate) id: String,

    /// Bytes that a player's answer may have, or with a unit.
    #[arg(long, value_name = "SIZE", default_value = "64KiB")]
    pub(crate) max_message: MessageSize,

    /// Send players over HTTP other names than those of the description.
    #[arg(long)]
    pub(crate) scramble: bool,

    /// Run a game of GDL as one of GDL-II in which every role perceives every move, by the protocol of GDL-II.
    #[arg(long)]
    pub(crate) gdl_ii: bool,

    /// In games with percepts, send PLAY and STOP in the older form, without turn and own move.
    #[arg(long)]
    pub(crate) older_percepts: bool,

    /// Give the match up after so many joint moves.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) max_length: u32,

    #[command(flatten)]
    pub(crate) strength: StrengthArguments,

    #[command(flatten)]
    pub(crate) format: FormatArguments<ReportChoice>,

    /// Print only the result.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
