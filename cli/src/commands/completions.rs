//! `groundfrog completions`.

use clap::CommandFactory;

use super::Session;
use crate::arguments::{Arguments, CompletionsArguments};
use crate::destination::Destination;
use crate::failure::Failure;

/// Prints a completion script for a shell.
pub(crate) fn work(arguments: &CompletionsArguments, session: &Session) -> Result<(), Failure> {
    let mut command = Arguments::command();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "groundfrog", &mut script);
    Destination::Stdout.write(&session.supervisor, |out| out.write_all(&script))
}
