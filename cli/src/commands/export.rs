//! `groundfrog export`.

use groundfrog::export::{asp_program, projection, prolog};
use groundfrog::prepare::prepare;

use super::{limits, read, run_supervised};
use crate::arguments::{ExportArguments, ExportChoice};
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Activity;
use crate::supervisor::Supervisor;

/// Writes a description as a program of another system.
pub(crate) fn run(arguments: &ExportArguments) -> Exit {
    let text = &arguments.text;
    run_supervised(&text.limits, text.quiet, |supervisor, reporter| {
        work(arguments, supervisor, reporter)
    })
}

fn work(
    arguments: &ExportArguments,
    supervisor: &Supervisor,
    reporter: &Reporter,
) -> Result<(), Failure> {
    if arguments.projected && arguments.language != ExportChoice::AspProgram {
        return Err(Failure::Usage("--projected is for asp-program only".into()));
    }
    let destination = Destination::new(arguments.text.output.as_deref())?;
    let description = read(&arguments.text.input, supervisor, reporter)?;
    supervisor.progress().enter(Activity::Grounding);
    let limits = limits(&arguments.text.limits, supervisor);
    let prepared = if arguments.projected {
        projection::projected(&description, &limits)
    } else {
        prepare(&description, &limits)
    };
    let prepared = prepared
        .map_err(|error| Failure::ground(error, supervisor.cause(), supervisor.time_limit()))?;
    supervisor.check()?;
    match arguments.language {
        ExportChoice::AspProgram => {
            destination.write(supervisor, |out| asp_program::write(&prepared, out))
        }
        ExportChoice::Prolog => destination.write(supervisor, |out| prolog::write(&prepared, out)),
    }
}
