//! `groundfrog check`.

mod explanation;
mod explore;
mod text;

use std::path::Path;
use std::time::{Duration, Instant};

use groundfrog::description::{Description, ParseOptions};
use groundfrog::kif::{Diagnostic, Severity};
use groundfrog::options::Limits;
use groundfrog_reasoner::check::{
    CheckOptions, CheckReport, Fragment, check, check_text, codes, json, sarif,
};

use super::conclude;
use crate::arguments::{CheckArguments, FindingsChoice};
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Activity;
use crate::source;
use crate::supervisor::Supervisor;

/// What checking one game may take, if no option sets it.
const CHECK_TIME: Duration = Duration::from_secs(5);
/// What exploring it may take besides.
const EXPLORE_TIME: Duration = Duration::from_secs(60);

/// Checks descriptions.
pub(crate) fn run(arguments: &CheckArguments) -> Exit {
    let reporter = Reporter::new(arguments.quiet);
    // Time is limited for each game, not for all together.
    let mut supervisor = Supervisor::start(None, arguments.max_memory.0, !arguments.quiet);
    let result = work(arguments, &mut supervisor, &reporter);
    supervisor.finish();
    match result {
        Ok(exit) => exit,
        Err(failure) => conclude(&Err(failure), &reporter),
    }
}

fn work(
    arguments: &CheckArguments,
    supervisor: &mut Supervisor,
    reporter: &Reporter,
) -> Result<Exit, Failure> {
    let destination = Destination::new(arguments.output.as_deref())?;
    if let Some(code) = arguments.explain {
        let text = codes::explanation(code.code).unwrap_or(code.title);
        destination
            .write(supervisor, |out| out.write_all(explanation::laid_out(text).as_bytes()))?;
        return Ok(Exit::Success);
    }
    if arguments.list {
        destination.write(supervisor, |out| out.write_all(explanation::list().as_bytes()))?;
        return Ok(Exit::Success);
    }
    let (mut reports, mut unreadable) = (Vec::new(), Vec::new());
    let games = source::games(&arguments.games)?;
    for (number, game) in games.iter().enumerate() {
        supervisor.progress().begin_game(number + 1, games.len());
        match examine(game, arguments, supervisor) {
            Ok(report) => reports.push(report),
            // The other games can be checked nevertheless.
            Err(failure @ Failure::Io { .. }) => unreadable.push(failure),
            Err(failure) => return Err(failure),
        }
        supervisor.check()?;
    }
    // From here on the screen belongs to the reports.
    supervisor.finish();
    let written = destination.write(supervisor, |mut out| match arguments.format.choice() {
        FindingsChoice::Text => out.write_all(text::text(&reports, arguments).as_bytes()),
        FindingsChoice::Json => json::write(&reports, &mut out),
        FindingsChoice::Sarif => sarif::write(&reports, &mut out),
    });
    match written {
        Err(failure) if !failure.is_broken_pipe() => return Err(failure),
        _ => {}
    }
    unreadable.iter().for_each(|failure| reporter.failure(failure));
    Ok(unreadable.first().map_or_else(|| exit(&reports, arguments), Failure::exit))
}

/// Checks one game.
fn examine(
    game: &Path,
    arguments: &CheckArguments,
    supervisor: &Supervisor,
) -> Result<CheckReport, Failure> {
    let start = Instant::now();
    supervisor.progress().enter(Activity::Reading);
    let (name, bytes) = source::read(game, supervisor)?;
    supervisor.check()?;
    supervisor.progress().enter(Activity::Checking);
    let time = |default: Duration| arguments.time_limit.map_or(default, |it| it.0);
    supervisor.limit_game(time(CHECK_TIME));
    let limits = |default: Duration, spent: Duration| Limits {
        time: Some(time(default).saturating_sub(spent)),
        memory: arguments.max_memory.0,
        stop: Some(supervisor.stop_flag().clone()),
        ..Limits::default()
    };
    let allowed = arguments.allow.iter().map(|it| it.code).collect();
    let options = CheckOptions { limits: limits(CHECK_TIME, Duration::ZERO), allowed };
    let parse = ParseOptions { fold_case: arguments.fold_case, name, ..ParseOptions::default() };
    let Ok(description) = Description::parse(&bytes, &parse) else {
        return Ok(check_text(&bytes, &parse, &options));
    };
    let report = check(&description, &options);
    if !arguments.explore && arguments.playouts.is_none() {
        let is_game = matches!(report.fragment, Fragment::Propositional | Fragment::Bounded);
        let limits = limits(CHECK_TIME, start.elapsed());
        let sampled =
            is_game.then(|| explore::look(&description, arguments, &limits, supervisor)).flatten();
        return Ok(match sampled {
            Some(sampled) => report.with_findings(&sampled, &description, &options),
            None => report,
        });
    }
    supervisor.check()?;
    let all = CHECK_TIME + EXPLORE_TIME;
    supervisor.limit_game(time(all));
    let limits = (&limits(all, start.elapsed()), time(all));
    Ok(match explore::explore(&description, arguments, limits, supervisor) {
        Ok(exploration) => report.with_exploration(exploration, &description, &options),
        Err(reason) => {
            let undecided = format!("its states cannot be explored: {reason}");
            CheckReport { undecided: report.undecided.or(Some(undecided)), ..report }
        }
    })
}

/// How the program ends, by the worst finding.
fn exit(reports: &[CheckReport], arguments: &CheckArguments) -> Exit {
    let is_error = |it: &&Diagnostic| it.severity == Severity::Error;
    let mut errors = reports.iter().flat_map(|it| &it.diagnostics).filter(is_error).peekable();
    // Too large is not wrong.
    if errors.peek().is_some() && errors.all(Diagnostic::is_bound) {
        return Exit::Limit;
    }
    match reports.iter().filter_map(CheckReport::severity).max() {
        Some(Severity::Error) => Exit::Description,
        Some(worst) if worst >= arguments.fail_on.severity() => Exit::Findings,
        _ => Exit::Success,
    }
}
