//! `groundfrog compare`.

use std::io::{self, Write};
use std::path::Path;

use super::conclude;
use crate::arguments::CompareArguments;
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::supervisor::Supervisor;
use groundfrog_benches::compare::Comparison;
use groundfrog_benches::record::Record;
use serde::Serialize;

/// The version of the fields below; it grows when one changes its meaning or goes away.
const SCHEMA: u32 = 1;

/// What has changed. `docs/formats.md` describes every field.
#[derive(Debug, Serialize)]
struct ComparisonReport<'run> {
    schema: u32,
    #[serde(flatten)]
    comparison: &'run Comparison,
}

/// Reports what has changed between two runs of `bench`.
pub(crate) fn run(arguments: &CompareArguments) -> Exit {
    let reporter = Reporter::new(false);
    let mut supervisor = Supervisor::start(None, None, false);
    let result = work(arguments, &supervisor, &reporter);
    supervisor.finish();
    match result {
        Ok(comparison) if arguments.fail_above.is_some_and(|it| comparison.is_worse(it)) => {
            Exit::Slower
        }
        result => conclude(&result.map(drop), &reporter),
    }
}

fn work(
    arguments: &CompareArguments,
    supervisor: &Supervisor,
    reporter: &Reporter,
) -> Result<Comparison, Failure> {
    let old = read(&arguments.old, reporter)?;
    let new = read(&arguments.new, reporter)?;
    let comparison = Comparison::new(&old, &new);
    // In what the runs differ may show why they have no game in common.
    let report = ComparisonReport { schema: SCHEMA, comparison: &comparison };
    let text = |out: &mut dyn Write| write!(out, "{comparison}");
    let written = Destination::Stdout.report(supervisor, arguments.format.choice(), &report, text);
    match written {
        Err(failure) if !failure.is_broken_pipe() => return Err(failure),
        _ => {}
    }
    if !old.iter().any(|it| new.iter().any(|other| other.game == it.game)) {
        let message = "the two runs have no game in common, so there is nothing to compare";
        return Err(Failure::Usage(message.to_owned()));
    }
    Ok(comparison)
}

fn read(path: &Path, reporter: &Reporter) -> Result<Vec<Record>, Failure> {
    let records = super::report::read(path, reporter)?;
    if records.is_empty() {
        let nothing = "it has no line that `groundfrog bench` wrote";
        let source = io::Error::new(io::ErrorKind::InvalidData, nothing);
        return Err(Failure::io("there are no results in", path, source));
    }
    Ok(records)
}
