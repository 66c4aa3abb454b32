//! Arguments of `groundfrog tournament`.

use std::path::PathBuf;

use clap::Args;

use super::{FormatArguments, Memory, ReportChoice};

#[derive(Debug, Args)]
#[command(after_help = crate::exit::HELP)]
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
