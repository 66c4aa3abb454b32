//! `groundfrog verify`.

mod recorded;

use std::path::Path;

use groundfrog_reasoner::verify::{VerifyError, VerifyOptions, VerifyReport, compare, replay};
use groundfrog_reasoner::{GroundReasoner, Reasoner};

use super::{compiled, conclude, interpreted, playable, read, supervise};
use crate::arguments::{InputArguments, VerifyArguments};
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::{Activity, Follower};
use crate::source;
use crate::supervisor::Supervisor;
use recorded::Recordings;

/// Compares the ground rules of games with their descriptions and with recorded playouts. A game that
/// fails does not keep the others from being compared; a difference counts more than other failures.
pub(crate) fn run(arguments: &VerifyArguments) -> Exit {
    let grounding = &arguments.grounding;
    let reporter = Reporter::new(grounding.quiet);
    let mut supervisor = supervise(&grounding.limits, grounding.quiet);
    let mut exit = Exit::Success;
    let read = || {
        let recordings = arguments.traces.as_deref().map(Recordings::at).transpose()?;
        Ok((source::games(&arguments.games)?, recordings))
    };
    let (games, recordings) = match read() {
        Ok(read) => read,
        Err(failure) => {
            supervisor.finish();
            return conclude(&Err(failure), &reporter);
        }
    };
    for (number, game) in games.iter().enumerate() {
        supervisor.progress().begin_game(number + 1, games.len());
        let result = verify(arguments, game, recordings.as_ref(), &supervisor, &reporter);
        let closed = matches!(&result, Err(failure) if failure.is_broken_pipe());
        let ended = supervisor.without_bar(|| conclude(&result, &reporter));
        if exit == Exit::Success || ended == Exit::Difference {
            exit = ended;
        }
        // What stopped this game would stop all others.
        if closed || supervisor.cause().is_some() {
            exit = if exit == Exit::Difference { exit } else { ended };
            break;
        }
    }
    supervisor.finish();
    exit
}

fn verify(
    arguments: &VerifyArguments,
    path: &Path,
    recordings: Option<&Recordings>,
    supervisor: &Supervisor,
    reporter: &Reporter,
) -> Result<(), Failure> {
    let input = InputArguments { game: path.to_path_buf(), fold_case: arguments.fold_case };
    let recorded = recordings.map_or_else(|| Ok(Vec::new()), |it| it.of(path))?;
    let description = read(&input, supervisor, reporter)?;
    let game = playable(&description, &arguments.grounding, supervisor, reporter)?;
    let mut tested = compiled(&game, supervisor, GroundReasoner::new)?;
    let mut oracle = interpreted(&description, &arguments.grounding.limits, supervisor)?;
    let mut follower = Follower(supervisor.progress());
    let name = path.display();
    let roles: Vec<String> = tested.role_ids().map(|it| tested.role_text(it)).collect();
    for it in &recorded {
        let trace = it.trace(&roles)?;
        let place = match recorded.len() {
            1 => "recorded".to_owned(),
            _ => format!("recorded in {}", it.path.display()),
        };
        supervisor.progress().enter(Activity::Playing);
        let report = replay(&mut tested, &trace, Some(&game), &mut follower);
        conclude_game(&format!("{name}, {place}"), report, supervisor)?;
        supervisor.progress().enter(Activity::Playing);
        let report = replay(&mut oracle, &trace, None, &mut follower);
        conclude_game(&format!("{name}, {place}, rules with variables"), report, supervisor)?;
    }
    if recorded.is_empty() || arguments.playouts > 0 {
        supervisor.progress().enter(Activity::Playing);
        let options = VerifyOptions {
            playouts: arguments.playouts,
            seed: arguments.chance.seed,
            max_length: arguments.chance.max_length,
        };
        let report = compare(&mut tested, &mut oracle, Some(&game), &options, &mut follower);
        conclude_game(&name.to_string(), report, supervisor)?;
    }
    Ok(())
}

/// Writes what was compared, and fails if there was a difference.
fn conclude_game(
    name: &str,
    report: Result<VerifyReport, VerifyError>,
    supervisor: &Supervisor,
) -> Result<(), Failure> {
    supervisor.check()?;
    let report = report.map_err(|error| match error {
        VerifyError::Tested(error) | VerifyError::Oracle(error) => Failure::Reasoner(error),
        VerifyError::Roles { .. } => Failure::Difference(format!("{name}: {error}")),
    })?;
    supervisor.without_bar(|| {
        Destination::Stdout.write(supervisor, |out| writeln!(out, "{name}: {report}"))
    })?;
    match report.difference {
        Some(difference) => Err(Failure::Difference(format!(
            "{name}: the answers differ about `{}`",
            difference.atom
        ))),
        None => Ok(()),
    }
}
