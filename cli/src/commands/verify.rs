//! `groundfrog verify`.

mod recorded;

use std::path::Path;

use groundfrog::visible::{visible, visible_path};
use groundfrog_check::verify::{VerifyError, VerifyOptions, VerifyReport, compare, replay};
use groundfrog_reasoner::{GroundReasoner, Vocabulary};
use serde::Serialize;

use super::{Session, conclude};
use crate::arguments::{FormatArguments, InputArguments, ReportChoice, VerifyArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::{Activity, Follower};
use crate::source;
use recorded::{Recorded, Recordings};

/// Compares the ground rules of games with their descriptions and with recorded playouts. A game that
/// fails does not keep the others from being compared; a difference counts more than other failures.
pub(crate) fn run(arguments: &VerifyArguments) -> Exit {
    let grounding = &arguments.grounding;
    let session = Session::limited(&grounding.limits, grounding.quiet);
    let supervisor = &session.supervisor;
    let mut exit = Exit::Success;
    let read = || {
        let recordings = arguments.traces.as_deref().map(Recordings::at).transpose()?;
        Ok((source::games(&arguments.games)?, recordings))
    };
    let (games, recordings) = match read() {
        Ok(read) => read,
        Err(failure) => return session.conclude(&Err(failure)),
    };
    for (number, game) in games.iter().enumerate() {
        supervisor.progress().begin_game(number + 1, games.len());
        let result = verify(arguments, game, recordings.as_ref(), &session);
        let closed = matches!(&result, Err(failure) if failure.is_broken_pipe());
        let ended = supervisor.without_bar(|| conclude(&result, &session.reporter));
        if exit == Exit::Success || ended == Exit::Difference {
            exit = ended;
        }
        // What stopped this game would stop all others.
        if closed || supervisor.cause().is_some() {
            exit = if exit == Exit::Difference { exit } else { ended };
            break;
        }
    }
    supervisor.take_last_word();
    exit
}

fn verify(
    arguments: &VerifyArguments,
    path: &Path,
    recordings: Option<&Recordings>,
    session: &Session,
) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    let input = InputArguments { game: path.to_path_buf(), reading: arguments.reading.clone() };
    let recorded = recordings.map_or_else(|| Ok(Vec::new()), |it| it.of(path))?;
    let description = session.read(&input)?;
    let game = session.playable(&description, &arguments.grounding)?;
    let mut tested = session.compiled(&game, GroundReasoner::new)?;
    let mut oracle = session.interpreted(&description, &arguments.grounding.limits)?;
    let mut follower = Follower(supervisor.progress());
    let format = &arguments.format;
    let conclude = |compared: Compared, trace: Option<&Recorded>, report| {
        let trace = trace.map(|it| it.path.to_string_lossy().into_owned());
        let name = compared.name(path, trace.as_deref().filter(|_| recorded.len() > 1));
        conclude_game(&name, Subject { game: path, compared, trace }, report, format, session)
    };
    let roles: Vec<String> = tested.role_ids().map(|it| tested.role_text(it)).collect();
    for it in &recorded {
        let trace = it.trace(&roles)?;
        supervisor.progress().enter(Activity::Playing);
        let report = replay(&mut tested, &trace, Some(&game), &mut follower);
        conclude(Compared::Recorded, Some(it), report)?;
        supervisor.progress().enter(Activity::Playing);
        let report = replay(&mut oracle, &trace, None, &mut follower);
        conclude(Compared::RecordedInterpreted, Some(it), report)?;
    }
    if recorded.is_empty() || arguments.playouts > 0 {
        supervisor.progress().enter(Activity::Playing);
        let options = VerifyOptions {
            playouts: arguments.playouts,
            seed: arguments.chance.seed,
            max_length: arguments.chance.max_length,
        };
        let report = compare(&mut tested, &mut oracle, Some(&game), &options, &mut follower);
        conclude(Compared::Playouts, None, report)?;
    }
    Ok(())
}

/// The version of the fields below; it grows when one changes its meaning or goes away.
const SCHEMA: u32 = 1;

/// What is compared with what.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Compared {
    /// The ground rules with the rules with variables, on random playouts.
    Playouts,
    /// The ground rules with what was recorded.
    Recorded,
    /// The rules with variables with what was recorded.
    RecordedInterpreted,
}

impl Compared {
    /// The name of a game and what was compared, in words; with the file of the trace if there are several.
    fn name(self, game: &Path, trace: Option<&str>) -> String {
        let game = visible_path(game);
        let place = trace.map_or(String::new(), |it| format!(" in {}", visible(it)));
        match self {
            Compared::Playouts => game,
            Compared::Recorded => format!("{game}, recorded{place}"),
            Compared::RecordedInterpreted => {
                format!("{game}, recorded{place}, rules with variables")
            }
        }
    }
}

/// What a comparison is about.
struct Subject<'r> {
    game: &'r Path,
    compared: Compared,
    /// The file with what was recorded.
    trace: Option<String>,
}

/// One comparison. `docs/formats.md` describes every field.
#[derive(Debug, Serialize)]
struct VerificationReport<'r> {
    schema: u32,
    game: String,
    compared: Compared,
    trace: Option<String>,
    #[serde(flatten)]
    report: &'r VerifyReport,
}

/// Writes what was compared, and fails if there was a difference.
fn conclude_game(
    name: &str,
    subject: Subject<'_>,
    report: Result<VerifyReport, VerifyError>,
    format: &FormatArguments<ReportChoice>,
    session: &Session,
) -> Result<(), Failure> {
    session.supervisor.check()?;
    let report = report.map_err(|error| match error {
        VerifyError::Tested(error) | VerifyError::Oracle(error) => Failure::Reasoner(error),
        VerifyError::Roles { .. } => Failure::Difference(format!("{name}: {error}")),
    })?;
    let line = VerificationReport {
        schema: SCHEMA,
        game: subject.game.to_string_lossy().into_owned(),
        compared: subject.compared,
        trace: subject.trace,
        report: &report,
    };
    session.report(format, &line, |out| writeln!(out, "{name}: {report}"))?;
    match report.difference {
        Some(difference) => Err(Failure::Difference(format!(
            "{name}: the answers differ about `{}`",
            difference.atom
        ))),
        None => Ok(()),
    }
}
