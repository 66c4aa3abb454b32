//! Options of the commands about the relatives of GDL: `realtime`, `market`, `translate`.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use groundfrog::description::Language;
use groundfrog_languages::number::{self, Number};

use super::{ReadingArguments, TimeLimit};

/// A language of descriptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LanguageChoice {
    /// GDL.
    Gdl,
    /// GDL-II: GDL with percepts and chance.
    GdlIi,
    /// rtGDL: games in real time.
    Rtgdl,
    /// MSL: markets.
    Msl,
}

impl From<LanguageChoice> for Language {
    fn from(choice: LanguageChoice) -> Self {
        match choice {
            LanguageChoice::Gdl | LanguageChoice::GdlIi => Language::Gdl,
            LanguageChoice::Rtgdl => Language::RealTime,
            LanguageChoice::Msl => Language::Market,
        }
    }
}

/// Seconds, 0 or more, as an exact number.
fn seconds(text: &str) -> Result<Number, String> {
    number::parse(text)
        .filter(|it| *it >= Number::from_integer(0.into()))
        .ok_or_else(|| "expected seconds, such as `1.5` or `1/3`".to_owned())
}

/// Seconds, more than 0.
fn positive(text: &str) -> Result<Number, String> {
    seconds(text).and_then(|number| match number == Number::from_integer(0.into()) {
        true => Err("the time must be greater than zero".to_owned()),
        false => Ok(number),
    })
}

#[derive(Debug, Args)]
pub(crate) struct RealtimeArguments {
    #[command(subcommand)]
    pub(crate) command: RealtimeCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RealtimeCommand {
    /// Run a match without a clock: moves of a script, or at random.
    Simulate(RealtimeSimulate),
    /// Play by the clock in a terminal; other roles move at random.
    Play(RealtimePlay),
    /// Run a match for players over the network.
    Serve(RealtimeServe),
    /// Play for a manager over the network.
    Player(RealtimePlayer),
}

// A game in real time.
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct RealtimeInput {
    /// The file with the description; `-` reads standard input.
    pub(crate) game: PathBuf,

    /// The language of the description [default: what its keywords say].
    #[arg(long, value_enum)]
    pub(crate) language: Option<LanguageChoice>,

    /// When this fluent expires, roles that have not moved since it did so last move at random, as a game translated from
    /// GDL needs.
    #[arg(long, value_name = "FLUENT")]
    pub(crate) idle: Option<String>,

    /// Another number, other random moves.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Print no warnings.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
#[command(after_help = crate::failure::EXIT_CODES)]
pub(crate) struct RealtimeSimulate {
    #[command(flatten)]
    pub(crate) input: RealtimeInput,

    /// The moves: a list `(TIME ROLE MOVE)` for each.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["step", "playouts"])]
    pub(crate) script: Option<PathBuf>,

    /// Each role moves at random, after one to ten times so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    pub(crate) step: Option<Number>,

    /// Measure so many random matches instead of showing one.
    #[arg(long, value_name = "N", requires = "step")]
    #[arg(value_parser = clap::builder::RangedU64ValueParser::<u64>::new().range(1..))]
    pub(crate) playouts: Option<u64>,

    /// End at this time of the game, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "3600", value_parser = seconds)]
    pub(crate) until: Number,

    /// Show the state after each event.
    #[arg(long)]
    pub(crate) states: bool,

    /// Stop after this time [default: no limit].
    #[arg(long, value_name = "TIME")]
    pub(crate) time_limit: Option<TimeLimit>,
}

#[derive(Debug, Args)]
#[command(after_help = crate::failure::EXIT_CODES)]
pub(crate) struct RealtimePlay {
    #[command(flatten)]
    pub(crate) input: RealtimeInput,

    /// The role that the person plays [default: the first].
    #[arg(long)]
    pub(crate) role: Option<String>,

    /// Other roles move at random, after up to so many seconds.
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = positive)]
    pub(crate) wait: Number,

    /// End at this time of the game, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "3600", value_parser = seconds)]
    pub(crate) until: Number,
}

/// What players are told, and when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelChoice {
    /// Every event, with its time.
    #[default]
    Events,
    /// Moves only; what expires is for the players' own clocks.
    Moves,
    /// Events at the ends of slots, at which moves are made; see --slot.
    Slots,
    /// Every event; the game's time stands still while the manager computes.
    Stopped,
}

#[derive(Debug, Args)]
#[command(after_help = crate::failure::EXIT_CODES)]
pub(crate) struct RealtimeServe {
    #[command(flatten)]
    pub(crate) input: RealtimeInput,

    /// The port to listen on; 0 takes any that is free.
    #[arg(long, default_value_t = 9148)]
    pub(crate) port: u16,

    /// The address to listen on; `0.0.0.0` lets other machines in.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    pub(crate) listen: IpAddr,

    /// The name of the match.
    #[arg(long, value_name = "NAME", default_value = "match.1")]
    pub(crate) id: String,

    /// What players are told, and when.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) model: ModelChoice,

    /// How long a slot is, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = positive)]
    pub(crate) slot: Number,

    /// How long players are waited for.
    #[arg(long, value_name = "TIME", default_value = "60")]
    pub(crate) join: TimeLimit,

    /// Time to prepare; when all are ready the match begins earlier.
    #[arg(long, value_name = "TIME", default_value = "10")]
    pub(crate) start_clock: TimeLimit,

    /// End the match at this time of the game, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "3600", value_parser = positive)]
    pub(crate) until: Number,
}

#[derive(Debug, Args)]
#[command(after_help = crate::failure::EXIT_CODES)]
pub(crate) struct RealtimePlayer {
    /// Where the manager listens, as `127.0.0.1:9148`.
    pub(crate) manager: SocketAddr,

    /// The name that the manager gets.
    #[arg(long, default_value = "groundfrog")]
    pub(crate) name: String,

    /// The role to play [default: any].
    #[arg(long)]
    pub(crate) role: Option<String>,

    /// The moves to make, and when they are to arrive: a list `(TIME MOVE)` for each. Without it moves are random.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,

    /// Random moves come after up to so many seconds.
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = positive)]
    pub(crate) wait: Number,

    /// Another number, other random moves.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// How the maker chooses among legal actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PolicyChoice {
    /// The first, in the order of their texts.
    #[default]
    First,
    /// Any.
    Random,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("source").required(true).args(["script", "port"]))]
pub(crate) struct MarketArguments {
    /// The file with the description; `-` reads standard input.
    pub(crate) market: PathBuf,

    /// The language of the description [default: what its keywords say].
    #[arg(long, value_enum)]
    pub(crate) language: Option<LanguageChoice>,

    /// What is sent and done: a list `(STEP TRADER MESSAGE)` for each message, `(STEP does ACTION)` for the maker.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,

    /// Hold the market for traders over the network, on this port; 0 takes any that is free.
    #[arg(long)]
    pub(crate) port: Option<u16>,

    /// The address to listen on; `0.0.0.0` lets other machines in.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1", requires = "port")]
    pub(crate) listen: IpAddr,

    /// How long a step takes.
    #[arg(long, value_name = "TIME", default_value = "1", requires = "port")]
    pub(crate) step: TimeLimit,

    /// How long traders are waited for.
    #[arg(long, value_name = "TIME", default_value = "60", requires = "port")]
    pub(crate) join: TimeLimit,

    /// How often the market is held.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "port")]
    pub(crate) rounds: u64,

    /// How the maker chooses among several legal actions.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) policy: PolicyChoice,

    /// Another number, other random choices.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Give the market up after so many steps.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) max_steps: u64,

    /// Print no warnings.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TranslateArguments {
    /// The file with the description in GDL; `-` reads standard input.
    pub(crate) game: PathBuf,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,

    /// The language to write: in rtGDL each turn takes the time of a clock.
    #[arg(long, value_name = "LANGUAGE", value_parser = ["rtgdl"])]
    pub(crate) to: String,

    /// How long a turn takes, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "1.0", value_parser = positive)]
    pub(crate) turn: Number,

    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Print no warnings.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
