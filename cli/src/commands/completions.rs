//! `groundfrog completions`.

use clap::CommandFactory;

use super::conclude;
use crate::arguments::{Arguments, CompletionsArguments};
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::supervisor::Supervisor;

/// Prints a completion script for a shell.
pub(crate) fn run(arguments: &CompletionsArguments) -> Exit {
    let mut command = Arguments::command();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "groundfrog", &mut script);
    let mut supervisor = Supervisor::start(None, None, false);
    let result = Destination::Stdout.write(&supervisor, |out| out.write_all(&script));
    supervisor.finish();
    conclude(&result, &Reporter::new(false))
}
