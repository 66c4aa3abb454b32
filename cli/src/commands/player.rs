//! `groundfrog player`.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use groundfrog::visible::visible_json;
use groundfrog_player::memory::ProcessMemory;
use groundfrog_player::server::{LogEntry, LogTaker, PlayerServer, ServerOptions, StrategySource};

use super::Session;
use crate::arguments::PlayerArguments;
use crate::destination::Destination;
use crate::failure::Failure;
use crate::memory;
use crate::supervisor::raise_then_end;

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
    raise_then_end(supervisor.stop_flag());
    if !session.announce(&format!("{name} ({strategy}) listens on http://{address}"))? {
        return Ok(());
    }
    supervisor.take_last_word();
    server.run_until(supervisor.stop_flag());
    Ok(())
}

// The log of a player: a line of JSON for each message.  A thread writes it, so that a reader that stalls keeps nobody waiting: lines that there is no room for are dropped, and a line says how many.

/// Lines that may wait to be written.
const WAITING: usize = 1000;
/// How long what is waiting in the end may take.
const LAST: Duration = Duration::from_millis(100);

/// A file that entries are appended to.
struct LogFile {
    lines: Option<SyncSender<Vec<u8>>>,
    dropped: Arc<AtomicU64>,
    /// Hears when all is written.
    done: Receiver<()>,
}

impl LogFile {
    /// Opens or creates it. What is no regular file is opened by the thread, as that may wait for a reader.
    fn open(path: &Path) -> Result<Self, Failure> {
        let fail = |source| Failure::io("cannot write to", path, source);
        let destination = Destination::new(Some(path))?;
        let file = match &destination {
            Destination::Regular(path) => {
                Some(OpenOptions::new().create(true).append(true).open(path).map_err(fail)?)
            }
            Destination::Stdout | Destination::Other(_) => None,
        };
        let (lines, waiting) = sync_channel(WAITING);
        let (end, done) = channel();
        let dropped: Arc<AtomicU64> = Arc::default();
        let (path, lost) = (path.to_owned(), Arc::clone(&dropped));
        let builder = thread::Builder::new().name("log".to_owned());
        builder.spawn(move || write(file, path, &waiting, &lost, &end)).map_err(fail)?;
        Ok(LogFile { lines: Some(lines), dropped, done })
    }

    /// Takes entries, at once.
    fn taker(&self) -> LogTaker {
        let (lines, dropped) = (self.lines.clone(), Arc::clone(&self.dropped));
        Arc::new(move |entry: &LogEntry| {
            let Ok(line) = serde_json::to_string(entry) else { return };
            let line = format!("{}\n", visible_json(&line)).into_bytes();
            if lines.as_ref().is_none_or(|it| it.try_send(line).is_err()) {
                dropped.fetch_add(1, Ordering::Relaxed);
            }
        })
    }
}

impl Drop for LogFile {
    fn drop(&mut self) {
        self.lines = None;
        let _ = self.done.recv_timeout(LAST);
    }
}

fn write(
    file: Option<File>,
    path: PathBuf,
    waiting: &Receiver<Vec<u8>>,
    dropped: &AtomicU64,
    _end: &Sender<()>,
) {
    let file = file.map_or_else(|| OpenOptions::new().append(true).open(path), Ok);
    let Ok(mut file) = file else { return };
    while let Ok(line) = waiting.recv() {
        // A full disk is no reason to lose a match.
        let _ = file.write_all(&line);
        let lost = dropped.swap(0, Ordering::Relaxed);
        if lost > 0 {
            let _ = writeln!(file, "{{\"event\":\"dropped\",\"lines\":{lost}}}");
        }
    }
}
