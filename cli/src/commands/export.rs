//! `groundfrog export`.

use groundfrog::export::{asp_program, projection, prolog};
use groundfrog::prepare::prepare;

use super::{conclude, supervise};
use crate::arguments::{ExportArguments, ExportChoice};
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Activity;
use crate::source;
use crate::supervisor::Supervisor;

/// Writes a description as a program of another system.
pub(crate) fn run(arguments: &ExportArguments) -> Exit {
    let reporter = Reporter::new(arguments.quiet);
    let mut supervisor = supervise(&arguments.limits, arguments.quiet);
    let result = work(arguments, &supervisor, &reporter);
    supervisor.finish();
    conclude(&result, &reporter)
}

fn work(
    arguments: &ExportArguments,
    supervisor: &Supervisor,
    reporter: &Reporter,
) -> Result<(), Failure> {
    if arguments.projected && arguments.language != ExportChoice::AspProgram {
        return Err(Failure::Usage("--projected is for asp-program only".into()));
    }
    let destination = Destination::new(arguments.output.as_deref())?;
    let description = source::description(&arguments.input, supervisor)?;
    supervisor.progress().enter(Activity::Grounding);
    reporter.warnings(&description.warnings, &description.name, &description.source);
    let mut prepared = prepare(&description)
        .map_err(|error| Failure::ground(error, supervisor.cause(), supervisor.time_limit()))?;
    supervisor.check()?;
    if arguments.projected {
        projection::project(&mut prepared);
    }
    match arguments.language {
        ExportChoice::AspProgram => {
            destination.write(supervisor, |out| asp_program::write(&prepared, out))
        }
        ExportChoice::Prolog => destination.write(supervisor, |out| prolog::write(&prepared, out)),
    }
}
