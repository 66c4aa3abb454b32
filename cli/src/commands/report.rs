//! `groundfrog report`.

use std::io;

use super::conclude;
use crate::arguments::ReportArguments;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::{self, Merger};

/// Writes a report about the results of `bench`.
pub(crate) fn run(arguments: &ReportArguments) -> Exit {
    let reporter = Reporter::new(arguments.quiet);
    conclude(&work(arguments, &reporter), &reporter)
}

fn work(arguments: &ReportArguments, reporter: &Reporter) -> Result<(), Failure> {
    let mut merger = Merger::default();
    arguments.results.iter().try_for_each(|path| merger.read(path))?;
    let (records, warnings) = merger.finish();
    warnings.iter().for_each(|warning| reporter.note(&format!("warning: {warning}\n")));
    if records.is_empty() {
        let nothing = "none of them has a line that `groundfrog bench` wrote";
        let source = io::Error::new(io::ErrorKind::InvalidData, nothing);
        return Err(Failure::Io { what: "there are no results in the files".into(), source });
    }
    let page = report::write(&records, &arguments.out)?;
    let number = records.len();
    let games = if number == 1 { "game" } else { "games" };
    reporter.note(&format!("{}: {number} {games}\n", page.display()));
    Ok(())
}
