//! Arguments of `groundfrog bench`, `compare` and `report`.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};
use groundfrog_benches::files::Shard;
use groundfrog_benches::job::Task;

use super::{FormatArguments, Memory, ReportChoice, TimeLimit};

#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// Folders with descriptions (all files *.kif and *.gdl in them), and single files.
    #[arg(required = true, value_name = "DIR|FILE")]
    pub(crate) games: Vec<PathBuf>,

    /// The folder for the results; it is created if it is missing.
    #[arg(long, value_name = "REPORT_DIR")]
    pub(crate) out: PathBuf,

    /// How base and input are computed; `both` checks that the results are the same.
    #[arg(long, value_enum, default_value_t, value_name = "METHOD")]
    pub(crate) domains: MethodChoice,

    /// Which ground rules are computed.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FORM,...")]
    #[arg(default_values = ["flat", "compact"])]
    pub(crate) forms: Vec<FormChoice>,

    /// Measure so many times; medians are reported.
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=10_000))]
    pub(crate) runs: usize,

    /// Before, do the same so many times without measuring.
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(0..=10_000))]
    pub(crate) warm_up: usize,

    /// Measure so many games at the same time; 0 for each processor one. Times are best with 1.
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(0..=1024))]
    pub(crate) jobs: usize,

    /// How many threads may work on a game; 0 takes all processors.
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(0..=1024))]
    pub(crate) threads: usize,

    /// Measure only the Ith of N equal parts of the games, from `1/N` to `N/N`.
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,

    /// Go on after the results that are there: games that were measured with the same rules, version and
    /// options are left out.
    #[arg(long, conflicts_with = "replace")]
    pub(crate) resume: bool,

    /// Remove the results that are there.
    #[arg(long)]
    pub(crate) replace: bool,

    /// Print nothing but errors: no progress, no line a game, no summary.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Stop each measurement after this time: seconds, or with a unit (`500ms`, `10s`, `2m`).
    #[arg(long, value_name = "TIME", default_value = "10s", help_heading = "Limits")]
    pub(crate) time_limit: TimeLimit,

    /// Stop a measurement when its process needs more memory: bytes, with a unit (`512M`, `4GiB`), or
    /// `none`.
    #[arg(long, value_name = "SIZE", default_value = "auto", help_heading = "Limits")]
    pub(crate) max_memory: Memory,

    /// For tests: the process that measures this game dies.
    #[arg(long, value_name = "GAME", hide = true)]
    pub(crate) crash_on: Option<String>,

    /// For tests: the process that measures this game hangs.
    #[arg(long, value_name = "GAME", hide = true)]
    pub(crate) hang_on: Option<String>,
}

/// How base and input are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodChoice {
    /// In the one fixpoint that computes everything.
    OneStep,
    /// Round by round; groundings do so, too.
    Iterative,
    /// Both for each game; groundings compute them in one step.
    #[default]
    Both,
}

impl MethodChoice {
    /// What is measured.
    pub(crate) fn tasks(self) -> &'static [Task] {
        match self {
            MethodChoice::OneStep => &[Task::OneStep],
            MethodChoice::Iterative => &[Task::Iterative],
            MethodChoice::Both => &[Task::OneStep, Task::Iterative],
        }
    }
}

/// Which ground rules are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum FormChoice {
    /// As the method defines them.
    Flat,
    /// With all passes that make the game smaller.
    Compact,
}

impl FormChoice {
    /// What is measured.
    pub(crate) fn task(self) -> Task {
        match self {
            FormChoice::Flat => Task::Flat,
            FormChoice::Compact => Task::Compact,
        }
    }
}

// A job, for the process that does it.
#[derive(Debug, Args)]
pub(crate) struct BenchWorkerArguments {
    /// The job as JSON.
    pub(crate) job: String,

    /// The game.
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArguments {
    /// Results of `bench`.
    #[arg(value_name = "OLD.jsonl")]
    pub(crate) old: PathBuf,

    /// Newer results of the same games.
    #[arg(value_name = "NEW.jsonl")]
    pub(crate) new: PathBuf,

    /// Fail if a game has become slower by more than this ratio, beyond the noise, or is lost, or has
    /// other results for the same rules.
    #[arg(long, value_name = "RATIO", value_parser = ratio)]
    pub(crate) fail_above: Option<f64>,

    #[command(flatten)]
    pub(crate) format: FormatArguments<ReportChoice>,
}

fn ratio(text: &str) -> Result<f64, String> {
    let ratio = text.parse().ok().filter(|it: &f64| it.is_finite() && *it >= 1.0);
    ratio.ok_or_else(|| "expected a ratio of 1 or more, such as `1.3`".to_owned())
}

// Arguments of `groundfrog report`.

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// Files that `groundfrog bench` wrote, all parts of a corpus; `-` reads standard input. Of several
    /// lines about one game, known by the hash of its description, the last counts.
    #[arg(value_name = "RESULTS", required = true)]
    pub(crate) results: Vec<PathBuf>,

    /// The folder for the page `report.html` and the figures as SVG files.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// Print nothing but errors.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
