//! `groundfrog explain`.

use clap::ValueEnum;
use groundfrog::explain::explain;
use groundfrog::options::GroundOptions;

use super::{limits, read, run_supervised};
use crate::arguments::{ExplainArguments, StepChoice};
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Activity;
use crate::supervisor::Supervisor;

/// Prints a description as it stands after a step of the method.
pub(crate) fn run(arguments: &ExplainArguments) -> Exit {
    let text = &arguments.text;
    run_supervised(&text.limits, text.quiet, |supervisor, reporter| {
        work(arguments, supervisor, reporter)
    })
}

fn work(
    arguments: &ExplainArguments,
    supervisor: &Supervisor,
    reporter: &Reporter,
) -> Result<(), Failure> {
    let destination = Destination::new(arguments.text.output.as_deref())?;
    let description = read(&arguments.text.input, supervisor, reporter)?;
    supervisor.progress().enter(Activity::Grounding);
    let options = GroundOptions {
        domains: arguments.method.domains.into(),
        passes: arguments.rules.passes(),
        limits: limits(&arguments.text.limits, supervisor),
        ..GroundOptions::flat()
    };
    let all = StepChoice::value_variants();
    let steps = arguments.step.as_ref().map_or(all, std::slice::from_ref);
    let mut text = String::new();
    for &step in steps {
        if steps.len() > 1 {
            let (name, about) = step.words();
            text += &format!(";;; {name}: {about}\n\n");
        }
        text += &explain(&description, step.into(), &options)
            .map_err(|error| Failure::ground(error, supervisor.cause(), supervisor.time_limit()))?;
        text += if steps.len() > 1 { "\n" } else { "" };
    }
    supervisor.check()?;
    destination.write(supervisor, |out| out.write_all(text.as_bytes()))
}
