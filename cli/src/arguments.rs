//! Arguments of the command line.

mod bench;
mod check;
mod choices;
mod families;
mod playing;
mod relatives;
mod units;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{Args, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use groundfrog::ParseOptions;
use groundfrog::description::Notation;
use groundfrog::emit::Format;
use groundfrog::explain::Step;
use groundfrog::options::{Domains, Engine};
use groundfrog::visible::visible;

pub(crate) use bench::*;
pub(crate) use check::CheckArguments;
pub(crate) use choices::*;
pub(crate) use families::{GameChoice, GameKind};
pub(crate) use playing::*;
pub(crate) use relatives::*;
pub(crate) use units::*;

/// Grounds game descriptions in GDL: reads the rules of a game and writes the same rules without
/// variables.
#[derive(Debug, Parser)]
#[command(name = "groundfrog", version = VERSION, after_help = crate::failure::EXIT_CODES)]
#[command(max_term_width = 100)]
pub(crate) struct Arguments {
    /// When messages have colours: `auto` is on a terminal, unless `NO_COLOR` is set.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) color: ColorChoice,

    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The version, with the commit that the program was built from where that is known.
const VERSION: &str = match option_env!("GROUNDFROG_COMMIT") {
    Some(commit) => commit,
    None => env!("CARGO_PKG_VERSION"),
};

impl Arguments {
    /// What the words of a command line say. A path alone stands for `ground PATH`; usage errors and requests for help end
    /// the program.
    pub(crate) fn of(mut words: Vec<OsString>) -> Self {
        if words.get(1).is_some_and(|it| is_game(it)) {
            words.insert(1, "ground".into());
        }
        let parse = |words: &[OsString]| {
            Self::whole().try_get_matches_from(words).and_then(|it| Self::from_arg_matches(&it))
        };
        parse(&words).unwrap_or_else(|error| {
            // What is wrong is told with names of files, which may steer a terminal.
            let shown = words.iter().map(|it| visible(&it.to_string_lossy()).into_owned().into());
            parse(&shown.collect::<Vec<OsString>>()).err().unwrap_or(error).exit()
        })
    }

    /// The whole command line. The help about each command ends with the exit codes.
    pub(crate) fn whole() -> clap::Command {
        Self::command().mut_subcommands(|it| it.after_help(crate::failure::EXIT_CODES))
    }
}

/// Whether the first word is a game and no command: standard input, or a file that is there or looks like one.
fn is_game(word: &OsStr) -> bool {
    let path = Path::new(word);
    let is_command = Arguments::command().find_subcommand(word).is_some();
    !is_command
        && (word == "-"
            || path.is_file()
            || path.extension().is_some_and(|it| it == "kif" || it == "gdl"))
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write the ground rules of a game.
    Ground(GroundArguments),
    /// Print a description as it stands after a step of the method.
    Explain(ExplainArguments),
    /// Report what is wrong with descriptions, and which fragment of GDL they belong to.
    Check(CheckArguments),
    /// Write a description, not grounded, as a program of another system, to compare grounders.
    Export(ExportArguments),
    /// Compare ground rules with the rules they come from, on random playouts and recorded ones.
    Verify(VerifyArguments),
    /// Measure random playouts.
    Simulate(SimulateArguments),
    /// Prove what is true of a game: what excludes what, turns, sums of goals, ends.
    Analyse(AnalyseArguments),
    /// Say what a search thinks of each state of a recorded match, and where that turned.
    AnalyseMatch(AnalyseMatchArguments),
    /// Find the value of a game for each role, and a line of best play.
    Solve(SolveArguments),
    /// Say which states a role believes possible after its moves and percepts (GDL-II).
    Beliefs(BeliefsArguments),
    /// Play a game by choosing moves from a list.
    Play(PlayArguments),
    /// Play matches for game servers, over the protocol of General Game Playing.
    Player(PlayerArguments),
    /// Run a match between players.
    Match(MatchArguments),
    /// Show games and matches in a browser, and let persons play.
    #[cfg(feature = "serve")]
    Serve(ServeArguments),
    /// Play many matches: games, players and rounds of a file.
    Tournament(TournamentArguments),
    /// Play, simulate and run games in real time (rtGDL).
    Realtime(RealtimeArguments),
    /// Run a market (MSL) by a script, or for traders over the network.
    Market(MarketArguments),
    /// Write a game in another language.
    Translate(TranslateArguments),
    /// Write the propositional network of a game.
    Propnet(PropnetArguments),
    /// Measure grounding over a corpus.
    Bench(BenchArguments),
    /// Measure one game for `bench`.
    #[command(hide = true)]
    BenchWorker(BenchWorkerArguments),
    /// Report which games have become faster or slower between two runs of `bench`.
    Compare(CompareArguments),
    /// Make a report with figures of what was measured of many games.
    Report(ReportArguments),
    /// Write a game of a family, of any size.
    Generate(GenerateArguments),
    /// Print a completion script for a shell.
    Completions(CompletionsArguments),
    /// Print a page of the manual, for `man -l -`.
    Man(ManArguments),
}

// The description and how it is read.
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct InputArguments {
    /// The file with the description; `-` reads standard input.
    pub(crate) game: PathBuf,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

// How descriptions are read.
#[derive(Clone, Debug, Default, Args)]
#[group(skip)]
pub(crate) struct ReadingArguments {
    /// Fold all names to lower case, as some older servers do.
    #[arg(long)]
    pub(crate) fold_case: bool,

    /// How the rules are written; it is detected if it is not given.
    #[arg(long, value_enum, value_name = "NOTATION")]
    pub(crate) notation: Option<Notation>,
}

impl ReadingArguments {
    /// The same for the parser of what is called so.
    pub(crate) fn options(&self, name: String) -> ParseOptions {
        let (fold_case, notation) = (self.fold_case, self.notation);
        ParseOptions { fold_case, notation, name, ..ParseOptions::default() }
    }
}

// How base and input are computed.
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct MethodArguments {
    /// How base and input are computed.
    #[arg(long, value_enum, default_value_t, value_name = "METHOD")]
    pub(crate) domains: Domains,
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

    /// Stop when the process needs more memory: bytes, with a unit (`512M`, `4GiB`), `none`, or `auto`, which is 4GiB, or three
    /// quarters of what address space or container allow.
    #[arg(long, value_name = "SIZE", default_value = "auto")]
    pub(crate) max_memory: Memory,

    /// Refuse descriptions whose terms get deeper than so many nested functions.
    #[arg(long, value_name = "N", default_value = "32")]
    #[arg(value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=512))]
    pub(crate) max_term_depth: usize,
}

#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct GroundArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,

    #[command(flatten)]
    pub(crate) rules: FormArguments,

    /// What is written.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Number the ground rules, from 1 on, in a comment at the end of each; only for `kif` and `asp`.
    #[arg(long)]
    pub(crate) rule_numbers: bool,

    /// Write to a file instead of standard output. A regular file is replaced in one step, when all of
    /// it is written.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) method: MethodArguments,

    /// Which evaluator does the work.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) engine: Engine,

    /// How many threads may work; 0 takes all processors. The result does not depend on it.
    #[arg(long, value_name = "N", default_value = "1")]
    #[arg(value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(0..=1024))]
    pub(crate) threads: usize,

    /// Print nothing but errors: no warnings, no summary, no progress.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Write statistics as one line of JSON to a file, or to standard error instead of the summary.
    #[arg(long, visible_alias = "json", value_name = "FILE", num_args = 0..=1, require_equals = true)]
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
pub(crate) struct ExportArguments {
    /// What is written.
    #[arg(value_enum)]
    pub(crate) language: ExportChoice,

    /// Project existential variables away first, as Schiffel does; only for `asp-program`.
    #[arg(long)]
    pub(crate) projected: bool,

    /// For how many joint moves; only for `timed-asp`.
    #[arg(long, value_name = "N", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) moves: u32,

    #[command(flatten)]
    pub(crate) text: TextArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    #[command(flatten)]
    pub(crate) text: TextArguments,

    /// After which step; all steps, one after the other, if it is left out.
    #[arg(long, value_enum)]
    pub(crate) step: Option<Step>,

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
pub(crate) struct ManArguments {
    /// The command that the page is about, or the whole program.
    pub(crate) command: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell.
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[cfg(test)]
mod tests;
