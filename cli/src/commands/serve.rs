//! `groundfrog serve`.

use std::borrow::Cow;
use std::net::SocketAddr;
use std::path::Path;

use groundfrog_corpus::Outcome;
use groundfrog_player::serve::{OfferedGame, PageOptions, PageServer};

use super::conclude;
use crate::arguments::ServeArguments;
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::{Cause, Failure};
use crate::interruption;
use crate::progress::Activity;
use crate::source;
use crate::supervisor::Supervisor;

/// Shows the page until it is interrupted.
pub(crate) fn run(arguments: &ServeArguments) -> Exit {
    let mut supervisor = Supervisor::new(None, None, false);
    let result = work(arguments, &supervisor);
    supervisor.finish();
    conclude(&result, &Reporter::new(false))
}

fn work(arguments: &ServeArguments, supervisor: &Supervisor) -> Result<(), Failure> {
    let Some(memory) = arguments.max_memory.0 else {
        let message = "--max-memory none: the page needs a limit, such as 4GiB";
        return Err(Failure::Usage(message.to_owned()));
    };
    // A folder that is not there yet is waited for.
    if let Some(folder) = arguments.watch.as_deref().filter(|it| it.exists() && !it.is_dir()) {
        return Err(Failure::Usage(format!("--watch `{}` is no folder", folder.display())));
    }
    let mut games = Vec::new();
    for path in source::games(&arguments.games)? {
        let (_, text) = source::read(&path, supervisor)?;
        let (name, text) = (name(&path, &games), Cow::Owned(text));
        games.push(OfferedGame { name, summary: String::new(), text, given: true });
    }
    let own = groundfrog_corpus::games().iter().filter(|it| it.expect == Outcome::Groundable);
    for game in own {
        if !games.iter().any(|it| it.name == game.name) {
            games.push(OfferedGame {
                name: game.name.to_owned(),
                summary: game.summary.to_owned(),
                text: Cow::Borrowed(game.text.as_bytes()),
                given: false,
            });
        }
    }
    let options = PageOptions {
        games,
        watch: arguments.watch.clone(),
        hosts: arguments.hosts.clone(),
        ground_time: arguments.time_limit.0,
        memory,
        threads: super::processors_if_0(arguments.threads),
        seed: arguments.seed,
    };
    let address = SocketAddr::new(arguments.listen, arguments.port);
    let server = PageServer::start(address, options)
        .map_err(|source| Failure::Io { what: format!("cannot listen on {address}"), source })?;
    let address = server.address();
    interruption::raise_on_signal(supervisor.stop_flag());
    Destination::Stdout
        .write(supervisor, |out| writeln!(out, "the board is on http://{address}"))?;
    server.run_until(supervisor.stop_flag());
    Err(Failure::stopped(Cause::Interrupt, Activity::Waiting))
}

/// The name of a file without its ending, or its path if that is taken.
fn name(path: &Path, games: &[OfferedGame]) -> String {
    let name = path.file_stem().map_or_else(|| "game".into(), |it| it.to_string_lossy());
    match games.iter().any(|it| it.name == name) {
        true => path.display().to_string(),
        false => name.into_owned(),
    }
}
