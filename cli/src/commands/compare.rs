//! `groundfrog compare`.

use std::io;
use std::path::Path;

use super::Session;
use crate::arguments::CompareArguments;
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
    let session = Session::new(Supervisor::start(None, None, false), false);
    match work(arguments, &session) {
        Ok(comparison) if arguments.fail_above.is_some_and(|it| comparison.is_worse(it)) => {
            Exit::Slower
        }
        result => session.conclude(&result.map(drop)),
    }
}

fn work(arguments: &CompareArguments, session: &Session) -> Result<Comparison, Failure> {
    let old = read(&arguments.old, &session.reporter)?;
    let new = read(&arguments.new, &session.reporter)?;
    let comparison = Comparison::new(&old, &new);
    // In what the runs differ may show why they have no game in common.
    let report = ComparisonReport { schema: SCHEMA, comparison: &comparison };
    match session.report(&arguments.format, &report, |out| write!(out, "{comparison}")) {
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
