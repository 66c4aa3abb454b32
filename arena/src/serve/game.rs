//! A game that is open: its rules, and how its states are drawn.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use web_time::Instant;

use groundfrog::description::Term;
use groundfrog::{Description, RoleId, Stop};
use groundfrog_reasoner::State;
use serde_json::{Value, json};

use super::answer::Refusal;
use super::lock;
use crate::board::{Click, DrawnState, Edge, Layout, Look, MoveWords};
use crate::referee::is_random;
use groundfrog_player::machine::{
    Machine, MachineLimits, interpreted, is_imperfect, machine_telling,
};
use groundfrog_player::strategy::StrategyError;

/// Time to find out what a game looks like.
const LAYOUT: Duration = Duration::from_secs(3);
/// The least time for each step of rules with variables.
const STEP: Duration = Duration::from_millis(100);

/// What opening a game may use.
#[derive(Clone, Debug)]
pub(super) struct OpenLimits {
    pub(super) end: Instant,
    pub(super) memory: u64,
    pub(super) stop: Arc<dyn Stop>,
}

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
    memory: u64,
    rules: Mutex<Machine>,
}

impl OpenGame {
    /// Opens a game: its ground rules if there are any within the limits, or else its own.
    pub(super) fn open(
        id: String,
        (title, is_offered): (String, bool),
        description: Description,
        look: Look,
        limits: &OpenLimits,
    ) -> Result<Self, Refusal> {
        let opening = Arc::new(Opening {
            until: Mutex::new(Some(limits.end)),
            stop: Arc::clone(&limits.stop),
        });
        let began = Instant::now();
        let left = limits.end.saturating_duration_since(began);
        let allowed = MachineLimits {
            // Where that is not enough, the rest is for the rules with variables.
            deadline: Some(began + left * 2 / 3),
            memory: Some(limits.memory),
            stop: Some(Arc::clone(&opening) as _),
            patience: Some(STEP.max(left / 3)),
        };
        let rules = machine_telling(&description, &allowed);
        let (rules, not_ground) = rules.map_err(|error| match error {
            StrategyError::Game(fault) => Refusal::fault(fault),
            error => Refusal::fault(format!(
                "the game can be neither ground nor interpreted within {:.0} s: {error}",
                began.elapsed().as_secs_f64()
            )),
        })?;
        opening.is_done();
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
            layout_time: limits.end.saturating_duration_since(Instant::now()).min(LAYOUT),
            look,
            first,
            not_ground,
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
    ) -> Result<Machine, StrategyError> {
        if let Machine::Ground(reasoner) = &*lock(&self.rules) {
            return Ok(Machine::Ground(reasoner.clone()));
        }
        // They were not ground in time when the game was opened.
        let (memory, stop, patience) = (Some(self.memory), Some(stop), Some(patience));
        interpreted(&self.description, &MachineLimits { deadline: None, memory, stop, patience })
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
        let mut reasoner = lock(&self.rules);
        let find = |text: &String| {
            let found = reasoner.find_move(RoleId(role as u32), text)?;
            Some(reasoner.move_term(found).1)
        };
        let terms: Vec<_> = moves.iter().map(find).collect();
        let symbols = reasoner.symbols();
        let held = |click: &Click| {
            let here = |cell: &&(usize, usize, usize, String)| {
                cell.0 == click.board && Some(cell.1) == click.column && Some(cell.2) == click.row
            };
            state.cells.iter().find(here).map(|it| it.3.clone())
        };
        let mut words = layout.words(terms.iter().flatten(), symbols, held).into_iter();
        let shown = |(text, term): (&String, &Option<Term>)| {
            let edge = term.as_ref().and_then(|it| layout.edge(it, symbols));
            // A line is clicked itself.
            let placed = term.as_ref().filter(|_| edge.is_none());
            let clicks = placed.map_or_else(Vec::new, |it| layout.clicks(it, symbols));
            let words = term.as_ref().and_then(|_| words.next().flatten());
            ShownMove { text: text.clone(), clicks, edge, words }
        };
        moves.iter().zip(&terms).map(shown).collect()
    }

    /// Whether a move is made on a board.
    pub(super) fn is_on_board(&self, role: usize, action: &String) -> bool {
        let moves = self.moves(role, std::slice::from_ref(action), &DrawnState::default());
        moves.iter().any(|it| !it.clicks.is_empty() || it.edge.is_some())
    }
}

/// A move as the page gets it.
#[derive(serde::Serialize)]
pub(super) struct ShownMove {
    #[serde(rename = "move")]
    pub(super) text: String,
    /// The clicks that make it.
    pub(super) clicks: Vec<Click>,
    /// The line that it draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    edge: Option<Edge>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) words: Option<MoveWords>,
}

/// Stops rules with variables when opening their game has to be done.
#[derive(Debug)]
struct Opening {
    /// `None` once it is.
    until: Mutex<Option<Instant>>,
    stop: Arc<dyn Stop>,
}

impl Opening {
    fn is_done(&self) {
        *lock(&self.until) = None;
    }
}

impl Stop for Opening {
    fn is_raised(&self) -> bool {
        self.stop.is_raised() || lock(&self.until).is_some_and(|it| Instant::now() >= it)
    }

    fn shortage(&self, bytes: u64, since: Instant) -> Option<(u64, u64)> {
        self.stop.shortage(bytes, since)
    }

    fn is_tight(&self) -> bool {
        self.stop.is_tight()
    }
}
