//! `groundfrog ground`.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use groundfrog::emit;
use groundfrog::ground::{Grounding, ground};
use groundfrog::options::GroundOptions;

use super::{conclude, limits};
use crate::arguments::GroundArguments;
use crate::destination::{self, Destination};
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::{Activity, Follower};
use crate::source;
use crate::statistics::{Counts, Outcome, StageSeconds, Statistics};
use crate::summary;
use crate::supervisor::Supervisor;

/// Writes the ground rules of a game.
pub(crate) fn run(arguments: GroundArguments) -> Exit {
    let arguments = Arc::new(arguments);
    let reporter = Reporter::new(arguments.quiet);
    let (time, memory) = (arguments.limits.time_limit, arguments.limits.max_memory.0);
    let mut supervisor = Supervisor::of_short_work(time.map(|it| it.0), memory, !arguments.quiet);
    let outcome = Arc::new(Mutex::new(Outcome::default()));
    if arguments.json_stats.is_some() {
        let (arguments, outcome) = (Arc::clone(&arguments), Arc::clone(&outcome));
        let start = Instant::now();
        supervisor.on_abandon(move |failure| {
            // The exit code is that of the failure, whatever becomes of the statistics.
            let _ = tell(&arguments, &lock(&outcome), Some(failure), start.elapsed());
        });
    }
    let result = work(&arguments, &supervisor, &reporter, &outcome);
    let elapsed = supervisor.elapsed();
    supervisor.finish();
    let exit = conclude(&result, &reporter);
    match tell(&arguments, &lock(&outcome), result.err().as_ref(), elapsed) {
        Ok(()) => exit,
        Err(failure) => {
            reporter.failure(&failure);
            if exit == Exit::Success { failure.exit() } else { exit }
        }
    }
}

fn lock(outcome: &Mutex<Outcome>) -> MutexGuard<'_, Outcome> {
    outcome.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Everything up to the written result.
fn work(
    arguments: &GroundArguments,
    supervisor: &Supervisor,
    reporter: &Reporter,
    outcome: &Mutex<Outcome>,
) -> Result<(), Failure> {
    let destination = Destination::new(arguments.output.as_deref())?;
    let start = Instant::now();
    let description = source::description(&arguments.input, supervisor)?;
    lock(outcome).add("parse", start.elapsed());

    supervisor.progress().enter(Activity::Grounding);
    let options = GroundOptions {
        domains: arguments.method.domains.into(),
        engine: arguments.engine.into(),
        simplify: arguments.rules.form().is_simplified(),
        passes: arguments.rules.passes(),
        threads: threads(arguments.threads),
        limits: limits(&arguments.limits, supervisor),
        ..GroundOptions::default()
    };
    let grounding =
        ground(&description, &options, &mut Follower(supervisor.progress())).map_err(|error| {
            reporter.warnings(&description.warnings, &description.name, &description.source);
            Failure::ground(error, supervisor.cause(), supervisor.time_limit())
        })?;
    supervisor.check()?;
    lock(outcome).note(&grounding);
    reporter.warnings(&grounding.warnings, &description.name, &description.source);

    let start = Instant::now();
    let format = arguments.format.into();
    destination.write(supervisor, |out| emit::write(&grounding.game, format, out))?;
    lock(outcome).add("write", start.elapsed());
    // The process ends soon: what it holds need not be taken apart before.
    std::mem::forget((description, grounding));
    Ok(())
}

/// The summary and the statistics.
fn tell(
    arguments: &GroundArguments,
    outcome: &Outcome,
    failure: Option<&Failure>,
    elapsed: Duration,
) -> Result<(), Failure> {
    let reporter = Reporter::new(arguments.quiet);
    let line = || Statistics::new(arguments, outcome, failure, elapsed.as_secs_f64()).line();
    match arguments.json_stats.as_deref() {
        Some(path) if path == Path::new("-") => {
            reporter.always(&(line() + "\n"));
            return Ok(());
        }
        Some(path) => destination::write_line(path, &line())?,
        None => {}
    }
    if failure.is_none() && !arguments.quiet {
        let name = arguments.input.game.display().to_string();
        reporter.note(&summary::text(&name, outcome, elapsed));
    }
    Ok(())
}

impl Outcome {
    fn add(&mut self, stage: &'static str, time: Duration) {
        self.stages.push(StageSeconds { stage, seconds: time.as_secs_f64() });
    }

    fn note(&mut self, grounding: &Grounding) {
        for stage in &grounding.report.stages {
            self.add(stage.stage.name(), stage.time);
        }
        self.counts = Some(Counts::new(grounding));
    }
}

fn threads(asked: usize) -> usize {
    match asked {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        asked => asked,
    }
}
