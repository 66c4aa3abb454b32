//! `groundfrog player`.

mod log_file;

use std::net::SocketAddr;

use groundfrog_player::memory::ProcessMemory;
use groundfrog_player::server::{PlayerServer, ServerOptions, StrategySource};

use super::Session;
use crate::arguments::PlayerArguments;
use crate::failure::Failure;
use crate::interruption;
use crate::memory;
use log_file::LogFile;

/// Plays for game servers until it is interrupted, which is how it ends: no error.
pub(crate) fn work(arguments: &PlayerArguments, session: &Session) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    let strength = &arguments.strength;
    memory::check_players(arguments.matches, strength.threads)?;
    // Dropped after the server: what was answered is written.
    let log = arguments.log.as_deref().map(LogFile::open).transpose()?;
    let options = ServerOptions {
        name: arguments.name.clone(),
        strategy: StrategySource::Kind(arguments.strategy),
        matches: arguments.matches,
        threads: strength.threads,
        memory: strength.max_memory.0,
        process: ProcessMemory::watched(strength.max_memory.0, memory::in_use),
        seed: strength.seed,
        opponents: strength.opponents.clone(),
        most_bytes: arguments.max_message.0,
        allowed_origins: arguments.allowed_origins.clone(),
        log: log.as_ref().map(LogFile::taker),
    };
    let address = SocketAddr::new(arguments.listen, arguments.port);
    let server =
        PlayerServer::start(address, options).map_err(|source| Failure::listen(address, source))?;
    let (name, strategy, address) = (&arguments.name, arguments.strategy, server.address());
    interruption::raise_then_end(supervisor.stop_flag());
    if !session.announce(&format!("{name} ({strategy}) listens on http://{address}"))? {
        return Ok(());
    }
    supervisor.take_last_word();
    server.run_until(supervisor.stop_flag());
    Ok(())
}
