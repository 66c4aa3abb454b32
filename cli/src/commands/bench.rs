//! `groundfrog bench`, and what is told of its results: `report` and `compare`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use groundfrog::visible::{visible_lines, visible_path};
use groundfrog_benches::compare::Comparison;
use groundfrog_benches::harness::{self, Numbered, Plan};
use groundfrog_benches::record::{Options, Record, Status};
use groundfrog_benches::results::{self, Existing, Results};
use groundfrog_benches::{files, machine, report, summary};
use indicatif::ProgressBar;

use super::{Session, conclude, processors_if_0};
use crate::arguments::{BenchArguments, CompareArguments, ReportArguments, name_of};
use crate::destination;
use crate::diagnostics::Reporter;
use crate::failure::{Exit, Failure};
use crate::supervisor::raise_then_end;

/// Measures all games.
pub(crate) fn run(arguments: &BenchArguments) -> Exit {
    let reporter = Reporter::new(arguments.quiet);
    work(arguments, &reporter).unwrap_or_else(|failure| conclude(&Err(failure), &reporter))
}

fn work(arguments: &BenchArguments, reporter: &Reporter) -> Result<Exit, Failure> {
    let games = Numbered::all(files::games(&arguments.games, arguments.shard)?);
    let plan = plan(arguments);
    let existing = match (arguments.resume, arguments.replace) {
        (true, _) => Existing::Resume,
        (false, true) => Existing::Replace,
        (false, false) => Existing::Keep,
    };
    let (mut results, known) = Results::open(path(arguments), existing)?;
    let (done, left): (Vec<Numbered>, Vec<Numbered>) =
        games.into_iter().partition(|game| known.iter().any(|record| plan.is_done(game, record)));
    // Of several records of a game the last one counts.
    let last = |game| known.iter().rev().find(|record| plan.is_done(game, record)).cloned();
    let mut records: Vec<Record> = done.iter().filter_map(last).collect();
    if arguments.resume {
        reporter.note(&format!("{} games are measured already\n", records.len()));
    }
    let stop = Arc::new(AtomicBool::new(false));
    raise_then_end(&stop);
    let jobs = processors_if_0(arguments.jobs);
    let before = records.len();
    harness::run::<Failure>(&plan, &left, jobs, &stop, !arguments.quiet, |record, bar| {
        results.append(&record)?;
        print(&summary::game(&record), arguments.quiet, bar)?;
        records.push(record);
        Ok(())
    })?;
    if stop.load(Ordering::Relaxed) && records.len() - before < left.len() {
        let (path, rest) = (visible_path(results.path()), left.len() + before - records.len());
        reporter.always(&format!(
            "interrupted: {} of {} games are in `{path}`; --resume measures the other {rest}\n",
            records.len(),
            left.len() + before
        ));
        return Ok(Exit::Interrupted);
    }
    records.sort_by(|a, b| a.game.cmp(&b.game));
    print(&summary::text(&records), arguments.quiet, &ProgressBar::hidden())?;
    reporter.note(&format!("results: {}\n", visible_path(results.path())));
    // The report of all parts is made by `groundfrog report`, when all of them are there.
    if arguments.shard.is_none() && !records.is_empty() {
        let page = write(&records, &arguments.out)?;
        reporter.note(&format!("report: {}\n", visible_path(&page)));
    }
    Ok(exit(&records))
}

/// Writes to standard output while there may be a progress bar on the screen.
fn print(text: &str, quiet: bool, bar: &ProgressBar) -> Result<(), Failure> {
    if quiet {
        return Ok(());
    }
    match bar.suspend(|| io::stdout().lock().write_all(visible_lines(text).as_bytes())) {
        // The results are in a file: who does not want to read along need not.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::standard_output(error))
        }
        _ => Ok(()),
    }
}

fn path(arguments: &BenchArguments) -> PathBuf {
    arguments.out.join(match arguments.shard {
        None => "results.jsonl".to_owned(),
        Some(shard) => format!("results-{}-of-{}.jsonl", shard.number, shard.of),
    })
}

fn plan(arguments: &BenchArguments) -> Plan {
    let mut forms = arguments.forms.clone();
    forms.sort_unstable();
    forms.dedup();
    let forms = forms.iter().map(|it| it.task());
    let tasks = arguments.domains.tasks().iter().copied().chain(forms.clone()).collect();
    let options = Options {
        domains: name_of(arguments.domains),
        forms: forms.map(|it| it.name().to_owned()).collect(),
        threads: processors_if_0(arguments.threads),
        runs: arguments.runs,
        warm_up: arguments.warm_up,
        time_limit: u64::try_from(arguments.time_limit.0.as_millis()).unwrap_or(u64::MAX).max(1),
        memory_limit: arguments.max_memory.0,
    };
    Plan {
        tasks,
        options,
        machine: machine::this(),
        crash_on: arguments.crash_on.clone(),
        hang_on: arguments.hang_on.clone(),
    }
}

/// Limits and faults of descriptions are results. What is worse decides how the program ends.
fn exit(records: &[Record]) -> Exit {
    match records.iter().map(|it| it.status).max() {
        Some(Status::Crash) => Exit::Crash,
        Some(Status::Disagreement) => Exit::Disagreement,
        Some(Status::Io) => Exit::Io,
        _ => Exit::Success,
    }
}

/// Writes a report about the results of `bench`.
pub(crate) fn report(arguments: &ReportArguments, session: &Session) -> Result<(), Failure> {
    let reporter = &session.reporter;
    let mut records = Vec::new();
    for path in &arguments.results {
        records.append(&mut read(path, reporter)?);
    }
    if records.is_empty() {
        let nothing = "none of them has a line that `groundfrog bench` wrote";
        let source = io::Error::new(io::ErrorKind::InvalidData, nothing);
        return Err(Failure::Io { what: "there are no results in the files".into(), source });
    }
    let page = write(&records, &arguments.out)?;
    let number = results::last_of_each(&records).len();
    if number < records.len() {
        reporter.note("warning: there are several results of some games: the last counts\n");
    }
    let games = if number == 1 { "game" } else { "games" };
    reporter.note(&format!("{}: {number} {games}\n", visible_path(&page)));
    Ok(())
}

/// Reads results and warns of what is none.
fn read(path: &Path, reporter: &Reporter) -> Result<Vec<Record>, Failure> {
    let contents = results::read(path)?;
    contents.warnings.iter().for_each(|it| reporter.note(&format!("warning: {it}\n")));
    Ok(contents.records)
}

/// Writes the page and the figures into a folder, which is made if it is not there. Each file is replaced in one step, the
/// page last. Returns the path of the page.
fn write(records: &[Record], folder: &Path) -> Result<PathBuf, Failure> {
    let files = report::files(records);
    fs::create_dir_all(folder)
        .map_err(|source| Failure::io("cannot make the folder", folder, source))?;
    for (name, text) in &files {
        destination::replace_file(&folder.join(name), text.as_bytes())?;
    }
    Ok(folder.join(report::PAGE))
}

/// Reports what has changed between two runs of `bench`.
pub(crate) fn compare(arguments: &CompareArguments) -> Exit {
    let session = Session::unlimited(false);
    match changes(arguments, &session) {
        Ok(comparison) if arguments.fail_above.is_some_and(|it| comparison.is_worse(it)) => {
            Exit::Slower
        }
        result => session.conclude(&result.map(drop)),
    }
}

fn changes(arguments: &CompareArguments, session: &Session) -> Result<Comparison, Failure> {
    let old = read_some(&arguments.old, &session.reporter)?;
    let new = read_some(&arguments.new, &session.reporter)?;
    let comparison = Comparison::new(&old, &new);
    // In what the runs differ may show why they have no game in common.
    match session.report(&arguments.format, &comparison, |out| write!(out, "{comparison}")) {
        Err(failure) if !failure.is_broken_pipe() => return Err(failure),
        _ => {}
    }
    if !old.iter().any(|it| new.iter().any(|other| other.game == it.game)) {
        let message = "the two runs have no game in common, so there is nothing to compare";
        return Err(Failure::Usage(message.to_owned()));
    }
    Ok(comparison)
}

fn read_some(path: &Path, reporter: &Reporter) -> Result<Vec<Record>, Failure> {
    let records = read(path, reporter)?;
    if records.is_empty() {
        let nothing = "it has no line that `groundfrog bench` wrote";
        let source = io::Error::new(io::ErrorKind::InvalidData, nothing);
        return Err(Failure::io("there are no results in", path, source));
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let inside = folder.path().join("new/report");
        let page = write(&[], &inside).expect("the folder can be written to");
        assert_eq!(page, inside.join("report.html"));
        fs::write(&page, "torn").expect("the page can be written");
        write(&[], &inside).expect("the files can be replaced");
        let text = fs::read_to_string(page).expect("the page is there");
        assert!(text.contains("</html>"), "{text}");
        let files = fs::read_dir(&inside).expect("the folder is there").count();
        assert_eq!(files, report::files(&[]).len());
    }
}
