//! `groundfrog ground`.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use groundfrog::emit::{self, Format};
use groundfrog::ground::Stage;
use groundfrog::options::GroundOptions;

use super::Session;
use crate::arguments::GroundArguments;
use crate::destination::{self, Destination, EMIT};
use crate::diagnostics::Reporter;
use crate::failure::{Exit, Failure};
use crate::memory;
use crate::source;
use crate::statistics::{self, Outcome, RunStatistics};
use crate::supervisor::Supervisor;

/// Larger descriptions, in bytes, are watched from the beginning: a loop may last that no limit is looked at in.
const LARGE: usize = 1 << 15;
/// The same with a time limit. It takes a tenth of a millisecond.
const LARGE_IF_TIMED: usize = 1 << 13;

/// Writes the ground rules of a game.
pub(crate) fn run(arguments: GroundArguments) -> Exit {
    let arguments = Arc::new(arguments);
    let (time, memory) = (arguments.limits.time_limit, arguments.limits.max_memory.0);
    let supervisor = Supervisor::of_short_work(time.map(|it| it.0), memory, !arguments.quiet);
    let session = Session::new(supervisor, arguments.quiet);
    let Session { supervisor, reporter } = &session;
    let outcome = Arc::new(Mutex::new(Outcome::default()));
    if arguments.json_stats.is_some() {
        let (arguments, outcome) = (Arc::clone(&arguments), Arc::clone(&outcome));
        let start = Instant::now();
        supervisor.on_abandon(move |failure| {
            // The exit code is that of the failure, whatever becomes of the statistics.
            let _ = report(&arguments, &lock(&outcome), Some(failure), start.elapsed());
        });
    }
    let result = work(&arguments, &session, &outcome);
    let elapsed = supervisor.elapsed();
    let exit = session.conclude(&result);
    match report(&arguments, &lock(&outcome), result.err().as_ref(), elapsed) {
        Ok(()) => exit,
        Err(failure) if exit == Exit::Success => {
            reporter.failure(&failure);
            failure.exit()
        }
        Err(_) => exit,
    }
}

fn lock(outcome: &Mutex<Outcome>) -> MutexGuard<'_, Outcome> {
    outcome.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Everything up to the written result.
fn work(
    arguments: &GroundArguments,
    session: &Session,
    outcome: &Mutex<Outcome>,
) -> Result<(), Failure> {
    let Session { supervisor, reporter } = session;
    let destination = Destination::new(arguments.output.as_deref())?;
    // Nothing is written where the statistics could not be.
    let statistics = Destination::new(arguments.json_stats.as_deref())?;
    if matches!(&destination, Destination::Regular(_)) && destination == statistics {
        let message = "the statistics would take the place of the ground rules: give `--json-stats` another file";
        return Err(Failure::Usage(message.to_owned()));
    }
    let can_number = matches!(arguments.format, Format::Kif | Format::Asp);
    if arguments.rule_numbers && !can_number {
        return Err(Failure::Usage("--rule-numbers is for `kif` and `asp` only".to_owned()));
    }
    let start = Instant::now();
    let input = &arguments.input;
    let description = source::description(&input.game, &input.reading, supervisor)?;
    let is_timed = arguments.limits.time_limit.is_some();
    if description.source.len() >= if is_timed { LARGE_IF_TIMED } else { LARGE } {
        supervisor.watch();
    }
    lock(outcome).add(Stage::Parse.name(), start.elapsed());

    let options = GroundOptions {
        engine: arguments.engine,
        threads: memory::threads(arguments.threads, 0)?,
        ..session.options(&arguments.method, &arguments.rules, &arguments.limits)
    };
    let grounding = session.ground(&description, &options).inspect_err(|_| {
        reporter.warnings(&description.warnings, &description.name, &description.source);
    })?;
    lock(outcome).note(&grounding);
    reporter.warnings(&grounding.warnings, &description.name, &description.source);

    let start = Instant::now();
    let format = arguments.format;
    destination.write(supervisor, |out| match arguments.rule_numbers {
        true => emit::write_numbered(&grounding.game, format, out),
        false => emit::write(&grounding.game, format, out),
    })?;
    lock(outcome).add(EMIT, start.elapsed());
    // The process ends soon: what it holds need not be taken apart before.
    std::mem::forget((description, grounding));
    Ok(())
}

/// The summary and the statistics.
fn report(
    arguments: &GroundArguments,
    outcome: &Outcome,
    failure: Option<&Failure>,
    elapsed: Duration,
) -> Result<(), Failure> {
    let reporter = Reporter::new(arguments.quiet);
    let line = || RunStatistics::new(arguments, outcome, failure, elapsed.as_secs_f64()).line();
    match arguments.json_stats.as_deref() {
        Some(path) if path == Path::new("-") => {
            reporter.always(&(line() + "\n"));
            return Ok(());
        }
        // What is wrong with the command line is not reported where it wants the statistics.
        Some(path) if !matches!(failure, Some(Failure::Usage(_))) => {
            destination::write_line(path, &line())?;
        }
        _ => {}
    }
    if failure.is_none() && !arguments.quiet {
        let name = arguments.input.game.to_string_lossy().into_owned();
        reporter.note(&statistics::summary(&name, outcome, elapsed));
    }
    Ok(())
}
