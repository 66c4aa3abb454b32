//! `groundfrog man`.

use clap::CommandFactory;

use super::conclude;
use crate::arguments::{Arguments, ManArguments};
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::supervisor::Supervisor;

/// Prints a page of the manual.
pub(crate) fn run(arguments: &ManArguments) -> Exit {
    let mut supervisor = Supervisor::start(None, None, false);
    let result = page(arguments.command.as_deref())
        .and_then(|page| Destination::Stdout.write(&supervisor, |out| out.write_all(&page)));
    supervisor.finish();
    conclude(&result, &Reporter::new(false))
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
