//! The commands. Each reports what went wrong and returns how the program ends.

pub(crate) mod analyse;
pub(crate) mod analyse_match;
pub(crate) mod beliefs;
pub(crate) mod bench;
pub(crate) mod bench_worker;
pub(crate) mod check;
pub(crate) mod ground;
pub(crate) mod play;
pub(crate) mod play_match;
pub(crate) mod player;
pub(crate) mod realtime;
pub(crate) mod relatives;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod simulate;
pub(crate) mod solve;
pub(crate) mod texts;
pub(crate) mod tournament;
pub(crate) mod verify;

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use groundfrog::ground::Grounding;
use groundfrog::kif::Diagnostic;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog::visible::visible_lines;
use groundfrog::{Description, GroundError, GroundGame};
use groundfrog_reasoner::{BuildError, InterpretedReasoner, OpenError};
use serde::Serialize;

use crate::arguments::{
    FormArguments, FormatArguments, GroundedArguments, GroundingArguments, InputArguments,
    LimitArguments, MethodArguments, ReportChoice, TextArguments,
};
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::failure::{Cause, Exit, Failure};
use crate::progress::{Activity, Follower};
use crate::source;
use crate::supervisor::Supervisor;

/// The warning that a description does not give its base and input.
const NOT_GIVEN: &str = "GF0304";

/// What a command works with: who watches over its limits, and who reports what is wrong.
pub(crate) struct Session {
    pub(crate) supervisor: Supervisor,
    pub(crate) reporter: Reporter,
}

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

/// What a command does.
type Work<'run> = &'run dyn Fn(&Session) -> Result<(), Failure>;

/// Runs a command about a game that is ground.
pub(crate) fn run_grounded(game: &GroundedArguments, work: Work<'_>) -> Exit {
    Session::limited(&game.grounding.limits, game.grounding.quiet).run(work)
}

/// Runs a command that writes a description as some text.
pub(crate) fn run_text(text: &TextArguments, work: Work<'_>) -> Exit {
    Session::limited(&text.limits, text.quiet).run(work)
}

/// Runs a command without limits.
pub(crate) fn run_unlimited(quiet: bool, work: Work<'_>) -> Exit {
    Session::unlimited(quiet).run(work)
}

/// Runs a command within the usual memory, and a time.
pub(crate) fn run_usual(time: Option<Duration>, quiet: bool, work: Work<'_>) -> Exit {
    let memory = Some(crate::memory::usual_limit());
    Session::new(Supervisor::start(time, memory, false), quiet).run(work)
}

/// Runs a command that waits for others, and looks after signals itself.
pub(crate) fn run_server(work: Work<'_>) -> Exit {
    crate::memory::give_back_at_once();
    Session::new(Supervisor::new(None, None, false), false).run(work)
}

impl Session {
    pub(crate) fn new(supervisor: Supervisor, quiet: bool) -> Self {
        Session { supervisor, reporter: Reporter::new(quiet) }
    }

    /// Watches for signals alone.
    fn unlimited(quiet: bool) -> Self {
        Session::new(Supervisor::start(None, None, false), quiet)
    }

    /// Watches over a command's limits from now on.
    pub(crate) fn limited(limits: &LimitArguments, quiet: bool) -> Self {
        let time = limits.time_limit.map(|it| it.0);
        Session::new(Supervisor::start(time, limits.max_memory.0, !quiet), quiet)
    }

    /// Works, reports a failure and returns how the command ended.
    pub(crate) fn run(&self, work: impl FnOnce(&Session) -> Result<(), Failure>) -> Exit {
        let result = work(self);
        self.conclude(&result)
    }

    /// Ends the watch, and reports a failure.
    pub(crate) fn conclude(&self, result: &Result<(), Failure>) -> Exit {
        self.supervisor.take_last_word();
        conclude(result, &self.reporter)
    }

    /// Reads a description and reports its warnings.
    fn read(&self, input: &InputArguments) -> Result<Description, Failure> {
        let description = source::description(&input.game, &input.reading, &self.supervisor)?;
        self.reporter.warnings(&description.warnings, &description.name, &description.source);
        Ok(description)
    }

    /// What is left of the limits for the library.
    fn limits(&self, arguments: &LimitArguments) -> Limits {
        Limits {
            time: self.supervisor.time_left(),
            memory: arguments.max_memory.0,
            rules: arguments.max_rules,
            term_depth: arguments.max_term_depth,
            stop: Some(self.supervisor.stop()),
        }
    }

    /// How a game is ground.
    fn options(
        &self,
        method: &MethodArguments,
        rules: &FormArguments,
        limits: &LimitArguments,
    ) -> GroundOptions {
        GroundOptions {
            domains: method.domains,
            simplify: rules.form().is_simplified(),
            passes: rules.passes(),
            limits: self.limits(limits),
            ..GroundOptions::flat()
        }
    }

    /// What the grounder reports, with the reason why it had to stop.
    fn failed(&self, error: GroundError) -> Failure {
        Failure::ground(error, self.supervisor.cause(), self.supervisor.time_limit())
    }

    /// Grounds a description.
    fn ground(
        &self,
        description: &Description,
        options: &GroundOptions,
    ) -> Result<Grounding, Failure> {
        self.supervisor.progress().enter(Activity::Grounding);
        let mut follower = Follower(self.supervisor.progress());
        let grounding = groundfrog::ground(description, options, &mut follower);
        let grounding = grounding.map_err(|error| self.failed(error))?;
        self.supervisor.check()?;
        Ok(grounding)
    }

    /// Grounds a description for play, and reports the warnings.
    fn playable(
        &self,
        description: &Description,
        arguments: &GroundingArguments,
    ) -> Result<Arc<GroundGame>, Failure> {
        let options = self.options(&arguments.method, &arguments.rules, &arguments.limits);
        self.playable_by(description, &options)
    }

    /// As [`Session::playable`], by other options.
    fn playable_by(
        &self,
        description: &Description,
        options: &GroundOptions,
    ) -> Result<Arc<GroundGame>, Failure> {
        let grounding = self.ground(description, options)?;
        self.warn(description, &grounding.warnings)?;
        Ok(Arc::new(grounding.game))
    }

    /// Reports what grounding warns of, but for what was reported when the description was read.
    fn warn(&self, description: &Description, warnings: &[Diagnostic]) -> Result<(), Failure> {
        // Without them nothing can be true and no move be made.
        if let Some(missing) = warnings.iter().find(|it| it.code == NOT_GIVEN) {
            let message = format!("{}: leave out `--domains given`", missing.message);
            return Err(Failure::Usage(message));
        }
        let new = warnings.get(description.warnings.len()..).unwrap_or_default();
        self.reporter.warnings(new, &description.name, &description.source);
        Ok(())
    }

    /// Compiles ground rules for a reasoner.
    fn compiled<R>(
        &self,
        game: &Arc<GroundGame>,
        compile: impl FnOnce(Arc<GroundGame>) -> Result<R, BuildError>,
    ) -> Result<R, Failure> {
        self.supervisor.progress().enter(Activity::Compiling);
        let reasoner = compile(Arc::clone(game)).map_err(Failure::Build);
        self.supervisor.check()?;
        reasoner
    }

    /// The reasoner of a description's own rules.
    fn interpreted(
        &self,
        description: &Description,
        arguments: &LimitArguments,
    ) -> Result<InterpretedReasoner, Failure> {
        self.supervisor.progress().enter(Activity::Compiling);
        let reasoner = InterpretedReasoner::new(description, self.limits(arguments));
        self.supervisor.check()?;
        reasoner.map_err(|error| self.not_opened(error))
    }

    /// Why a game is not opened, with the reason why that had to stop.
    fn not_opened(&self, error: OpenError) -> Failure {
        match error {
            OpenError::Description(error) => self.failed(error),
            OpenError::Compilation(error) => Failure::Build(error),
            OpenError::Evaluation(error) => error.into(),
            error => Failure::Game(error.to_string()),
        }
    }

    /// Writes a report to standard output, for people by `text`, or as a line of JSON.
    fn report(
        &self,
        format: &FormatArguments<ReportChoice>,
        fields: &impl Serialize,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let (out, format) = (Destination::Stdout, format.choice());
        self.supervisor.without_bar(|| out.report(&self.supervisor, format, fields, text))
    }

    /// Prints the line by which a server says where it listens. Returns whether it is to go on: from that line on a signal is how it
    /// ends, which is not to be reported.
    fn announce(&self, line: &str) -> Result<bool, Failure> {
        match Destination::Stdout.show(&self.supervisor, &format!("{line}\n")) {
            Err(Failure::Stopped { cause: Cause::Interrupt, .. }) => Ok(false),
            written => written.map(|()| true),
        }
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
    failed: Option<io::Error>,
}

impl Lines {
    fn new() -> Self {
        Lines { failed: None }
    }

    /// Writes lines. After a failure nothing more is written.
    fn write(&mut self, lines: &str) {
        if self.failed.is_none() {
            let mut out = io::stdout().lock();
            self.failed =
                writeln!(out, "{}", visible_lines(lines)).and_then(|()| out.flush()).err();
        }
    }

    /// Whether everything was written.
    fn finish(self) -> Result<(), Failure> {
        self.failed.map_or(Ok(()), |source| Err(Failure::standard_output(source)))
    }
}
