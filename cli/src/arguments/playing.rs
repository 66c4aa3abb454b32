//! Options of the commands that play: `verify`, `simulate`, `play`, and of `propnet`.

use std::path::PathBuf;

use clap::Args;
use groundfrog_player::StrategyKind;
use groundfrog_player::belief::Opponents;

use super::{
    FormArguments, FormatArguments, InputArguments, LimitArguments, MethodArguments, NetChoice,
    ObligationChoice, ReadingArguments, ReasonerChoice, ReportChoice, TimeLimit,
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
#[command(after_help = crate::exit::HELP)]
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
#[command(after_help = crate::exit::HELP)]
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
#[command(after_help = crate::exit::HELP)]
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
#[command(after_help = crate::exit::HELP)]
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
#[command(after_help = crate::exit::HELP)]
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
    #[arg(long, value_name = "LANGUAGE", requires = "into")]
    pub(crate) emit: Option<ObligationChoice>,

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
#[command(after_help = crate::exit::HELP)]
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
#[command(after_help = crate::exit::HELP)]
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
#[command(after_help = crate::exit::HELP)]
pub(crate) struct PropnetArguments {
    #[command(flatten)]
    pub(crate) game: GroundedArguments,

    #[command(flatten)]
    pub(crate) format: FormatArguments<NetChoice>,

    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
