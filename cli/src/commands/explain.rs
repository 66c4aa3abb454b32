//! `groundfrog explain`.

use groundfrog::explain::explain;
use groundfrog::options::GroundOptions;

use super::{conclude, limits, supervise};
use crate::arguments::ExplainArguments;
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Activity;
use crate::source;
use crate::supervisor::Supervisor;

/// Prints a description as it stands after a step of the method.
pub(crate) fn run(arguments: &ExplainArguments) -> Exit {
    let reporter = Reporter::new(arguments.quiet);
    let mut supervisor = supervise(&arguments.limits, arguments.quiet);
    let result = work(arguments, &supervisor, &reporter);
    supervisor.finish();
    conclude(&result, &reporter)
}

fn work(
    arguments: &ExplainArguments,
    supervisor: &Supervisor,
    reporter: &Reporter,
) -> Result<(), Failure> {
    let destination = Destination::new(arguments.output.as_deref())?;
    let description = source::description(&arguments.input, supervisor)?;
    supervisor.progress().enter(Activity::Grounding);
    reporter.warnings(&description.warnings, &description.name, &description.source);
    let options = GroundOptions {
        domains: arguments.method.domains.into(),
        limits: limits(&arguments.limits, supervisor),
        ..GroundOptions::default()
    };
    let text = explain(&description, arguments.step.into(), &options)
        .map_err(|error| Failure::ground(error, supervisor.cause(), supervisor.time_limit()))?;
    supervisor.check()?;
    destination.write(supervisor, |out| out.write_all(text.as_bytes()))
}
