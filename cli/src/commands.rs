//! The commands, one a file. Each tells what went wrong and returns how the program ends.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod generate;
pub(crate) mod ground;

use groundfrog::options::Limits;

use crate::arguments::LimitArguments;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::supervisor::Supervisor;

/// Tells a failure, if it is one.
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

/// What is left of the limits for the library.
fn limits(arguments: &LimitArguments, supervisor: &Supervisor) -> Limits {
    Limits {
        time: supervisor.time_left(),
        memory: arguments.max_memory.0,
        rules: arguments.max_rules,
        term_depth: arguments.max_term_depth,
        stop: Some(supervisor.stop_flag().clone()),
    }
}
