//! The commands, one a file. Each reports what went wrong and returns how the program ends.

pub(crate) mod analyse;
pub(crate) mod analyse_match;
pub(crate) mod beliefs;
pub(crate) mod bench;
pub(crate) mod bench_worker;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod generate;
pub(crate) mod ground;
pub(crate) mod man;
pub(crate) mod market;
pub(crate) mod play;
pub(crate) mod play_match;
pub(crate) mod player;
pub(crate) mod propnet;
pub(crate) mod realtime;
mod relatives;
pub(crate) mod report;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod simulate;
pub(crate) mod solve;
pub(crate) mod tournament;
pub(crate) mod translate;
pub(crate) mod verify;

use std::sync::Arc;

use groundfrog::compact::Passes;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog::visible::visible_lines;
use groundfrog::{Description, GroundGame};
use groundfrog_reasoner::{BuildError, InterpretError, InterpretedReasoner};

use crate::arguments::{GroundingArguments, InputArguments, LimitArguments};
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::{Cause, Failure};
use crate::progress::{Activity, Follower};
use crate::source;
use crate::supervisor::Supervisor;

/// Reports a failure, if it is one.
fn conclude(result: &Result<(), Failure>, reporter: &Reporter) -> Exit {
    match result {
        Ok(()) => Exit::Success,
        Err(failure) if failure.is_broken_pipe() => Exit::Success,
        Err(failure) => {
            reporter.failure(failure);
            failure.exit()
        }
    }
}

/// Begins to watch over a command's limits.
fn supervise(limits: &LimitArguments, quiet: bool) -> Supervisor {
    Supervisor::start(limits.time_limit.map(|it| it.0), limits.max_memory.0, !quiet)
}

/// Runs a command under its limits, reports a failure and returns how it ended.
fn run_supervised(
    limits: &LimitArguments,
    quiet: bool,
    work: impl FnOnce(&Supervisor, &Reporter) -> Result<(), Failure>,
) -> Exit {
    let reporter = Reporter::new(quiet);
    let mut supervisor = supervise(limits, quiet);
    let result = work(&supervisor, &reporter);
    supervisor.finish();
    conclude(&result, &reporter)
}

/// What is left of the limits for the library.
fn limits(arguments: &LimitArguments, supervisor: &Supervisor) -> Limits {
    Limits {
        time: supervisor.time_left(),
        memory: arguments.max_memory.0,
        rules: arguments.max_rules,
        term_depth: arguments.max_term_depth,
        stop: Some(supervisor.stop()),
    }
}

/// Reads a description and reports its warnings.
fn read(
    input: &InputArguments,
    supervisor: &Supervisor,
    reporter: &Reporter,
) -> Result<Description, Failure> {
    let description = source::description(&input.game, &input.reading, supervisor)?;
    reporter.warnings(&description.warnings, &description.name, &description.source);
    Ok(description)
}

/// The warning that a description does not give its base and input.
const NOT_GIVEN: &str = "GF0304";

/// Grounds a description for play, and reports the warnings.
fn playable(
    description: &Description,
    arguments: &GroundingArguments,
    supervisor: &Supervisor,
    reporter: &Reporter,
) -> Result<Arc<GroundGame>, Failure> {
    playable_by(description, arguments, arguments.rules.passes(), supervisor, reporter)
}

/// As [`playable`], by other passes.
fn playable_by(
    description: &Description,
    arguments: &GroundingArguments,
    passes: Passes,
    supervisor: &Supervisor,
    reporter: &Reporter,
) -> Result<Arc<GroundGame>, Failure> {
    let limits = limits(&arguments.limits, supervisor);
    playable_within(description, arguments, (passes, limits), supervisor, reporter)
}

/// As [`playable_by`], within other limits.
fn playable_within(
    description: &Description,
    arguments: &GroundingArguments,
    (passes, limits): (Passes, Limits),
    supervisor: &Supervisor,
    reporter: &Reporter,
) -> Result<Arc<GroundGame>, Failure> {
    supervisor.progress().enter(Activity::Grounding);
    let options = GroundOptions {
        domains: arguments.method.domains.into(),
        simplify: arguments.rules.form().is_simplified(),
        passes,
        limits,
        ..GroundOptions::flat()
    };
    let grounding = groundfrog::ground(description, &options, &mut Follower(supervisor.progress()))
        .map_err(|error| Failure::ground(error, supervisor.cause(), supervisor.time_limit()))?;
    supervisor.check()?;
    // Without them nothing can be true and no move be made.
    if let Some(missing) = grounding.warnings.iter().find(|it| it.code == NOT_GIVEN) {
        let message = format!("{}: leave out `--domains given`", missing.message);
        return Err(Failure::Usage(message));
    }
    // Those of the description have been reported when it was read.
    let new = &grounding.warnings[description.warnings.len()..];
    reporter.warnings(new, &description.name, &description.source);
    Ok(Arc::new(grounding.game))
}

/// Compiles ground rules for a reasoner.
fn compiled<R>(
    game: &Arc<GroundGame>,
    supervisor: &Supervisor,
    compile: impl FnOnce(Arc<GroundGame>) -> Result<R, BuildError>,
) -> Result<R, Failure> {
    supervisor.progress().enter(Activity::Compiling);
    let reasoner = compile(Arc::clone(game)).map_err(Failure::Build);
    supervisor.check()?;
    reasoner
}

/// The reasoner of a description's own rules.
fn interpreted(
    description: &Description,
    arguments: &LimitArguments,
    supervisor: &Supervisor,
) -> Result<InterpretedReasoner, Failure> {
    supervisor.progress().enter(Activity::Compiling);
    let reasoner = InterpretedReasoner::new(description, limits(arguments, supervisor));
    supervisor.check()?;
    reasoner.map_err(|error| match error {
        InterpretError::Description(error) => {
            Failure::ground(error, supervisor.cause(), supervisor.time_limit())
        }
        InterpretError::Evaluation(error) => error.into(),
        InterpretError::NoRoles => Failure::Build(BuildError::NoRoles),
    })
}

/// Prints the line by which a server says where it listens. Returns whether it is to go on: from that line on a signal is how it
/// ends, which is not to be reported.
fn announce(supervisor: &Supervisor, line: &str) -> Result<bool, Failure> {
    match Destination::Stdout.show(supervisor, &format!("{line}\n")) {
        Err(Failure::Stopped { cause: Cause::Interrupt, .. }) => Ok(false),
        written => written.map(|()| true),
    }
}

/// How many threads are meant: 0 stands for as many as there are processors.
pub(crate) fn processors_if_0(threads: usize) -> usize {
    match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    }
}

/// Lines on standard output, each written at once.
struct Lines {
    failed: Option<std::io::Error>,
}

impl Lines {
    fn new() -> Self {
        Lines { failed: None }
    }

    /// Writes lines. After a failure nothing more is written.
    fn write(&mut self, lines: &str) {
        use std::io::Write;
        if self.failed.is_none() {
            let mut out = std::io::stdout().lock();
            self.failed =
                writeln!(out, "{}", visible_lines(lines)).and_then(|()| out.flush()).err();
        }
    }

    /// Whether everything was written.
    fn finish(self) -> Result<(), Failure> {
        let what = "cannot write to standard output".to_owned();
        self.failed.map_or(Ok(()), |source| Err(Failure::Io { what, source }))
    }
}
