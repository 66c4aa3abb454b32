//! `groundfrog man`.

use clap::CommandFactory;

use super::Session;
use crate::arguments::{Arguments, ManArguments};
use crate::destination::Destination;
use crate::failure::Failure;

/// Prints a page of the manual.
pub(crate) fn work(arguments: &ManArguments, session: &Session) -> Result<(), Failure> {
    let page = page(arguments.command.as_deref())?;
    Destination::Stdout.write(&session.supervisor, |out| out.write_all(&page))
}

/// The page about a command, or about the program.
fn page(command: Option<&str>) -> Result<Vec<u8>, Failure> {
    let mut program = Arguments::command();
    program.build();
    let about = match command {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).cloned();
            let unknown =
                || Failure::Usage(format!("there is no command `{name}`: see `groundfrog --help`"));
            found.ok_or_else(unknown)?.name(format!("groundfrog-{name}"))
        }
    };
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(about).render(&mut page);
    rendered.map_err(|source| Failure::Io { what: "cannot lay out the page".into(), source })?;
    Ok(page)
}
