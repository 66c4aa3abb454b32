//! Small pictures of the first states of the games that are offered.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use groundfrog::{Description, ParseOptions};
use serde_json::Value;
use tokio::sync::Semaphore;

use super::answer::Refusal;
use super::game::{OpenGame, OpenLimits};
use super::{Shared, lock};

/// Time for one.
const TIME: Duration = Duration::from_secs(3);

/// Pictures that are known.
pub(super) struct Pictures {
    /// By the name of the game: the hash of its text, and the game as the page gets it; nothing where it cannot be shown.
    known: Mutex<HashMap<String, (u64, Arc<Value>)>>,
    pub(super) turn: Arc<Semaphore>,
}

impl Default for Pictures {
    fn default() -> Self {
        Pictures { known: Mutex::default(), turn: Arc::new(Semaphore::new(1)) }
    }
}

/// The game of that name as the page gets it.
pub(super) fn picture(shared: &Shared, name: &str) -> Result<Arc<Value>, Refusal> {
    let offered = shared.options.games.iter().find(|it| it.name == name);
    let offered =
        offered.ok_or_else(|| Refusal::missing(format!("there is no game called `{name}`")))?;
    let text = offered.text.read().map_err(Refusal::fault)?;
    let hash = fxhash::FxBuildHasher.hash_one(&text);
    if let Some((_, known)) = lock(&shared.pictures.known).get(name).filter(|it| it.0 == hash) {
        return Ok(Arc::clone(known));
    }
    shared.check_memory()?;
    let end = Instant::now() + TIME.min(shared.options.open_time);
    let parse =
        ParseOptions { name: name.to_owned(), deadline: Some(end), ..ParseOptions::default() };
    let open = || {
        let description = Description::parse(&text, &parse).ok()?;
        let stop = shared.bounds(&shared.stop);
        let limits = OpenLimits { end, memory: shared.options.memory, stop };
        let look = offered.read_look().unwrap_or_default();
        OpenGame::open(String::new(), (name.to_owned(), true), description, look, &limits).ok()
    };
    let view = Arc::new(open().map_or(Value::Null, |it| it.view()));
    lock(&shared.pictures.known).insert(name.to_owned(), (hash, Arc::clone(&view)));
    Ok(view)
}
