//! Well-formedness of a game, by exploring its states or by random matches.
//!
//! [`explore`] visits every state that can be reached, breadth first, on the reasoner over ground rules, and
//! decides (Love et al. 2008; Schiffel & Thielscher 2014):
//!
//! * *termination*: no match goes on for ever, that is, the graph of states has no cycle;
//! * *playability*: in each state that is not terminal each role has a legal move;
//! * *utility*: in each terminal state each role has exactly one goal value;
//! * *weak winnability*: each role has a way to a terminal state where its goal is 100, if all others help.
//!
//! Where a limit ends the search, what was not decided by then is [`Verdict::Undecided`]. [`sample`] looks
//! for violations in games too large for that.

mod cycle;
mod expand;
mod findings;
mod path;
mod sample;
mod states;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::game::RoleId;
use crate::reasoner::{GroundReasoner, MoveId, Reasoner};
use expand::{Expander, Outcome};
use path::Paths;
use states::States;

pub use findings::findings;
pub use sample::{SampleOptions, sample};

/// What an exploration may use.
#[derive(Clone, Debug)]
pub struct ExploreOptions {
    /// States.
    pub states: u64,
    /// Bytes for states.
    pub memory: u64,
    /// Time.
    pub time: Option<Duration>,
    /// Raised from outside to stop.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Default for ExploreOptions {
    /// Ten million states, 1 GiB, one minute.
    fn default() -> Self {
        let time = Some(Duration::from_secs(60));
        ExploreOptions { states: 10_000_000, memory: 1 << 30, time, stop: None }
    }
}

/// How an exploration goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// States expanded.
    pub expanded: u64,
    /// States known.
    pub known: u64,
    /// Joint moves from the initial state to the one at hand.
    pub depth: u32,
}

/// A way through the states of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// The moves from the initial state, each with one move for each role.
    pub moves: Vec<Vec<String>>,
    /// The fluents of the state that they lead to.
    pub state: Vec<String>,
    /// The moves from that state back to it, where the witness is a cycle.
    pub cycle: Vec<Vec<String>>,
    /// What is special about the state, such as the role that has no move.
    pub remark: String,
}

/// Whether a property holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does; winnability is shown by a shortest way to win.
    Holds(Option<Box<Witness>>),
    /// It does not; most properties are refuted by a state.
    Fails(Option<Box<Witness>>),
    /// Not found out within the limits.
    Undecided,
}

impl Verdict {
    /// `yes`, `no` or `undecided`.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Holds(_) => "yes",
            Verdict::Fails(_) => "no",
            Verdict::Undecided => "undecided",
        }
    }
}

/// What was found out about the states of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Exploration {
    /// States that can be reached, play ending at terminal ones; a lower bound if not complete.
    pub states: u64,
    /// How many of them were looked at: all, if complete.
    pub visited: u64,
    /// How many of those are terminal.
    pub terminal_states: u64,
    /// Joint moves out of all states looked at.
    pub joint_moves: u64,
    /// The most joint moves out of one state.
    pub max_branching: u64,
    /// The most moves that it takes to reach a state by a shortest way; or the longest match met, if
    /// matches were played.
    pub depth: u32,
    /// Matches played at random, if states were not explored.
    pub playouts: Option<u64>,
    /// Why the search ended early; `None` if all states were visited.
    pub limit: Option<String>,
    /// Whether every match ends.
    pub termination: Verdict,
    /// Whether each role has a move wherever the match goes on.
    pub playability: Verdict,
    /// Whether each role has one goal value wherever the match is over.
    pub utility: Verdict,
    /// By role: its name, and whether it can win.
    pub winnable: Vec<(String, Verdict)>,
    /// Bytes used for each state.
    pub bytes_per_state: f64,
}

impl Exploration {
    /// Joint moves out of a state that is not terminal, on average.
    pub fn branching(&self) -> f64 {
        let expanded = self.visited.saturating_sub(self.terminal_states);
        if expanded == 0 { 0.0 } else { self.joint_moves as f64 / expanded as f64 }
    }
}

/// The roles whose goals matter: all but `random`, which in GDL-II plays without a goal.
fn players(reasoner: &GroundReasoner) -> Vec<RoleId> {
    reasoner.role_ids().filter(|&it| reasoner.role_text(it) != "random").collect()
}

/// The deadline and the limits of one search.
struct Watch<'a> {
    options: &'a ExploreOptions,
    deadline: Option<Instant>,
    ticks: u32,
}

impl<'a> Watch<'a> {
    fn new(options: &'a ExploreOptions) -> Self {
        let deadline = options.time.and_then(|time| Instant::now().checked_add(time));
        Watch { options, deadline, ticks: 0 }
    }

    /// Why to stop, if time is up. Looks at the clock once in a while.
    fn tick(&mut self) -> Option<String> {
        self.ticks = self.ticks.wrapping_add(1);
        if !self.ticks.is_multiple_of(1024) {
            return None;
        }
        if self.options.stop.as_ref().is_some_and(|it| it.load(Ordering::Relaxed)) {
            return Some("stopped".to_owned());
        }
        let late = self.deadline.is_some_and(|it| Instant::now() >= it);
        late.then(|| format!("the time limit of {:?}", self.options.time.unwrap_or_default()))
    }

    fn space(&self, states: u64, bytes: u64) -> Option<String> {
        if states > self.options.states {
            return Some(format!("the limit of {} states", self.options.states));
        }
        let mebibytes = self.options.memory >> 20;
        (bytes > self.options.memory).then(|| format!("the memory limit of {mebibytes} MiB"))
    }
}

/// What a search has met.
struct Found {
    visited: u64,
    depth: u32,
    terminal_states: u64,
    joint_moves: u64,
    max_branching: u64,
    stuck: Option<(u32, RoleId)>,
    unclear: Option<(u32, RoleId, Vec<i64>)>,
    /// By role: the first terminal state with goal 100.
    wins: Vec<Option<u32>>,
    /// Some joint move leads to a state that is no deeper.
    turns_back: bool,
}

/// Visits all states.
pub fn explore(
    reasoner: &mut GroundReasoner,
    options: &ExploreOptions,
    progress: &mut dyn FnMut(Progress),
) -> Exploration {
    let mut watch = Watch::new(options);
    let roles = reasoner.roles().len();
    let players = players(reasoner);
    let mut found = Found {
        visited: 0,
        depth: 0,
        terminal_states: 0,
        joint_moves: 0,
        max_branching: 0,
        stuck: None,
        unclear: None,
        wins: vec![None; roles],
        turns_back: false,
    };
    let mut states = States::new(reasoner.game().fluents().len());
    let initial = reasoner.initial().clone();
    states.insert(initial.words(), u32::MAX);
    let mut expander = Expander::new(reasoner);
    let (mut next, mut layer_end, mut depth) = (0, 1, 0);
    let mut limit = None;
    while next < states.len() && limit.is_none() {
        if next == layer_end {
            layer_end = states.len();
            depth += 1;
        }
        if next % (1 << 16) == 0 {
            progress(Progress { expanded: next.into(), known: states.len().into(), depth });
        }
        expander.load(states.get(next));
        let mut branching = 0;
        let outcome = expander.expand(|_, successor| {
            branching += 1;
            let (number, is_new) = states.insert(successor, next);
            found.turns_back |= !is_new && number < layer_end;
            limit = limit.take().or_else(|| watch.tick());
            limit.is_none()
        });
        found.joint_moves += branching;
        found.max_branching = found.max_branching.max(branching);
        match outcome {
            Outcome::Moves => {}
            Outcome::Stuck(role) => {
                found.stuck.get_or_insert((next, role));
            }
            Outcome::Terminal => {
                found.terminal_states += 1;
                judge(&mut expander, &players, next, &mut found);
            }
        }
        limit = limit
            .or_else(|| watch.space(states.len().into(), states.bytes()))
            .or_else(|| watch.tick());
        next += 1;
    }
    progress(Progress { expanded: next.into(), known: states.len().into(), depth });
    let cycle = if found.turns_back {
        cycle::find(&mut expander, &states, limit.is_none(), &mut watch)
    } else if limit.is_none() {
        cycle::Search::None
    } else {
        cycle::Search::Undecided
    };
    (found.visited, found.depth) = (next.into(), depth);
    report(expander.reasoner, &states, found, cycle, &players, limit)
}

/// Notes what the goals of a terminal state, the present one, say.
fn judge(expander: &mut Expander<'_>, players: &[RoleId], state: u32, found: &mut Found) {
    let mut values = Vec::new();
    for &role in players {
        expander.reasoner.goals_here(role, &mut values);
        if values.len() != 1 && found.unclear.is_none() {
            found.unclear = Some((state, role, values.clone()));
        }
        if values.contains(&100) {
            found.wins[role.index()].get_or_insert(state);
        }
    }
}

fn report(
    reasoner: &mut GroundReasoner,
    states: &States,
    found: Found,
    cycle: cycle::Search,
    players: &[RoleId],
    limit: Option<String>,
) -> Exploration {
    let complete = limit.is_none();
    let mut paths = Paths::new(reasoner, states);
    let universal = |witness: Option<Box<Witness>>| match witness {
        Some(witness) => Verdict::Fails(Some(witness)),
        None if complete => Verdict::Holds(None),
        None => Verdict::Undecided,
    };
    let termination = match cycle {
        cycle::Search::None => Verdict::Holds(None),
        cycle::Search::Undecided => Verdict::Undecided,
        cycle::Search::Cycle(cycle) => Verdict::Fails(Some(paths.cycle(&cycle))),
    };
    let playability = universal(found.stuck.map(|(state, role)| {
        let remark = format!("`{}` has no legal move", paths.role(role));
        paths.to(state, remark)
    }));
    let utility = universal(found.unclear.map(|(state, role, values)| {
        let remark = format!("the goal values of `{}`: {}", paths.role(role), words(&values));
        paths.to(state, remark)
    }));
    let winnable = players.iter().map(|&role| {
        let verdict = match found.wins[role.index()] {
            Some(state) => Verdict::Holds(Some(paths.to(state, String::new()))),
            None if complete => Verdict::Fails(None),
            None => Verdict::Undecided,
        };
        (paths.role(role), verdict)
    });
    Exploration {
        winnable: winnable.collect(),
        states: states.len().into(),
        visited: found.visited,
        terminal_states: found.terminal_states,
        joint_moves: found.joint_moves,
        max_branching: found.max_branching,
        depth: found.depth,
        playouts: None,
        limit,
        termination,
        playability,
        utility,
        bytes_per_state: states.bytes() as f64 / f64::from(states.len()),
    }
}

fn words(values: &[i64]) -> String {
    if values.is_empty() {
        return "none".to_owned();
    }
    values.iter().map(i64::to_string).collect::<Vec<String>>().join(" and ")
}

/// A joint move in words, one move for each role.
fn joint(reasoner: &GroundReasoner, moves: &[MoveId]) -> Vec<String> {
    moves.iter().map(|&it| reasoner.move_text(it)).collect()
}
