//! `groundfrog explain`.

use clap::ValueEnum;
use groundfrog::explain::explain;
use groundfrog::options::GroundOptions;

use super::Session;
use crate::arguments::{ExplainArguments, StepChoice};
use crate::destination::Destination;
use crate::failure::Failure;
use crate::progress::Activity;

/// Prints a description as it stands after a step of the method.
pub(crate) fn work(arguments: &ExplainArguments, session: &Session) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    let destination = Destination::new(arguments.text.output.as_deref())?;
    let description = session.read(&arguments.text.input)?;
    supervisor.progress().enter(Activity::Grounding);
    let options = GroundOptions {
        domains: arguments.method.domains.into(),
        passes: arguments.rules.passes(),
        limits: session.limits(&arguments.text.limits),
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
        text +=
            &explain(&description, step.into(), &options).map_err(|error| session.failed(error))?;
        text += if steps.len() > 1 { "\n" } else { "" };
    }
    supervisor.check()?;
    destination.write(supervisor, |out| out.write_all(text.as_bytes()))
}
