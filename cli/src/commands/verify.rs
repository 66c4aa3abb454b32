//! `groundfrog verify`.

use std::path::{Path, PathBuf};
use std::{fs, io};

use groundfrog::visible::{visible, visible_path};
use groundfrog_arena::record::{MatchRecord, files};
use groundfrog_check::verify::{Trace, VerifyError, VerifyOptions, VerifyReport, compare, replay};
use groundfrog_reasoner::{GroundReasoner, Vocabulary};
use serde::Serialize;

use super::{Session, conclude};
use crate::arguments::{FormatArguments, InputArguments, ReportChoice, VerifyArguments};
use crate::failure::{Exit, Failure};
use crate::progress::{Activity, Follower};
use crate::source;

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

// Which files have recorded playouts of a game.

/// How deep folders are searched.
const DEPTH: usize = 3;
/// Bytes of the record of a match.
const LONGEST: u64 = 32 << 20;

/// Files with recorded playouts.
struct Recordings {
    path: PathBuf,
    files: Vec<RecordedFile>,
    /// Whether one file was named, which is about any game.
    is_file: bool,
}

/// A file with the endings of recorded playouts (`.jsonl`) or of the record of a match (`.json`).
struct RecordedFile {
    path: PathBuf,
    /// Without the ending, in lower case.
    name: String,
    /// The game that the record of a match names, in lower case.
    game: Option<String>,
}

/// What a file has recorded of a game.
struct Recorded {
    path: PathBuf,
    text: String,
}

impl Recordings {
    /// What there is in a folder and its folders, or a file.
    ///
    /// # Errors
    /// The folder or the file cannot be read.
    fn at(path: &Path) -> Result<Self, Failure> {
        let fail = |source| Failure::io("cannot read", path, source);
        let is_file = !fs::metadata(path).map_err(fail)?.is_dir();
        let mut files = Vec::new();
        if is_file {
            files.push(RecordedFile { path: path.to_owned(), name: String::new(), game: None });
        } else {
            fs::read_dir(path).map_err(fail)?;
            list(path, DEPTH, &mut files);
            files.sort_by(|one, other| one.path.cmp(&other.path));
        }
        Ok(Recordings { path: path.to_owned(), files, is_file })
    }

    /// Everything that was recorded of a game: what has its name, and records of matches that name it.
    ///
    /// # Errors
    /// Nothing was recorded, or it cannot be read.
    fn of(&self, game: &Path) -> Result<Vec<Recorded>, Failure> {
        // A name may have further dots, so what comes after the last is no extension once that of the game is gone.
        let name = game.file_stem().unwrap_or(game.as_os_str()).to_string_lossy();
        let folded = name.to_lowercase();
        let is_meant = |file: &&RecordedFile| {
            self.is_file || file.name == folded || file.game.as_deref() == Some(&folded)
        };
        let found: Vec<&RecordedFile> = self.files.iter().filter(is_meant).collect();
        if found.is_empty() {
            let looked = format!(
                "neither `{name}.jsonl` nor `{name}.json` is there, in letters of any case, nor the record of a match whose \
                 `gameMetaURL` names `{name}`"
            );
            let what = format!("no recorded playouts of `{name}`: cannot find them in");
            return Err(Failure::io(
                &what,
                &self.path,
                io::Error::new(io::ErrorKind::NotFound, looked),
            ));
        }
        let read = |file: &RecordedFile| {
            let text = files::read(&file.path);
            let text = text.map_err(|source| Failure::io("cannot read", &file.path, source))?;
            Ok(Recorded { path: file.path.clone(), text })
        };
        found.into_iter().map(read).collect()
    }
}

fn list(folder: &Path, depth: usize, found: &mut Vec<RecordedFile>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (path, Ok(data)) = (entry.path(), fs::metadata(entry.path())) else { continue };
        if data.is_dir() && depth > 0 {
            list(&path, depth - 1, found);
            continue;
        }
        let ending = path.extension().map(|it| it.to_string_lossy().to_lowercase());
        let name = path.file_stem().map(|it| it.to_string_lossy().to_lowercase());
        let (Some(ending), Some(name)) = (ending, name) else { continue };
        let game = match ending.as_str() {
            "json" if data.len() <= LONGEST => files::read(&path).ok().and_then(|it| named(&it)),
            "json" | "jsonl" => None,
            _ => continue,
        };
        found.push(RecordedFile { path, name, game });
    }
}

/// The game that a record names, in lower case.
fn named(text: &str) -> Option<String> {
    MatchRecord::parse(text).ok()?.game_name().map(str::to_lowercase)
}

impl Recorded {
    /// The playouts of a game with these roles.
    ///
    /// # Errors
    /// It is neither recorded playouts nor the record of a match, or its parts do not fit together.
    fn trace(&self, roles: &[String]) -> Result<Trace, Failure> {
        let invalid = |error: Box<dyn std::error::Error + Send + Sync>| {
            Failure::io(
                "cannot read",
                &self.path,
                io::Error::new(io::ErrorKind::InvalidData, error),
            )
        };
        // A line of recorded playouts has a single `state`; all of the states of a record are in one value.
        match MatchRecord::parse(&self.text) {
            Ok(record) if !record.states.is_empty() => {
                record.trace(roles).map_err(|it| invalid(it.into()))
            }
            _ => Trace::parse(&self.text).map_err(|it| invalid(it.into())),
        }
    }
}
