//! What can be said on the command line.

mod bench;
mod check;
mod choices;
mod families;
mod forms;
mod playing;
mod report;
mod units;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub(crate) use bench::{BenchArguments, BenchWorkerArguments, CompareArguments};
pub(crate) use check::{CheckArguments, ReportFormat};
pub(crate) use choices::{
    DomainsChoice, EngineChoice, ExportChoice, FormatChoice, NetChoice, PassChoice, ReasonerChoice,
    ReportChoice, StepChoice,
};
pub(crate) use families::{GameChoice, GameKind};
pub(crate) use forms::FormArguments;
pub(crate) use playing::{
    GroundingArguments, PlayArguments, PropnetArguments, SimulateArguments, VerifyArguments,
};
pub(crate) use report::ReportArguments;
pub(crate) use units::{Memory, TimeLimit};

/// Grounds game descriptions in GDL: reads the rules of a game and writes the same rules without
/// variables.
#[derive(Debug, Parser)]
#[command(name = "groundfrog", version, after_help = crate::exit::HELP)]
#[command(max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write the ground rules of a game.
    Ground(GroundArguments),
    /// Print a description as it stands after a step of the method.
    Explain(ExplainArguments),
    /// Tell what is wrong with descriptions, and which fragment of GDL they belong to.
    Check(CheckArguments),
    /// Write a description, not grounded, as a program of another system, to compare grounders.
    Export(ExportArguments),
    /// Compare ground rules with the rules they come from, on random playouts and recorded ones.
    Verify(VerifyArguments),
    /// Measure random playouts.
    Simulate(SimulateArguments),
    /// Play a game by choosing moves from a list.
    Play(PlayArguments),
    /// Write the propositional network of a game.
    Propnet(PropnetArguments),
    /// Measure grounding over a corpus.
    Bench(BenchArguments),
    /// Measure one game for `bench`.
    #[command(hide = true)]
    BenchWorker(BenchWorkerArguments),
    /// Tell which games have become faster or slower between two runs of `bench`.
    Compare(CompareArguments),
    /// Make a report with figures of what was measured of many games.
    Report(ReportArguments),
    /// Write a game of a family, of any size.
    Generate(GenerateArguments),
    /// Print a completion script for a shell.
    Completions(CompletionsArguments),
}

// The description and how it is read.
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct InputArguments {
    /// The file with the description; `-` reads standard input.
    pub(crate) game: PathBuf,

    /// Fold all names to lower case, as some older servers do.
    #[arg(long)]
    pub(crate) fold_case: bool,
}

// How base and input are computed.
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct MethodArguments {
    /// How base and input are computed.
    #[arg(long, value_enum, default_value_t, value_name = "METHOD")]
    pub(crate) domains: DomainsChoice,
}

// What the work may use.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
#[group(skip)]
pub(crate) struct LimitArguments {
    /// Stop after this time: seconds, or with a unit (`500ms`, `10s`, `2m`) [default: no limit].
    #[arg(long, value_name = "TIME")]
    pub(crate) time_limit: Option<TimeLimit>,

    /// Stop at so many ground rules, counted as they are stored, before they are made fewer
    /// [default: no limit].
    #[arg(long, value_name = "N")]
    pub(crate) max_rules: Option<u64>,

    /// Stop when the process needs more memory: bytes, with a unit (`512M`, `4GiB`), or `none`.
    #[arg(long, value_name = "SIZE", default_value = "4GiB")]
    pub(crate) max_memory: Memory,

    /// Refuse descriptions whose terms get deeper than so many nested functions.
    #[arg(long, value_name = "N", default_value = "32")]
    #[arg(value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=512))]
    pub(crate) max_term_depth: usize,
}

#[derive(Debug, Args)]
#[command(after_help = crate::exit::HELP)]
#[group(skip)]
pub(crate) struct GroundArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,

    #[command(flatten)]
    pub(crate) rules: FormArguments,

    /// What is written.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: FormatChoice,

    /// Write to a file instead of standard output. A regular file is replaced in one step, when all of
    /// it is written.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) method: MethodArguments,

    /// Which evaluator does the work.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) engine: EngineChoice,

    /// How many threads may work; 0 takes all processors. The result does not depend on it.
    #[arg(long, value_name = "N", default_value = "1")]
    #[arg(value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(0..=1024))]
    pub(crate) threads: usize,

    /// Print nothing but errors: no warnings, no summary, no progress.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Write statistics as one line of JSON to a file, or to standard error instead of the summary.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "-")]
    pub(crate) json_stats: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

// A description that is written as some text.
#[derive(Debug, Args)]
pub(crate) struct TextArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,

    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Print nothing but errors: no warnings, no progress.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

#[derive(Debug, Args)]
#[command(after_help = crate::exit::HELP)]
pub(crate) struct ExportArguments {
    /// What is written.
    #[arg(value_enum)]
    pub(crate) language: ExportChoice,

    /// Project existential variables away first, as Schiffel does; only for `asp-program`.
    #[arg(long)]
    pub(crate) projected: bool,

    #[command(flatten)]
    pub(crate) text: TextArguments,
}

#[derive(Debug, Args)]
#[command(after_help = crate::exit::HELP)]
pub(crate) struct ExplainArguments {
    #[command(flatten)]
    pub(crate) text: TextArguments,

    /// After which step.
    #[arg(long, value_enum)]
    pub(crate) step: StepChoice,

    // Of which rules `plan` and `passes` speak.
    #[command(flatten)]
    pub(crate) rules: FormArguments,

    #[command(flatten)]
    pub(crate) method: MethodArguments,
}

#[derive(Debug, Args)]
#[command(arg_required_else_help = true, args_conflicts_with_subcommands = true)]
pub(crate) struct GenerateArguments {
    /// List the families and their parameters.
    #[arg(long)]
    pub(crate) list: bool,

    #[command(subcommand)]
    pub(crate) game: Option<GameChoice>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell.
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[cfg(test)]
mod tests;
