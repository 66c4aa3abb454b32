//! A game that is open: its rules, and how its states are drawn.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use groundfrog::{Description, GroundError, GroundOptions, Limits, RoleId, Silent, Stop, ground};
use groundfrog_reasoner::{GroundReasoner, InterpretedReasoner, Reasoner};
use serde_json::{Value, json};

use super::answer::Refusal;
use super::lock;
use crate::board::{Board, Click, Layout, Place};
use crate::machine::{Machine, MachineLimits, interpreted, is_imperfect};
use crate::strategy::StrategyError;

/// Time for each step of rules with variables, where only the layout needs it.
const STEP: Duration = Duration::from_secs(2);

/// What opening a game may use.
#[derive(Clone, Debug)]
pub(super) struct OpenLimits {
    pub(super) time: Duration,
    pub(super) memory: u64,
    pub(super) stop: Arc<dyn Stop>,
}

/// The rules of a game.
enum Rules {
    Ground(Box<GroundReasoner>),
    Interpreted(Box<InterpretedReasoner>),
}

impl Rules {
    fn reasoner(&mut self) -> &mut dyn Reasoner {
        match self {
            Rules::Ground(it) => &mut **it,
            Rules::Interpreted(it) => &mut **it,
        }
    }
}

/// A game that is open.
pub(super) struct OpenGame {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) description: Arc<Description>,
    pub(super) roles: Vec<String>,
    /// Whether players perceive the state only in part.
    pub(super) imperfect: bool,
    boards: Vec<Board>,
    layout: Layout,
    /// Why the rules are interpreted, if they are.
    not_ground: Option<String>,
    memory: u64,
    rules: Mutex<Rules>,
}

/// Where the facts of a state are drawn.
pub(super) struct Drawing {
    /// Board, column, row and content.
    pub(super) cells: Vec<(usize, usize, usize, String)>,
    /// What is on no board.
    pub(super) facts: Vec<String>,
}

impl OpenGame {
    /// Opens a game: its ground rules if there are any within the limits, or else its own.
    pub(super) fn open(
        id: String,
        title: String,
        description: Description,
        limits: &OpenLimits,
    ) -> Result<Self, Refusal> {
        let (mut rules, not_ground) = rules(&description, limits)?;
        let (fluents, moves) = match &rules {
            Rules::Ground(it) => (it.game().fluents().len(), it.game().moves().len()),
            Rules::Interpreted(_) => (0, 0),
        };
        let layout = Layout::new(&description, rules.reasoner(), fluents, moves);
        let reasoner = rules.reasoner();
        let roles = reasoner.role_ids().map(|it| reasoner.role_text(it)).collect();
        Ok(OpenGame {
            id,
            title,
            imperfect: is_imperfect(&description),
            description: Arc::new(description),
            roles,
            boards: layout.boards().to_vec(),
            layout,
            not_ground,
            memory: limits.memory,
            rules: Mutex::new(rules),
        })
    }

    /// What the page is told.
    pub(super) fn view(&self) -> Value {
        json!({
            "id": self.id,
            "title": self.title,
            "roles": self.roles,
            "players": self.players(),
            "imperfect": self.imperfect,
            "boards": self.boards,
            "most_clicks": self.layout.most_clicks(),
            "not_ground": self.not_ground,
        })
    }

    /// The roles that need a player.
    pub(super) fn players(&self) -> Vec<&str> {
        let needed = self.roles.iter().filter(|it| !it.eq_ignore_ascii_case("random"));
        needed.map(String::as_str).collect()
    }

    /// What evaluates the rules in a match.
    pub(super) fn machine(&self, stop: Arc<dyn Stop>) -> Result<Machine, StrategyError> {
        if let Rules::Ground(reasoner) = &*lock(&self.rules) {
            return Ok(reasoner.clone());
        }
        let limits = MachineLimits { deadline: None, memory: Some(self.memory), stop: Some(stop) };
        interpreted(&self.description, &limits)
    }

    /// Where the fluents of a state are drawn.
    pub(super) fn draw(&self, fluents: &[String]) -> Drawing {
        let mut rules = lock(&self.rules);
        let reasoner = rules.reasoner();
        let mut drawing = Drawing { cells: Vec::new(), facts: Vec::new() };
        for text in fluents {
            let found = reasoner.find_fluent(text);
            let place = found.map(|it| {
                let term = reasoner.fluent(it);
                self.layout.place(&term, reasoner.symbols())
            });
            match place {
                Some(Place::Cell { board, column, row, content }) => {
                    drawing.cells.push((board, column, row, content));
                }
                Some(Place::Fact) | None => drawing.facts.push(text.clone()),
            }
        }
        drawing
    }

    /// The clicks of moves of a role.
    pub(super) fn clicks(&self, role: usize, moves: &[String]) -> Vec<Vec<Click>> {
        let mut rules = lock(&self.rules);
        let reasoner = rules.reasoner();
        let clicks = |text: &String| {
            let found = reasoner.find_move(RoleId(role as u32), text)?;
            let (_, action) = reasoner.move_term(found);
            Some(self.layout.clicks(&action, reasoner.symbols()))
        };
        moves.iter().map(clicks).map(Option::unwrap_or_default).collect()
    }
}

/// The ground rules, or the rules with variables and why.
fn rules(
    description: &Description,
    limits: &OpenLimits,
) -> Result<(Rules, Option<String>), Refusal> {
    let began = Instant::now();
    let allowed = Limits {
        time: Some(limits.time),
        memory: Some(limits.memory),
        stop: Some(Arc::clone(&limits.stop)),
        ..Limits::default()
    };
    let options = GroundOptions { limits: allowed.clone(), ..GroundOptions::compact() };
    let reason = match ground(description, &options, &mut Silent) {
        Ok(grounding) => match GroundReasoner::new(grounding.game) {
            Ok(reasoner) => return Ok((Rules::Ground(Box::new(reasoner)), None)),
            Err(error) => error.to_string(),
        },
        Err(error @ (GroundError::Limit { .. } | GroundError::Unbounded(_))) => error.to_string(),
        Err(fault) => return Err(Refusal::fault(fault.to_string())),
    };
    let allowed = Limits { time: Some(STEP.max(limits.time / 2)), ..allowed };
    match InterpretedReasoner::new(description, allowed) {
        Ok(reasoner) => Ok((Rules::Interpreted(Box::new(reasoner)), Some(reason))),
        Err(error) => Err(Refusal::fault(format!(
            "the game can be neither ground nor interpreted within {:.0} s: {error}",
            began.elapsed().as_secs_f64()
        ))),
    }
}
