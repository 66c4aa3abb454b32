//! The games of the page.

use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use web_time::Instant;

use groundfrog::{Description, ParseOptions};
use groundfrog_check::{CheckOptions, CheckReport, json};
use groundfrog_languages::examine::check_any;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::answer::Refusal;
use super::game::{OpenGame, OpenLimits};
use super::requests::GameRequest;
use super::{OfferedGame, Shared, lock};
use crate::board::Look;

/// How many games are kept open; those that were requested longest ago go first. Matches keep theirs.
const MOST_OPEN: usize = 24;
/// Characters of a title.
const LONGEST_TITLE: usize = 80;
/// Time to check a text of which nothing is left otherwise.
const LEAST_CHECK: Duration = Duration::from_millis(100);

/// The seed of the matches that a check glances at: that of the command line.
const GLANCE_SEED: u64 = 0;
/// Who has opened a game begins a match within this time: so long one that is offered stays open where memory is short.
const JUST_OPENED: Duration = Duration::from_secs(1);

/// The games that are open, those requested last in the end.
#[derive(Default)]
pub(super) struct Games {
    open: VecDeque<Open>,
    last: u64,
}

/// A game that is open.
struct Open {
    /// Its name and text.
    key: String,
    game: Arc<OpenGame>,
    /// When it was requested last.
    requested: Instant,
}

impl Games {
    /// A game that is open, by its number.
    pub(super) fn get(&mut self, id: &str) -> Result<Arc<OpenGame>, Refusal> {
        self.find(|open| open.game.id == id)
            .ok_or_else(|| Refusal::missing("this game is no longer open: choose it again"))
    }

    /// A game that is open, by its name and text.
    fn known(&mut self, key: &str) -> Option<Arc<OpenGame>> {
        self.find(|open| open.key == key)
    }

    fn find(&mut self, is_it: impl Fn(&Open) -> bool) -> Option<Arc<OpenGame>> {
        let found = self.open.remove(self.open.iter().position(is_it)?)?;
        let game = Arc::clone(&found.game);
        self.open.push_back(Open { requested: Instant::now(), ..found });
        Some(game)
    }

    /// Closes all but those that are offered and were requested just now; matches keep theirs.
    pub(super) fn forget(&mut self) {
        self.open.retain(|open| open.game.is_offered && open.requested.elapsed() < JUST_OPENED);
    }

    fn next_id(&mut self) -> String {
        self.last += 1;
        format!("g{}", self.last)
    }

    fn add(&mut self, key: String, game: &Arc<OpenGame>) {
        self.open.push_back(Open { key, game: Arc::clone(game), requested: Instant::now() });
        while self.open.len() > MOST_OPEN {
            self.open.pop_front();
        }
    }
}

/// The games that are offered.
pub(super) fn offered(games: &[OfferedGame]) -> Value {
    let one =
        |it: &OfferedGame| json!({ "name": it.name, "summary": it.summary, "given": it.given });
    games.iter().map(one).collect()
}

/// Opens a game, unless it is open.
pub(super) fn open(shared: &Shared, request: &GameRequest) -> Result<Arc<OpenGame>, Refusal> {
    match request {
        GameRequest::Offered { name } => {
            let found = shared.options.games.iter().find(|it| it.name == *name);
            let offered = found
                .ok_or_else(|| Refusal::missing(format!("there is no game called `{name}`")))?;
            let text = offered.text.read().map_err(Refusal::fault)?;
            let look = offered.read_look().map_err(Refusal::fault)?;
            let opened = open_text(shared, &offered.name, Some(look), &text);
            opened.map_err(|it| it.with_text(&text))
        }
        GameRequest::Text { text, title } => {
            let title = groundfrog_player::PeerText::within(title.trim(), LONGEST_TITLE);
            let title = if title.is_empty() { "pasted rules" } else { &title };
            open_text(shared, title, None, text.as_bytes())
        }
    }
}

/// Opens the game that a text describes; that of a game which is offered under that title has a look.
pub(super) fn open_text(
    shared: &Shared,
    title: &str,
    look: Option<Look>,
    text: &[u8],
) -> Result<Arc<OpenGame>, Refusal> {
    let key = format!("{title}\n{look:?}\n{}", String::from_utf8_lossy(text));
    if let Some(game) = shared.games().known(&key) {
        return Ok(game);
    }
    shared.check_memory()?;
    // One deadline for all: reading, grounding, drawing, and the check of what is refused.
    let end = Instant::now() + shared.options.open_time;
    let parse =
        ParseOptions { name: title.to_owned(), deadline: Some(end), ..ParseOptions::default() };
    let with_findings =
        |refusal: Refusal| refusal.with_findings(findings(&check(shared, title, text, end)));
    let description = Description::parse(text, &parse)
        .map_err(|error| with_findings(Refusal::fault(error.by_language().to_string())))?;
    let stop = shared.bounds(&shared.stop);
    let limits = OpenLimits { end, memory: shared.memory_of_text(), stop };
    let id = shared.games().next_id();
    let named = (title.to_owned(), look.is_some());
    let look = look.unwrap_or_default();
    let game = OpenGame::open(id, named, description, look, &limits).map_err(with_findings)?;
    let game = Arc::new(game);
    shared.games().add(key, &game);
    Ok(game)
}

/// A game that is open; where it is offered and its text has changed, as it is now.
pub(super) fn reopen(shared: &Shared, game: Arc<OpenGame>) -> Result<Arc<OpenGame>, Refusal> {
    match game.is_offered {
        true => open(shared, &GameRequest::Offered { name: game.title.clone() }),
        false => Ok(game),
    }
}

/// Checks a text until a moment.
pub(super) fn check(shared: &Shared, title: &str, text: &[u8], end: Instant) -> CheckReport {
    let left = end.saturating_duration_since(Instant::now()).max(LEAST_CHECK);
    let deadline = Some(Instant::now() + left);
    let parse = ParseOptions { name: title.to_owned(), deadline, ..ParseOptions::default() };
    let mut options = CheckOptions::default();
    options.limits.time = Some(options.limits.time.map_or(left, |it| it.min(left)));
    options.limits.stop = Some(shared.bounds(&shared.stop));
    options.limits.memory = Some(shared.memory_of_text());
    check_any(text, &parse, &options, GLANCE_SEED)
}

/// What a check found, as JSON.
pub(super) fn findings(report: &CheckReport) -> Value {
    let mut text = Vec::new();
    let written = json::write(std::slice::from_ref(report), &mut text);
    let all: Option<Value> = written.ok().and_then(|()| serde_json::from_slice(&text).ok());
    all.map_or(Value::Null, |mut it| it["files"][0].take())
}

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
