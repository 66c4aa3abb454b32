//! Arguments of `groundfrog check`.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};
use groundfrog::kif::Severity;
use groundfrog_check::codes::{self, Code};

use super::{FindingsChoice, FormatArguments, Memory, ReadingArguments, TimeLimit};

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The files with the descriptions; `-` reads standard input.
    #[arg(value_name = "GAME", required_unless_present_any = ["explain", "list"])]
    pub(crate) games: Vec<PathBuf>,

    /// Visit the states: does each match end, has each role a move and at the end a goal, can it win?
    #[arg(long)]
    pub(crate) explore: bool,

    /// Play so many random matches, which find faults in games too large to explore.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    pub(crate) playouts: Option<u64>,

    /// Another number, other random matches.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// How many threads may explore; 0 takes all processors. The result does not depend on it.
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(0..=1024))]
    pub(crate) threads: usize,

    #[command(flatten)]
    pub(crate) format: FormatArguments<FindingsChoice>,

    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Leave out findings by their codes.
    #[arg(long, value_name = "CODE,...", value_delimiter = ',', value_parser = code)]
    pub(crate) allow: Vec<&'static Code>,

    /// From which severity on findings are failures.
    #[arg(long, value_enum, default_value_t, value_name = "SEVERITY")]
    pub(crate) fail_on: FailOn,

    /// Print what a code means, and check nothing.
    #[arg(long, value_name = "CODE", value_parser = code, conflicts_with = "games")]
    pub(crate) explain: Option<&'static Code>,

    /// Print all codes, and check nothing.
    #[arg(long, conflicts_with_all = ["games", "explain"])]
    pub(crate) list: bool,

    /// The language of the descriptions [default: what their keywords say].
    #[arg(long, value_enum)]
    pub(crate) language: Option<super::LanguageChoice>,

    /// With --explore in a market: rules that derive `(violates NAME)` from what was `received`, `did` and `sent`.
    #[arg(long, value_name = "FILE", requires = "explore")]
    pub(crate) properties: Option<PathBuf>,

    /// With --explore in a market: the numbers that messages have.
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "0,1,2")]
    #[arg(allow_hyphen_values = true)]
    pub(crate) samples: Vec<String>,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,

    /// Print nothing but errors, as text; no progress.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Stop exploring after about so many states.
    #[arg(long, value_name = "N", default_value_t = 10_000_000, help_heading = "Limits")]
    #[arg(value_parser = RangedU64ValueParser::<u64>::new().range(1..=u64::from(u32::MAX) - 1))]
    pub(crate) max_states: u64,

    /// Spend so much on each game, and report what is undecided by then [default: 5s, and 60s more with
    /// --explore or --playouts].
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    pub(crate) time_limit: Option<TimeLimit>,

    /// Stop when the process needs more memory: bytes, with a unit (`512M`, `4GiB`), or `none`.
    /// Exploring takes half of it.
    #[arg(long, value_name = "SIZE", default_value = "auto", help_heading = "Limits")]
    pub(crate) max_memory: Memory,
}

/// A code by its name.
fn code(name: &str) -> Result<&'static Code, String> {
    codes::code(name)
        .ok_or_else(|| "there is no such code: `groundfrog check --list` prints all".to_owned())
}

/// From which severity on findings are failures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Errors are.
    #[default]
    Error,
    /// Warnings are, too.
    Warning,
    /// Everything is.
    Note,
}

impl FailOn {
    /// The least severity that is a failure.
    pub(crate) fn severity(self) -> Severity {
        match self {
            FailOn::Error => Severity::Error,
            FailOn::Warning => Severity::Warning,
            FailOn::Note => Severity::Note,
        }
    }
}
