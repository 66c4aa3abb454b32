//! `groundfrog propnet`.

use groundfrog_reasoner::propnet::{PropNet, write_dot, write_json};

use super::{conclude, playable, read, supervise};
use crate::arguments::{NetChoice, PropnetArguments};
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Activity;
use crate::supervisor::Supervisor;

/// Writes the propositional network of a game, and its counts on standard error.
pub(crate) fn run(arguments: &PropnetArguments) -> Exit {
    let grounding = &arguments.game.grounding;
    let reporter = Reporter::new(grounding.quiet);
    let mut supervisor = supervise(&grounding.limits, grounding.quiet);
    let result = work(arguments, &supervisor, &reporter);
    supervisor.finish();
    if let Ok(counts) = &result {
        reporter.note(counts);
    }
    conclude(&result.map(drop), &reporter)
}

/// Returns the counts by kind.
fn work(
    arguments: &PropnetArguments,
    supervisor: &Supervisor,
    reporter: &Reporter,
) -> Result<String, Failure> {
    let destination = Destination::new(arguments.output.as_deref())?;
    let description = read(&arguments.game.input, supervisor, reporter)?;
    let game = playable(&description, &arguments.game.grounding, supervisor, reporter)?;
    supervisor.progress().enter(Activity::Compiling);
    let net = PropNet::new(&game).map_err(Failure::Build)?;
    supervisor.check()?;
    destination.write(supervisor, |out| match arguments.format.choice() {
        NetChoice::Dot => write_dot(&net, &game, out),
        NetChoice::Json => write_json(&net, &game, out),
    })?;
    Ok(net.counts().to_string())
}
