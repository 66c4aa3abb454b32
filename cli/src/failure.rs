//! Why a command did not do what it should, and how the program ends.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use groundfrog::GroundError;
use groundfrog::kif::Diagnostic;
use groundfrog::visible::visible_path;
use groundfrog_benches::MeasureError;
use groundfrog_engine::{EngineError, Exceeded, Limit};
use groundfrog_reasoner::{BuildError, ReasonerError};
use serde::Serialize;

use crate::progress::Activity;

/// Why the work has to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A signal.
    Interrupt,
    /// The time limit.
    Time(Duration),
    /// The memory limit, and what the process had: bytes.
    Memory { allowed: u64, reached: u64 },
}

/// Why a command did not do what it should.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The description is at fault, or a limit was exceeded while grounding it.
    #[error("{0}")]
    Ground(Box<GroundError>),
    /// Something could not be read or written.
    #[error("{what}: {}", in_words(.source))]
    Io { what: String, source: io::Error },
    /// What was read is no description, nor holds one.
    #[error("{0}")]
    Source(String),
    /// What was read is too long.
    #[error("{0}")]
    TooLong(String),
    /// The command line names what there is not, or what cannot be.
    #[error("{0}")]
    Usage(String),
    /// The ground rules cannot be played.
    #[error("{0}")]
    Build(BuildError),
    /// A reasoner has no answer.
    #[error("{0}")]
    Reasoner(#[from] ReasonerError),
    /// Ground rules and reference differ.
    #[error("{0}")]
    Difference(String),
    /// A game is not solved.
    #[error("undecided: {0}")]
    Undecided(String),
    /// The table of a machine is at fault.
    #[error("{0}")]
    Table(String),
    /// The plan of a tournament is at fault.
    #[error("{}", .diagnostic.display(.name, .text))]
    Plan { diagnostic: Box<Diagnostic>, name: String, text: String },
    /// A game cannot be played.
    #[error("{0}")]
    Game(String),
    /// One of several games is at fault.
    #[error("{game}: {failure}")]
    OfGame { game: String, failure: Box<Failure> },
    /// A player of a match has not played.
    #[error("{0}")]
    Silent(String),
    /// The work was stopped outside of the grounder.
    #[error("{message}")]
    Stopped { cause: Cause, message: String },
}

impl Failure {
    /// `what` says what could not be done with the file, such as `cannot read`.
    pub(crate) fn io(what: &str, path: &Path, source: io::Error) -> Self {
        Failure::Io { what: format!("{what} `{}`", visible_path(path)), source }
    }

    /// Nobody reads what is written.
    pub(crate) fn standard_output(source: io::Error) -> Self {
        Failure::Io { what: "cannot write to standard output".to_owned(), source }
    }

    /// The address is taken, or is none of this machine.
    pub(crate) fn listen(address: SocketAddr, source: io::Error) -> Self {
        Failure::Io { what: format!("cannot listen on {address}"), source }
    }

    /// The work was stopped.
    pub(crate) fn stopped(cause: Cause, activity: Activity) -> Self {
        Self::stopped_while(cause, activity.words())
    }

    /// The same, with what was being done in words that follow `while`.
    pub(crate) fn stopped_while(cause: Cause, words: &str) -> Self {
        let message = match cause {
            Cause::Interrupt => "interrupted".to_owned(),
            _ => format!("{}, while {words}", exceeded(cause, None)),
        };
        Failure::Stopped { cause, message }
    }

    /// What the grounder reports, with the reason why it had to stop.
    ///
    /// `time` is the time limit of the whole command, of which the grounder had what was left.
    pub(crate) fn ground(error: GroundError, cause: Option<Cause>, time: Option<Duration>) -> Self {
        let GroundError::Limit { exceeded: found, mut faults } = error else {
            return error.into();
        };
        let cause = match (found.limit, cause, time) {
            (Limit::Cancelled, Some(cause), _) => cause,
            (Limit::Time, _, Some(time)) => Cause::Time(time),
            _ => return GroundError::Limit { exceeded: found, faults }.into(),
        };
        if cause == Cause::Interrupt {
            return Failure::stopped(cause, Activity::Grounding);
        }
        let exceeded = exceeded(cause, Some(&found));
        for diagnostic in faults.diagnostics.iter_mut().take(1) {
            diagnostic.message = exceeded.to_string();
        }
        GroundError::Limit { exceeded: Box::new(exceeded), faults }.into()
    }

    /// The exit code.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Failure::Ground(error) => match &**error {
                GroundError::Parse(error) if error.is_too_large() => Exit::Limit,
                GroundError::Parse(_) | GroundError::Description(_) => Exit::Description,
                GroundError::TooLarge(_) => Exit::Limit,
                GroundError::Unbounded(_) => Exit::Unbounded,
                GroundError::Limit { exceeded, .. } if exceeded.limit == Limit::Cancelled => {
                    Exit::Interrupted
                }
                GroundError::Limit { .. } => Exit::Limit,
                GroundError::Disagreement(_) => Exit::Disagreement,
            },
            Failure::Build(_) => Exit::Description,
            Failure::Reasoner(ReasonerError::Evaluation(EngineError::Limit(_))) => Exit::Limit,
            Failure::Reasoner(_) => Exit::Description,
            Failure::Difference(_) => Exit::Difference,
            Failure::Io { .. } | Failure::Silent(_) => Exit::Io,
            Failure::Source(_) => Exit::Description,
            Failure::TooLong(_) => Exit::Limit,
            Failure::Undecided(_) => Exit::Limit,
            Failure::Usage(_) => Exit::Usage,
            Failure::Table(_) | Failure::Plan { .. } | Failure::Game(_) => Exit::Description,
            Failure::OfGame { failure, .. } => failure.exit(),
            Failure::Stopped { cause: Cause::Interrupt, .. } => Exit::Interrupted,
            Failure::Stopped { .. } => Exit::Limit,
        }
    }

    /// Whether a reader closed the pipe that was written to: no error of anybody.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// What to do about it, where that is not obvious.
    pub(crate) fn help(&self) -> Option<&'static str> {
        let source = match self {
            Failure::Io { source, .. } => source,
            Failure::Ground(error) => {
                return matches!(**error, GroundError::Disagreement(_))
                    .then_some("this is an error of groundfrog: please report it with the game");
            }
            Failure::Table(_) => {
                return Some("`groundfrog generate turing-machine --help` shows one");
            }
            _ => return None,
        };
        match source.kind() {
            io::ErrorKind::NotFound => Some("check the spelling of the path"),
            io::ErrorKind::IsADirectory => {
                Some("give the path of a file; `check`, `verify` and `bench` take folders")
            }
            io::ErrorKind::StorageFull => Some("make room and try again"),
            _ => None,
        }
    }
}

impl From<MeasureError> for Failure {
    fn from(error: MeasureError) -> Self {
        match error {
            MeasureError::Io { what, source } => Failure::Io { what, source },
            MeasureError::Usage(message) => Failure::Usage(message),
        }
    }
}

impl From<GroundError> for Failure {
    fn from(error: GroundError) -> Self {
        Failure::Ground(Box::new(error))
    }
}

/// A limit that the supervisor found exceeded, with the place that the grounder has found.
fn exceeded(cause: Cause, found: Option<&Exceeded>) -> Exceeded {
    let (limit, allowed, reached) = match cause {
        Cause::Interrupt => (Limit::Cancelled, 0, 0),
        Cause::Time(limit) => (Limit::Time, limit.as_millis() as u64, 0),
        Cause::Memory { allowed, reached } => (Limit::Memory, allowed, reached),
    };
    let nothing = Exceeded::new(limit, allowed, reached);
    Exceeded { limit, allowed, reached, ..found.cloned().unwrap_or(nothing) }
}

/// An error of the operating system, without its number.
fn in_words(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

// How the program ends; `docs/exit-codes.md` is the page about it.

/// The exit codes. They are part of the interface: a number never changes its meaning. Statistics have them by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Exit {
    /// Everything was done.
    #[serde(rename = "ok")]
    Success = 0,
    /// The description is at fault.
    Description = 1,
    /// The command line is at fault; the parser of the command line uses this number too.
    Usage = 2,
    /// A limit was exceeded.
    Limit = 3,
    /// Something could not be read or written.
    Io = 4,
    /// Terms grow without bound.
    Unbounded = 5,
    /// Two evaluators disagree.
    Disagreement = 6,
    /// Ground rules and reference differ in a state.
    Difference = 7,
    /// Nothing worse than what `--fail-on` names was found, but that was.
    Findings = 8,
    /// Newer results of `bench` are worse than `--fail-above` allows.
    Slower = 9,
    /// A worker of `bench` died. A panic has this number as well.
    Crash = 101,
    /// Stopped by a signal.
    Interrupted = 130,
}

impl Exit {
    /// The number.
    pub(crate) fn code(self) -> u8 {
        self as u8
    }
}

/// For the end of `--help`.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    the description is at fault: notation, unsafe rules, negative cycles, no roles
  2    the command line is at fault
  3    a limit was exceeded: --time-limit, --max-memory, --max-rules, or the description is too large
  4    something could not be read or written, or a player never made a legal move
  5    terms grow without bound: the description is outside bounded GDL
  6    the evaluators of --engine compare or the methods of bench disagree, an error of this program
  7    verify found a difference, an error of this program or of the traces
  8    check --fail-on: there are warnings or notes, but no errors
  9    compare --fail-above: a game is slower, lost, or has other results for the same rules
  101  a panic, or a worker of bench died: an error of this program
  130  interrupted";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_system_are_told_without_numbers() {
        let error = Failure::io("cannot read", Path::new("x.kif"), io::Error::from_raw_os_error(2));
        assert_eq!(error.to_string(), "cannot read `x.kif`: no such file or directory");
        assert_eq!(error.exit(), Exit::Io);
        assert_eq!(error.help(), Some("check the spelling of the path"));
    }

    #[test]
    fn limits_outside_of_the_grounder_name_the_activity() {
        let cause = Cause::Memory { allowed: 64 << 20, reached: 70 << 20 };
        let failure = Failure::stopped(cause, Activity::Parsing);
        let message = "the memory limit of 64 MiB was exceeded (70 MiB in use), \
                       while parsing the description";
        assert_eq!(failure.to_string(), message);
        assert_eq!(failure.exit(), Exit::Limit);
        let interrupted = Failure::stopped(Cause::Interrupt, Activity::Writing);
        assert_eq!(
            (interrupted.to_string(), interrupted.exit()),
            ("interrupted".into(), Exit::Interrupted)
        );
    }
}
