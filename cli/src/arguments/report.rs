//! Arguments of `groundfrog report`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = crate::exit::HELP)]
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
