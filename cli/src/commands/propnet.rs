//! `groundfrog propnet`.

use groundfrog_reasoner::propnet::{PropNet, write_dot, write_json};

use super::Session;
use crate::arguments::{NetChoice, PropnetArguments};
use crate::destination::Destination;
use crate::failure::Failure;

/// Writes the propositional network of a game, and its counts on standard error.
pub(crate) fn work(arguments: &PropnetArguments, session: &Session) -> Result<(), Failure> {
    let Session { supervisor, reporter } = session;
    let destination = Destination::new(arguments.output.as_deref())?;
    let description = session.read(&arguments.game.input)?;
    let game = session.playable(&description, &arguments.game.grounding)?;
    let net = session.compiled(&game, |game| PropNet::new(&game))?;
    destination.write(supervisor, |out| match arguments.format.choice() {
        NetChoice::Dot => write_dot(&net, &game, out),
        NetChoice::Json => write_json(&net, &game, out),
    })?;
    supervisor.without_bar(|| reporter.note(&net.counts().to_string()));
    Ok(())
}
