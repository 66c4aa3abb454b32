//! `groundfrog player`.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use groundfrog_player::server::{Log, LogEntry, PlayerServer, ServerOptions, StrategySource};

use super::conclude;
use crate::arguments::PlayerArguments;
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::{Cause, Failure};
use crate::interruption;
use crate::progress::Activity;
use crate::supervisor::Supervisor;

/// Plays for game servers until it is interrupted.
pub(crate) fn run(arguments: &PlayerArguments) -> Exit {
    let mut supervisor = Supervisor::new(None, None, false);
    let result = work(arguments, &supervisor);
    supervisor.finish();
    conclude(&result, &Reporter::new(false))
}

fn work(arguments: &PlayerArguments, supervisor: &Supervisor) -> Result<(), Failure> {
    let strength = &arguments.strength;
    let options = ServerOptions {
        name: arguments.name.clone(),
        strategy: StrategySource::Kind(arguments.strategy),
        matches: arguments.matches,
        threads: strength.threads,
        memory: strength.max_memory.0,
        seed: strength.seed,
        opponents: strength.opponents.clone(),
        log: arguments.log.as_deref().map(log).transpose()?,
        ..ServerOptions::default()
    };
    let address = SocketAddr::new(arguments.listen, arguments.port);
    let server = PlayerServer::start(address, options)
        .map_err(|source| Failure::Io { what: format!("cannot listen on {address}"), source })?;
    let (name, strategy, address) = (&arguments.name, arguments.strategy, server.address());
    interruption::raise_on_signal(supervisor.stop_flag());
    Destination::Stdout.write(supervisor, |out| {
        writeln!(out, "{name} ({strategy}) listens on http://{address}")
    })?;
    server.run_until(supervisor.stop_flag());
    Err(Failure::stopped(Cause::Interrupt, Activity::Waiting))
}

/// Appends entries to a file.
fn log(path: &Path) -> Result<Log, Failure> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    let file: File = file.map_err(|source| Failure::io("cannot write to", path, source))?;
    let file = Mutex::new(file);
    Ok(Arc::new(move |entry: &LogEntry| {
        if let Ok(mut line) = serde_json::to_vec(entry) {
            line.push(b'\n');
            // A full disk is no reason to lose a match.
            let _ = file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line);
        }
    }))
}
