//! The games that are open: their rules, and how their states are drawn.

use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use groundfrog::{Description, ParseOptions, RoleId, Stop};
use groundfrog_check::{CheckOptions, CheckReport, json};
use groundfrog_languages::examine::check_any;
use groundfrog_player::strategy::StrategyError;
use groundfrog_reasoner::open::is_imperfect;
use groundfrog_reasoner::{Machine, OpenError, OpenLimits, Opened, State};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use web_time::Instant;

use super::answer::{GameRequest, Refusal};
use super::{OfferedGame, Shared, lock};
use crate::board::{DrawnState, Layout, Look, ShownMove};
use crate::referee::is_random;

/// Time to find out what a game looks like.
const LAYOUT: Duration = Duration::from_secs(3);
/// The least time for each step of rules with variables.
const STEP: Duration = Duration::from_millis(100);

/// A game that is open.
pub(super) struct OpenGame {
    pub(super) id: String,
    pub(super) title: String,
    /// Whether it is offered under its title.
    pub(super) is_offered: bool,
    pub(super) description: Arc<Description>,
    pub(super) roles: Vec<String>,
    /// Whether players perceive the state only in part.
    pub(super) imperfect: bool,
    /// How it is drawn, once somebody looks at it.
    layout: OnceLock<Layout>,
    /// Time to find that out.
    layout_time: Duration,
    look: Look,
    /// The fluents of the initial state.
    first: Vec<String>,
    /// Why the rules are interpreted, if they are.
    not_ground: Option<String>,
    memory: Option<u64>,
    rules: Mutex<Machine>,
}

impl OpenGame {
    /// Opens a game: its ground rules if there are any within the limits, or else its own.
    pub(super) fn open(
        id: String,
        (title, is_offered): (String, bool),
        description: Description,
        look: Look,
        end: Instant,
        limits: OpenLimits,
    ) -> Result<Self, Refusal> {
        let began = Instant::now();
        let left = end.saturating_duration_since(began);
        let limits = OpenLimits {
            // Where that is not enough, the rest is for the rules with variables.
            deadline: Some(began + left * 2 / 3),
            patience: Some(STEP.max(left / 3)),
            ..limits
        };
        let opened = Opened::new(&description, &limits).map_err(StrategyError::from);
        let opened = opened.map_err(|error| match error {
            StrategyError::Game(fault) => Refusal::fault(fault),
            error => Refusal::fault(format!(
                "the game can be neither ground nor interpreted within {:.0} s: {error}",
                began.elapsed().as_secs_f64()
            )),
        })?;
        let Opened { machine: rules, not_ground, .. } = opened;
        let first = rules.initial().clone();
        let first = rules.state_text(&first).unwrap_or_default();
        let roles = rules.role_ids().map(|it| rules.role_text(it)).collect();
        Ok(OpenGame {
            id,
            title,
            is_offered,
            imperfect: is_imperfect(&description),
            description: Arc::new(description),
            roles,
            layout: OnceLock::new(),
            layout_time: end.saturating_duration_since(Instant::now()).min(LAYOUT),
            look,
            first,
            not_ground: not_ground.map(|it| it.to_string()),
            memory: limits.memory,
            rules: Mutex::new(rules),
        })
    }

    /// How it is drawn: that is found out when it is asked for first, which takes seconds.
    fn layout(&self) -> &Layout {
        self.layout.get_or_init(|| {
            // Others ask the rules meanwhile.
            let mut machine = lock(&self.rules).clone();
            Layout::of_machine(&self.description, &mut machine, self.layout_time, &self.look)
        })
    }

    /// Whether it is known how the game is drawn.
    pub(super) fn is_laid_out(&self) -> bool {
        self.layout.get().is_some()
    }

    /// Finds out how the game is drawn.
    pub(super) fn lay_out(&self) {
        self.layout();
    }

    /// What the page gets at once.
    pub(super) fn outline(&self) -> Value {
        json!({
            "id": self.id,
            "title": self.title,
            "roles": self.roles,
            "players": self.players(),
            "imperfect": self.imperfect,
            "not_ground": self.not_ground,
        })
    }

    /// What the page gets with the boards, when these are known.
    pub(super) fn view(&self) -> Value {
        let layout = self.layout();
        let mut view = self.outline();
        view["boards"] = json!(layout.boards());
        view["look"] = json!(self.look);
        view["first"] = json!(self.draw(&self.first));
        view["first_row_below"] = json!(layout.first_row_below());
        view["most_clicks"] = json!(layout.most_clicks());
        view
    }

    /// What is known of it.
    pub(super) fn knowledge(&self) -> Value {
        json!({ "title": self.title, "known": self.layout().known() })
    }

    /// The roles that need a player.
    pub(super) fn players(&self) -> Vec<&str> {
        let needed = self.roles.iter().filter(|it| !is_random(it));
        needed.map(String::as_str).collect()
    }

    /// What evaluates the rules in a match: no evaluation takes longer than `patience`.
    pub(super) fn machine(
        &self,
        stop: Arc<dyn Stop>,
        patience: Duration,
    ) -> Result<Machine, OpenError> {
        if let Machine::Ground(reasoner) = &*lock(&self.rules) {
            return Ok(Machine::Ground(reasoner.clone()));
        }
        // They were not ground in time when the game was opened.
        let (memory, stop, patience) = (self.memory, Some(stop), Some(patience));
        let limits = OpenLimits { deadline: None, memory, stop, patience };
        Machine::interpreted(&self.description, &limits)
    }

    /// Where the fluents of a state are drawn.
    pub(super) fn draw(&self, fluents: &[String]) -> DrawnState {
        let layout = self.layout();
        DrawnState::new(layout, &mut **lock(&self.rules), fluents)
    }

    /// The legal moves by role in a state that is known as text; `None` if it is none of the game.
    pub(super) fn legal(&self, fluents: &[String]) -> Option<Vec<Vec<String>>> {
        let mut reasoner = lock(&self.rules);
        let found = fluents.iter().map(|it| reasoner.find_fluent(it)).collect::<Option<Vec<_>>>();
        let state = State::of(found?);
        let mut legal = Vec::new();
        let mut moves = Vec::new();
        for role in reasoner.role_ids() {
            reasoner.legal_moves(&state, role, &mut moves).ok()?;
            legal.push(moves.iter().map(|&it| reasoner.move_text(it)).collect());
        }
        Some(legal)
    }

    /// Moves of a role as the page gets them, in a state that is drawn.
    pub(super) fn moves(
        &self,
        role: usize,
        moves: &[String],
        state: &DrawnState,
    ) -> Vec<ShownMove> {
        let layout = self.layout();
        layout.shown(&mut **lock(&self.rules), RoleId(role as u32), moves, state)
    }

    /// Whether a move is made on a board.
    pub(super) fn is_on_board(&self, role: usize, action: &String) -> bool {
        let moves = self.moves(role, std::slice::from_ref(action), &DrawnState::default());
        moves.iter().any(|it| !it.clicks.is_empty() || it.edge.is_some())
    }
}

// The games of the page.

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
    let (memory, stop) = (Some(shared.memory_of_text()), Some(shared.bounds(&shared.stop)));
    let limits = OpenLimits { memory, stop, ..OpenLimits::default() };
    let id = shared.games().next_id();
    let named = (title.to_owned(), look.is_some());
    let look = look.unwrap_or_default();
    let game = OpenGame::open(id, named, description, look, end, limits).map_err(with_findings)?;
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
        let (memory, stop) = (Some(shared.options.memory), Some(shared.bounds(&shared.stop)));
        let limits = OpenLimits { memory, stop, ..OpenLimits::default() };
        let look = offered.read_look().unwrap_or_default();
        let named = (name.to_owned(), true);
        OpenGame::open(String::new(), named, description, look, end, limits).ok()
    };
    let view = Arc::new(open().map_or(Value::Null, |it| it.view()));
    lock(&shared.pictures.known).insert(name.to_owned(), (hash, Arc::clone(&view)));
    Ok(view)
}
