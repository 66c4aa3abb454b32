//! `groundfrog verify`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use groundfrog_player::record::{MatchRecord, files};
use groundfrog_reasoner::verify::{
    Difference, Trace, VerifyError, VerifyOptions, VerifyReport, compare, replay,
};
use groundfrog_reasoner::{GroundReasoner, Reasoner};
use serde::Serialize;

use super::{compiled, conclude, interpreted, playable, read, supervise};
use crate::arguments::{InputArguments, ReportChoice, VerifyArguments};
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::{Activity, Follower};
use crate::source;
use crate::supervisor::Supervisor;

/// Compares the ground rules of games with their descriptions and with recorded playouts. A game that
/// fails does not keep the others from being compared; a difference counts more than other failures.
pub(crate) fn run(arguments: &VerifyArguments) -> Exit {
    let grounding = &arguments.grounding;
    let reporter = Reporter::new(grounding.quiet);
    let mut supervisor = supervise(&grounding.limits, grounding.quiet);
    let mut exit = Exit::Success;
    if let Err(failure) = folder(arguments.traces.as_deref()) {
        supervisor.finish();
        return conclude(&Err(failure), &reporter);
    }
    let games = match source::games(&arguments.games) {
        Ok(games) => games,
        Err(failure) => {
            supervisor.finish();
            return conclude(&Err(failure), &reporter);
        }
    };
    for (number, game) in games.iter().enumerate() {
        supervisor.progress().begin_game(number + 1, games.len());
        let result = verify(arguments, game, &supervisor, &reporter);
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

/// Fails if there is no folder with traces.
fn folder(traces: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = traces else { return Ok(()) };
    fs::read_dir(path).map(drop).map_err(|source| Failure::io("cannot read", path, source))
}

fn verify(
    arguments: &VerifyArguments,
    path: &Path,
    supervisor: &Supervisor,
    reporter: &Reporter,
) -> Result<(), Failure> {
    let input = InputArguments { game: path.to_path_buf(), fold_case: arguments.fold_case };
    let recorded = arguments.traces.as_deref().map(|folder| recorded(folder, path)).transpose()?;
    let description = read(&input, supervisor, reporter)?;
    let game = playable(&description, &arguments.grounding, supervisor, reporter)?;
    let mut tested = compiled(&game, supervisor, GroundReasoner::new)?;
    let mut oracle = interpreted(&description, &arguments.grounding.limits, supervisor)?;
    let mut follower = Follower(supervisor.progress());
    let format = arguments.format.choice();
    let conclude = |what: Compared, report| conclude_game(path, what, report, format, supervisor);
    let roles: Vec<String> = tested.role_ids().map(|it| tested.role_text(it)).collect();
    let trace = recorded.map(|it| it.trace(&roles)).transpose()?;

    if let Some(trace) = &trace {
        supervisor.progress().enter(Activity::Playing);
        let report = replay(&mut tested, trace, Some(&game), &mut follower);
        conclude(Compared::Recorded, report)?;
        supervisor.progress().enter(Activity::Playing);
        let report = replay(&mut oracle, trace, None, &mut follower);
        conclude(Compared::RecordedInterpreted, report)?;
    }
    if trace.is_none() || arguments.playouts > 0 {
        supervisor.progress().enter(Activity::Playing);
        let options = VerifyOptions {
            playouts: arguments.playouts,
            seed: arguments.chance.seed,
            max_length: arguments.chance.max_length,
        };
        let report = compare(&mut tested, &mut oracle, Some(&game), &options, &mut follower);
        conclude(Compared::Playouts, report)?;
    }
    Ok(())
}

/// What a file has recorded of a game.
struct Recorded {
    path: PathBuf,
    text: String,
    /// Whether it is the record of a match.
    is_match: bool,
}

/// The recorded playouts of a game, or the record of a match.
fn recorded(folder: &Path, game: &Path) -> Result<Recorded, Failure> {
    // A name may have further dots, so what comes after the last is no extension once that of the game is gone.
    let named = |end: &str| {
        let mut name = game.file_stem().unwrap_or(game.as_os_str()).to_owned();
        name.push(end);
        folder.join(name)
    };
    let (playouts, record) = (named(".jsonl"), named(".json"));
    let is_match = !playouts.exists() && record.exists();
    let path = if is_match { record } else { playouts };
    let text = files::read(&path).map_err(|source| Failure::io("cannot read", &path, source))?;
    Ok(Recorded { path, text, is_match })
}

impl Recorded {
    fn trace(&self, roles: &[String]) -> Result<Trace, Failure> {
        let trace = match self.is_match {
            true => MatchRecord::parse(&self.text)
                .and_then(|it| it.trace(roles))
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)),
            false => Trace::parse(&self.text)
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)),
        };
        trace.map_err(|source| Failure::io("cannot read", &self.path, source))
    }
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
    /// What stands behind the name of the game.
    fn words(self) -> &'static str {
        match self {
            Compared::Playouts => "",
            Compared::Recorded => ", recorded",
            Compared::RecordedInterpreted => ", recorded, rules with variables",
        }
    }
}

/// One comparison. `docs/formats.md` describes every field.
#[derive(Debug, Serialize)]
struct Report<'r> {
    schema: u32,
    game: String,
    compared: Compared,
    playouts: u64,
    states: u64,
    capped: u64,
    stuck: u64,
    difference: Option<DifferenceReport<'r>>,
}

#[derive(Debug, Serialize)]
struct DifferenceReport<'r> {
    atom: &'r str,
    expected: bool,
    state: &'r [String],
    minimal: bool,
    moves: &'r [(String, String)],
    rules: &'r [String],
    rule_count: usize,
}

impl<'r> From<&'r Difference> for DifferenceReport<'r> {
    fn from(it: &'r Difference) -> Self {
        DifferenceReport {
            atom: &it.atom,
            expected: it.expected,
            state: &it.state,
            minimal: it.minimal,
            moves: &it.moves,
            rules: &it.rules,
            rule_count: it.rule_count,
        }
    }
}

/// Writes what was compared, and fails if there was a difference.
fn conclude_game(
    path: &Path,
    compared: Compared,
    report: Result<VerifyReport, VerifyError>,
    format: ReportChoice,
    supervisor: &Supervisor,
) -> Result<(), Failure> {
    supervisor.check()?;
    let name = format!("{}{}", path.display(), compared.words());
    let report = report.map_err(|error| match error {
        VerifyError::Tested(error) | VerifyError::Oracle(error) => Failure::Reasoner(error),
        VerifyError::Roles { .. } => Failure::Difference(format!("{name}: {error}")),
    })?;
    supervisor.without_bar(|| {
        Destination::Stdout.write(supervisor, |out| {
            if format == ReportChoice::Text {
                return writeln!(out, "{name}: {report}");
            }
            let line = Report {
                schema: SCHEMA,
                game: path.display().to_string(),
                compared,
                playouts: report.playouts,
                states: report.states,
                capped: report.capped,
                stuck: report.stuck,
                difference: report.difference.as_ref().map(DifferenceReport::from),
            };
            serde_json::to_writer(&mut *out, &line)?;
            writeln!(out)
        })
    })?;
    match report.difference {
        Some(difference) => Err(Failure::Difference(format!(
            "{name}: the answers differ about `{}`",
            difference.atom
        ))),
        None => Ok(()),
    }
}
