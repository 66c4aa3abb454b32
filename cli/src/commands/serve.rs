//! `groundfrog serve`.

use std::borrow::Cow;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use groundfrog::visible::visible_path;
use groundfrog_arena::serve::{GameText, OfferedGame, PageOptions, PageServer};
use groundfrog_corpus::Outcome;
use groundfrog_player::memory::ProcessMemory;

use super::Session;
use crate::arguments::ServeArguments;
use crate::failure::Failure;
use crate::memory;
use crate::source;
use crate::supervisor::{Supervisor, raise_then_end};

/// Shows the page until it is interrupted, which is how it ends: no error.
pub(crate) fn work(arguments: &ServeArguments, session: &Session) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    let Some(memory) = arguments.max_memory.0 else {
        let message = "--max-memory none: the page needs a limit, such as 4GiB";
        return Err(Failure::Usage(message.to_owned()));
    };
    // A folder that is not there yet is waited for.
    if let Some(folder) = arguments.watch.as_deref().filter(|it| it.exists() && !it.is_dir()) {
        return Err(Failure::Usage(format!("--watch `{}` is no folder", visible_path(folder))));
    }
    raise_then_end(supervisor.stop_flag());
    let reading = Supervisor::before_match(supervisor.stop_flag(), Some(memory));
    let mut games = Vec::new();
    for path in source::games(&arguments.games)? {
        let (_, text) = source::read(&path, &reading)?;
        let name = name(&path, &games);
        let summary = summary(&text);
        let hints = path.with_extension("look.toml");
        let look = hints.exists().then(|| GameText::Read(Arc::new(move || read(&hints))));
        let text = match path == Path::new("-") {
            true => GameText::Fixed(Cow::Owned(text)),
            false => GameText::Read(Arc::new(move || read(&path))),
        };
        games.push(OfferedGame { name, summary, text, look, given: true });
    }
    reading.take_last_word();
    let own = groundfrog_corpus::games().iter().filter(|it| it.expect == Outcome::Groundable);
    for game in own {
        if !games.iter().any(|it| it.name == game.name) {
            games.push(OfferedGame {
                name: game.name.to_owned(),
                summary: game.summary.to_owned(),
                text: GameText::Fixed(Cow::Borrowed(game.text.as_bytes())),
                look: None,
                given: false,
            });
        }
    }
    let is_open = !arguments.listen.is_loopback();
    let token = match &arguments.token {
        None if is_open => Some(drawn_token()?),
        given => given.clone(),
    };
    let is_limited = is_open || !arguments.remote_players.is_empty();
    let remote_players = is_limited.then(|| arguments.remote_players.clone());
    let options = PageOptions {
        games,
        watch: arguments.watch.clone(),
        hosts: arguments.hosts.clone(),
        token: token.clone(),
        remote_players,
        most_bytes: arguments.max_message.0,
        open_time: arguments.time_limit.0,
        memory,
        process: ProcessMemory::watched(Some(memory), memory::in_use),
        threads: memory::threads(arguments.threads, 0)?,
        seed: arguments.seed,
        ..PageOptions::default()
    };
    let address = SocketAddr::new(arguments.listen, arguments.port);
    let server =
        PageServer::start(address, options).map_err(|source| Failure::listen(address, source))?;
    let address = server.address();
    let entry = token.map_or_else(String::new, |it| format!("/?token={it}"));
    if !session.announce(&format!("the board is on http://{address}{entry}"))? {
        return Ok(());
    }
    if is_open {
        session.reporter.always(
            "warning: other machines can reach this page: whoever has the token can play and paste rules, and nothing is encrypted\n",
        );
    }
    supervisor.take_last_word();
    server.run_until(supervisor.stop_flag());
    Ok(())
}

/// What is in a file now.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let supervisor = Supervisor::new(None, None, false);
    source::read(path, &supervisor).map(|it| it.1).map_err(|it| it.to_string())
}

/// 128 bits that nobody can guess.
fn drawn_token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Failure::Io {
        what: "cannot draw a token: give one with --token".to_owned(),
        source: error.into(),
    })?;
    Ok(bytes.iter().map(|it| format!("{it:02x}")).collect())
}

/// What the first comments of a description say of it: a sentence or two.
fn summary(text: &[u8]) -> String {
    const MOST: usize = 120;
    let text = String::from_utf8_lossy(&text[..text.len().min(4096)]);
    let lines = text.lines().map(str::trim).take_while(|it| it.is_empty() || it.starts_with(';'));
    let words = lines.map(|it| it.trim_start_matches([';', ' ', '*', '-', '=', '#', '/']));
    let is_told = |word: &&str| {
        word.split_whitespace().count() > 3 && !word.to_ascii_lowercase().contains("copyright")
    };
    let told = words.filter(is_told).collect::<Vec<_>>().join(" ");
    match told.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", told[..end].trim_end()),
        None => told,
    }
}

/// The name of a file without its ending, or its path if that is taken.
fn name(path: &Path, games: &[OfferedGame]) -> String {
    let name = path.file_stem().map_or_else(|| "game".into(), |it| it.to_string_lossy());
    match games.iter().any(|it| it.name == name) {
        true => path.to_string_lossy().into_owned(),
        false => name.into_owned(),
    }
}
