//! `groundfrog check`.

mod explore;
mod relative;
mod text;

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use groundfrog::description::{Description, Language};
use groundfrog::kif::{Diagnostic, Severity};
use groundfrog::options::Limits;
use groundfrog::visible::visible_json;
use groundfrog_check::{CheckOptions, CheckReport, check, check_text, codes, json, sarif};
use groundfrog_languages::examine::has_roles;

use super::conclude;
use crate::arguments::{CheckArguments, FindingsChoice};
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::failure::{Exit, Failure};
use crate::progress::{Activity, Follower};
use crate::source;
use crate::supervisor::Supervisor;

/// What checking one game may take, if no option sets it.
const CHECK_TIME: Duration = Duration::from_secs(5);
/// What exploring it may take besides.
const EXPLORE_TIME: Duration = Duration::from_secs(60);

/// Checks descriptions.
pub(crate) fn run(arguments: CheckArguments) -> Exit {
    let arguments = Arc::new(arguments);
    let reporter = Reporter::new(arguments.quiet);
    // Time is limited for each game, not for all together.
    let supervisor = Supervisor::start(None, arguments.max_memory.0, !arguments.quiet);
    let found = Arc::new(Mutex::new(Found::default()));
    let (known, shown) = (Arc::clone(&found), Arc::clone(&arguments));
    supervisor.on_abandon(move |failure| write_so_far(&known, &shown, failure));
    let result = work(&arguments, &supervisor, &reporter, &found);
    supervisor.take_last_word();
    match result {
        Ok(exit) => exit,
        Err(failure) => conclude(&Err(failure), &reporter),
    }
}

/// What was found so far.
#[derive(Default)]
struct Found {
    reports: Vec<CheckReport>,
    /// About the game that is being checked.
    present: Option<CheckReport>,
}

fn lock(found: &Mutex<Found>) -> MutexGuard<'_, Found> {
    found.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes what was found before the work was stopped. A file is left as it was.
fn write_so_far(found: &Mutex<Found>, arguments: &CheckArguments, failure: &Failure) {
    let mut found = lock(found);
    if let Some(mut present) = found.present.take() {
        present.undecided.get_or_insert_with(|| format!("what is missing here: {failure}"));
        found.reports.push(present);
    }
    if arguments.output.is_none() && !found.reports.is_empty() {
        // There is nowhere left to report a failure.
        let _ = write(&found.reports, arguments, &mut io::stdout().lock());
    }
}

fn write(
    reports: &[CheckReport],
    arguments: &CheckArguments,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut bytes = Vec::new();
    match arguments.format.choice() {
        FindingsChoice::Text => {
            return out.write_all(text::text(reports, arguments).as_bytes());
        }
        FindingsChoice::Json => json::write(reports, &mut bytes)?,
        FindingsChoice::Sarif => sarif::write(reports, &mut bytes)?,
    }
    out.write_all(visible_json(&String::from_utf8_lossy(&bytes)).as_bytes())
}

fn work(
    arguments: &CheckArguments,
    supervisor: &Supervisor,
    reporter: &Reporter,
    found: &Mutex<Found>,
) -> Result<Exit, Failure> {
    let destination = Destination::new(arguments.output.as_deref())?;
    if let Some(code) = arguments.explain {
        let text = codes::explanation(code.code).unwrap_or(code.title);
        destination.write(supervisor, |out| out.write_all(text::laid_out(text).as_bytes()))?;
        return Ok(Exit::Success);
    }
    if arguments.list {
        destination.write(supervisor, |out| out.write_all(text::list().as_bytes()))?;
        return Ok(Exit::Success);
    }
    let (mut unreadable, mut stopped) = (Vec::new(), None);
    let games = source::games(&arguments.games)?;
    for (number, game) in games.iter().enumerate() {
        supervisor.progress().begin_game(number + 1, games.len());
        match examine(game, arguments, supervisor, found) {
            Ok(report) => {
                let mut found = lock(found);
                found.present = None;
                found.reports.push(report);
            }
            // The other games can be checked nevertheless.
            Err(failure @ (Failure::Io { .. } | Failure::TooLong(_) | Failure::Stopped { .. }))
                if supervisor.cause().is_none() =>
            {
                unreadable.push(failure)
            }
            Err(failure) if supervisor.cause().is_none() => return Err(failure),
            Err(_) => {}
        }
        stopped = supervisor.check().err();
        if stopped.is_some() {
            break;
        }
    }
    // From here on the screen belongs to the reports.
    supervisor.take_last_word();
    if let Some(failure) = stopped {
        write_so_far(found, arguments, &failure);
        return Err(failure);
    }
    let reports = std::mem::take(&mut lock(found).reports);
    match destination.write(supervisor, |out| write(&reports, arguments, out)) {
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
    found: &Mutex<Found>,
) -> Result<CheckReport, Failure> {
    let start = Instant::now();
    supervisor.progress().enter(Activity::Reading);
    let time = |default: Duration| arguments.time_limit.map_or(default, |it| it.0);
    supervisor.limit_game(time(CHECK_TIME));
    let until = start.checked_add(time(CHECK_TIME)).map(|it| (it, time(CHECK_TIME)));
    let (name, bytes) = source::read_within(game, until, supervisor)?;
    supervisor.check()?;
    supervisor.progress().enter(Activity::Checking);
    let limits = |default: Duration, spent: Duration| Limits {
        time: Some(time(default).saturating_sub(spent)),
        memory: arguments.max_memory.0,
        stop: Some(supervisor.stop_flag().clone()),
        ..Limits::default()
    };
    let allowed = arguments.allow.iter().map(|it| it.code).collect();
    let options = CheckOptions { limits: limits(CHECK_TIME, start.elapsed()), allowed };
    let parse = arguments.reading.options(name);
    let parsed = Description::parse(&bytes, &parse);
    // Most descriptions are GDL, and need not be looked through for what they are.
    if arguments.language.is_some() || !parsed.as_ref().is_ok_and(has_roles) {
        let language = arguments.language.map(Language::from);
        if let Some(report) = relative::examine(&bytes, &parse, language, arguments, &options)? {
            return Ok(report);
        }
    }
    let Ok(description) = parsed else {
        return Ok(check_text(&bytes, &parse, &options));
    };
    // Without time this is what the text itself says.
    let at_once = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let at_once = check(&description, &CheckOptions { limits: at_once, ..options.clone() });
    lock(found).present = Some(CheckReport { undecided: None, ..at_once });
    let report = check(&description, &options);
    lock(found).present = Some(report.clone());
    if !arguments.explore && arguments.playouts.is_none() {
        let limits = limits(CHECK_TIME, start.elapsed());
        let (seed, mut progress) = (arguments.seed, Follower(supervisor.progress()));
        return Ok(report.with_glance(&description, &options, &limits, seed, &mut progress));
    }
    supervisor.check()?;
    let all = CHECK_TIME + EXPLORE_TIME;
    supervisor.limit_game(time(all));
    let limits = (&limits(all, start.elapsed()), time(all));
    Ok(match explore::explore(&description, arguments, limits, supervisor) {
        Ok(exploration) => report.with_exploration(exploration, &description, &options),
        Err(reason) => {
            let what = format!("its states cannot be explored: {reason}");
            CheckReport { undecided: report.undecided.or(Some(what)), ..report }
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
