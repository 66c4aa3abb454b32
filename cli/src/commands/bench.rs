//! `groundfrog bench`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use groundfrog::visible::{visible_lines, visible_path};
use indicatif::ProgressBar;

use super::processors_if_0;
use crate::arguments::{BenchArguments, name_of};
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interruption;
use groundfrog_benches::harness::{self, Numbered, Plan};
use groundfrog_benches::record::{Options, Record, Status};
use groundfrog_benches::results::{Existing, Results};
use groundfrog_benches::{files, machine, summary};

/// Measures all games.
pub(crate) fn run(arguments: &BenchArguments) -> Exit {
    let reporter = Reporter::new(arguments.quiet);
    match work(arguments, &reporter) {
        Ok(exit) => exit,
        Err(failure) => {
            reporter.failure(&failure);
            failure.exit()
        }
    }
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
    interruption::raise_then_end(&stop);
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
        let page = super::report::write(&records, &arguments.out)?;
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
