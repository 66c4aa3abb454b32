//! Options of the commands that play: alone, with others, and on a page.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;
use groundfrog_player::StrategyKind;
use groundfrog_player::belief::Opponents;

use super::{
    Clock, FormArguments, FormatArguments, InputArguments, LimitArguments, Memory, MessageSize,
    MethodArguments, NetChoice, ReadingArguments, ReasonerChoice, ReportChoice, TimeLimit,
};

// How a game is grounded before it is played.
#[derive(Debug, Args)]
pub(crate) struct GroundingArguments {
    #[command(flatten)]
    pub(crate) rules: FormArguments,

    #[command(flatten)]
    pub(crate) method: MethodArguments,

    /// Print no warnings and no progress.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

// A game and how it is grounded.
#[derive(Debug, Args)]
pub(crate) struct GroundedArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,

    #[command(flatten)]
    pub(crate) grounding: GroundingArguments,
}

// What chance does, and how long a match is.
#[derive(Debug, Args)]
pub(crate) struct ChanceArguments {
    /// Another number, other random moves.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Give a match up after so many joint moves.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) max_length: u32,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// The files with the descriptions; `-` reads standard input.
    #[arg(required = true, value_name = "GAME")]
    pub(crate) games: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,

    /// Random matches for each game.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) playouts: u64,

    /// Compare with recorded playouts as well: a file, or a folder in which those of `x.kif` are in `x.jsonl` or `x.json`, in
    /// letters of any case, and in records of matches whose `gameMetaURL` names `x`.
    #[arg(long, value_name = "PATH")]
    pub(crate) traces: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) format: FormatArguments<ReportChoice>,

    #[command(flatten)]
    pub(crate) chance: ChanceArguments,

    #[command(flatten)]
    pub(crate) grounding: GroundingArguments,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateArguments {
    #[command(flatten)]
    pub(crate) game: GroundedArguments,

    /// What plays.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) reasoner: ReasonerChoice,

    /// How long to measure, after a short warm-up.
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seconds: TimeLimit,

    /// Play so many playouts, without a warm-up and however long they take; `bit-parallel` stops at the step that exceeds it.
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    pub(crate) playouts: Option<u64>,

    #[command(flatten)]
    pub(crate) format: FormatArguments<ReportChoice>,

    #[command(flatten)]
    pub(crate) chance: ChanceArguments,
}

#[derive(Debug, Args)]
pub(crate) struct SolveArguments {
    #[command(flatten)]
    pub(crate) game: GroundedArguments,

    /// How many threads may search what a role can force; 0 takes all processors. Values do not depend on it; with several, the line and
    /// the number of states may.
    #[arg(long, value_name = "N", default_value = "1")]
    #[arg(value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(0..=1024))]
    pub(crate) threads: usize,

    #[command(flatten)]
    pub(crate) format: FormatArguments<ReportChoice>,
}

#[derive(Debug, Args)]
pub(crate) struct BeliefsArguments {
    #[command(flatten)]
    pub(crate) game: GroundedArguments,

    /// What the role did and perceived: for each step the own move (`?` if it is not known) and the list of percepts.
    #[arg(long, value_name = "FILE")]
    pub(crate) history: PathBuf,

    /// Whose belief it is [default: the first role that is not `random`].
    #[arg(long, value_name = "R")]
    pub(crate) role: Option<String>,

    /// How the other roles are assumed to play: weights of moves, such as `bruno:bet=3,bruno:fold=0.5`; all others weigh 1.
    #[arg(long, value_name = "R:MOVE=W,...", default_value = "", hide_default_value = true)]
    pub(crate) opponents: Opponents,

    /// Follow every history while a step has so many joint moves; sample beyond.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) most: usize,

    /// Write so many states, the likeliest; JSON has all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) show: usize,

    /// Another number, other samples.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) format: FormatArguments<ReportChoice>,
}

#[derive(Debug, Args)]
pub(crate) struct AnalyseArguments {
    #[command(flatten)]
    pub(crate) game: GroundedArguments,

    /// How long to look for proofs, once the game is ground.
    #[arg(long, value_name = "TIME", default_value = "10")]
    pub(crate) proof_time: TimeLimit,

    /// A file with statements to decide, such as `(always (at-most 1 (true (control ?r))))`: see docs/knowledge.md.
    #[arg(long, value_name = "FILE")]
    pub(crate) property: Option<PathBuf>,

    /// Write what each proof rests on into the folder, as programs for clingo, which must have no answer set; those of
    /// refutations, named `...-way.lp`, must have one.
    #[arg(long, value_name = "LANGUAGE", value_parser = ["asp"], requires = "into")]
    pub(crate) emit: Option<String>,

    /// The folder for `--emit`; it is made if it is not there.
    #[arg(long, value_name = "FOLDER", requires = "emit")]
    pub(crate) into: Option<PathBuf>,

    /// Another number, other random matches.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) format: FormatArguments<ReportChoice>,
}

#[derive(Debug, Args)]
pub(crate) struct AnalyseMatchArguments {
    /// The record of the match, as `match` and `tournament` write it.
    #[arg(value_name = "RECORD")]
    pub(crate) record: PathBuf,

    /// The file with the description [default: the one that the record names].
    #[arg(long, value_name = "FILE")]
    pub(crate) game: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,

    /// How long to search from each state, for each role.
    #[arg(long, value_name = "TIME", default_value = "1")]
    pub(crate) time: TimeLimit,

    /// Another number, other playouts.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) format: FormatArguments<ReportChoice>,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

#[derive(Debug, Args)]
pub(crate) struct PlayArguments {
    #[command(flatten)]
    pub(crate) game: GroundedArguments,

    /// The roles that persons play [default: the first role but `random`].
    #[arg(long = "role", value_delimiter = ',', value_name = "R,...")]
    pub(crate) roles: Vec<String>,

    /// What plays all other roles but `random`: `auto`, `uct`, `alphabeta`, `fuzzy`, `mcts` (plain Monte Carlo),
    /// `greedy` (one step) or `random`.
    #[arg(long, value_name = "STRATEGY", default_value = "random")]
    pub(crate) against: StrategyKind,

    /// Time that these have for a move, and before the first one, in seconds.
    #[arg(long, value_name = "TIME", default_value = "1")]
    pub(crate) play_clock: TimeLimit,

    #[command(flatten)]
    pub(crate) chance: ChanceArguments,
}

#[derive(Debug, Args)]
pub(crate) struct PropnetArguments {
    #[command(flatten)]
    pub(crate) game: GroundedArguments,

    #[command(flatten)]
    pub(crate) format: FormatArguments<NetChoice>,

    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

// Options of the commands that play matches with others: `player`, `match`, `tournament`.

#[derive(Debug, Args)]
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

// Arguments of `groundfrog tournament`.

#[derive(Debug, Args)]
#[command(
    override_usage = "groundfrog tournament [OPTIONS] --out <DIR> <FILE>\n       groundfrog tournament --schedule <FILE>"
)]
pub(crate) struct TournamentArguments {
    /// The file with the plan in TOML: games, players, rounds, clocks.
    #[arg(value_name = "FILE")]
    pub(crate) plan: PathBuf,

    /// The folder for the records of the matches and the page `report.html`; needed unless `--schedule` is given.
    #[arg(long, value_name = "DIR", required_unless_present = "schedule")]
    pub(crate) out: Option<PathBuf>,

    /// Go on where a tournament stopped: matches that have a record are not played again.
    #[arg(long, conflicts_with = "replace")]
    pub(crate) resume: bool,

    /// Remove the records that are there.
    #[arg(long)]
    pub(crate) replace: bool,

    /// Print the matches instead of playing them, as JSON lines; of a Swiss tournament those of the first round.
    #[arg(long, conflicts_with_all = ["out", "format", "json"])]
    pub(crate) schedule: bool,

    /// Memory of the process, which matches share: bytes, with a unit (`512M`, `4GiB`), `none`, or `auto`, which is 4GiB, or three
    /// quarters of what address space or container allow.
    #[arg(long, value_name = "SIZE", default_value = "auto")]
    pub(crate) max_memory: Memory,

    #[command(flatten)]
    pub(crate) format: FormatArguments<ReportChoice>,

    /// Print nothing but the standings.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

// Arguments of `groundfrog serve`.

#[cfg(feature = "serve")]
#[derive(Debug, Args)]
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
#[cfg(feature = "serve")]
fn token(text: &str) -> Result<String, String> {
    let is_plain = |it: u8| it.is_ascii_alphanumeric() || b"-_".contains(&it);
    match text.len() >= 16 && text.bytes().all(is_plain) {
        true => Ok(text.to_owned()),
        false => Err("expected 16 or more of A to Z, a to z, 0 to 9, `-` and `_`".to_owned()),
    }
}
