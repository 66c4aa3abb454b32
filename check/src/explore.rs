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
//! The search goes layer by layer: the states that are the same number of joint moves away from the initial
//! one. A layer is expanded in *jobs* of up to 512 states, some jobs in each *round*; then what they found is
//! put into the set of states, shard by shard, in the order of the jobs. Jobs and shards are shared out among
//! threads, and neither their sizes nor their order depend on the threads.
//!
//! Where a limit ends the search, what was not decided by then is [`Verdict::Undecided`]. [`sample`] looks
//! for violations in games too large for that.

mod cycle;
mod search;

use std::sync::Arc;
use std::time::Duration;

use groundfrog::description::{Atom, Description, Printer, Term};
use groundfrog::game::RoleId;
use groundfrog::kif::{Diagnostic, Span};
use groundfrog::symbols::Symbol;
use groundfrog_engine::{Budget, Limit, Stop};
use groundfrog_reasoner::state_space::{Expander, States};
use groundfrog_reasoner::{GroundReasoner, MoveId, PlayoutEnd, Random, Vocabulary};

use crate::knowledge::{self, RoleKnowledge};
use cycle::Paths;
use search::{Found, StateSearch};

/// The roles whose goals matter: all but `random`, which in GDL-II plays without a goal.
fn players(reasoner: &GroundReasoner) -> Vec<RoleId> {
    reasoner.role_ids().filter(|&it| reasoner.role_text(it) != "random").collect()
}

/// Visits all states.
pub fn explore(
    reasoner: &mut GroundReasoner,
    options: &ExploreOptions,
    progress: &mut dyn FnMut(ExplorationProgress),
) -> Exploration {
    let watch = Watch::new(options);
    let players = players(reasoner);
    let StateSearch { states, found, limit } = search::search(reasoner, &players, &watch, progress);
    let mut expander = Expander::new(reasoner);
    let cycle = if found.turns_back {
        cycle::find(&mut expander, &states, limit.is_none(), &watch)
    } else if limit.is_none() {
        cycle::CycleSearch::None
    } else {
        cycle::CycleSearch::Undecided
    };
    report(reasoner, &states, found, cycle, &players, limit)
}

fn report(
    reasoner: &mut GroundReasoner,
    states: &States,
    found: Found,
    cycle: cycle::CycleSearch,
    players: &[RoleId],
    limit: Option<String>,
) -> Exploration {
    // Where a role has no move nothing says how the match would go on.
    let complete = limit.is_none() && found.notes.stuck.is_none();
    let mut paths = Paths::new(reasoner, states);
    let universal = |witness: Option<Box<Witness>>| match witness {
        Some(witness) => Verdict::Fails(Some(witness)),
        None if complete => Verdict::Holds(None),
        None => Verdict::Undecided,
    };
    let termination = match cycle {
        cycle::CycleSearch::None if complete => Verdict::Holds(None),
        cycle::CycleSearch::None => Verdict::Undecided,
        cycle::CycleSearch::Undecided => Verdict::Undecided,
        cycle::CycleSearch::Cycle(cycle) => Verdict::Fails(Some(paths.cycle(&cycle))),
    };
    let playability = universal(found.notes.stuck.map(|(state, role)| {
        let remark = format!("`{}` has no legal move", paths.role(role));
        paths.to(state, remark)
    }));
    let utility = universal(found.notes.unclear.map(|(state, role, values)| {
        let remark = format!("the goal values of `{}`: {}", paths.role(role), words(&values));
        paths.to(state, remark)
    }));
    let winnable = players.iter().map(|&role| {
        let verdict = match found.notes.wins[role.index()] {
            Some(state) => Verdict::Holds(Some(paths.to(state, String::new()))),
            None if complete => Verdict::Fails(None),
            None => Verdict::Undecided,
        };
        (paths.role(role), verdict)
    });
    Exploration {
        winnable: winnable.collect(),
        states: states.count() as u64,
        visited: found.visited,
        terminal_states: found.notes.terminal_states,
        expanded: found.notes.expanded,
        joint_moves: found.notes.joint_moves,
        max_branching: found.notes.max_branching,
        depth: found.depth,
        limit,
        termination,
        playability,
        utility,
        bytes_per_state: states.bytes() as f64 / states.count() as f64,
        ..Exploration::default()
    }
}

fn words(values: &[i64]) -> String {
    if values.is_empty() {
        return "none".to_owned();
    }
    values.iter().map(i64::to_string).collect::<Vec<String>>().join(" and ")
}

// What an exploration tells.

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// It does; winnability is shown by a shortest way to win.
    Holds(Option<Box<Witness>>),
    /// It does not; most properties are refuted by a state.
    Fails(Option<Box<Witness>>),
    /// Not found out within the limits.
    #[default]
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exploration {
    /// States that can be reached, play ending at terminal ones; a lower bound if not complete.
    pub states: u64,
    /// How many of them were looked at: all, if complete.
    pub visited: u64,
    /// How many of those are terminal.
    pub terminal_states: u64,
    /// States whose joint moves were counted: those that are not terminal of all that were looked at, and where a
    /// limit ended the search some that were begun.
    pub expanded: u64,
    /// Joint moves out of these.
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
    /// Whether every match ends, at a terminal state or where a role has no move.
    pub termination: Verdict,
    /// Whether each role has a move wherever the match goes on.
    pub playability: Verdict,
    /// Whether each role has one goal value in each terminal state; so it is if there is none.
    pub utility: Verdict,
    /// Whether the goals of two roles that move in turn always add up to 100, where most do; states that are visited do not say.
    pub sum: Verdict,
    /// By role: its name, and whether it can win.
    pub winnable: Vec<(String, Verdict)>,
    /// What each role knows, in a game with percepts, if that was looked at.
    pub knowledge: Vec<RoleKnowledge>,
    /// Bytes used for each state.
    pub bytes_per_state: f64,
}

impl Exploration {
    /// Joint moves out of a state that is not terminal, on average.
    pub fn branching(&self) -> f64 {
        let expanded = self.expanded as f64;
        if expanded == 0.0 { 0.0 } else { self.joint_moves as f64 / expanded }
    }
}

/// How an exploration goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplorationProgress {
    /// States expanded.
    pub expanded: u64,
    /// States known.
    pub known: u64,
    /// Joint moves from the initial state to the one at hand.
    pub depth: u32,
}

/// A joint move in words, one move for each role.
fn joint(reasoner: &GroundReasoner, moves: &[MoveId]) -> Vec<String> {
    moves.iter().map(|&it| reasoner.move_text(it)).collect()
}

// What an exploration says, as findings about the description.

/// The code of a game that cannot end.
pub(crate) const NO_END: &str = "GF0709";

/// How many moves of a way are shown.
const SHOWN: usize = 12;

/// The violations that an exploration found.
pub fn findings(exploration: &Exploration, description: &Description) -> Vec<Diagnostic> {
    let keywords = &description.keywords;
    let mut found = Vec::new();
    let has_all = exploration.limit.is_none() && exploration.visited > 0;
    let can_stick = matches!(exploration.playability, Verdict::Fails(_));
    let never_ends = has_all && exploration.terminal_states == 0 && !can_stick;
    if never_ends {
        let message = format!(
            "no match can ever end: none of the {} states that can be reached is terminal",
            exploration.states
        );
        found.push(Diagnostic::error(NO_END, message, place(description, keywords.terminal)));
    } else if let Verdict::Fails(Some(witness)) = &exploration.termination {
        let span = place(description, keywords.terminal);
        let message = "a match can go on for ever: some states repeat";
        let diagnostic = Diagnostic::warning("GF0701", message, span)
            .with_help(format!("the way there: {}", moves(&witness.moves)))
            .with_help(format!("and round and round: {}", moves(&witness.cycle)))
            .with_help("a step counter ends every match");
        found.push(diagnostic);
    }
    if let Verdict::Fails(Some(witness)) = &exploration.playability {
        let message = format!("{}, and the match is not over", witness.remark);
        let span = place(description, keywords.legal);
        found.push(with_way(Diagnostic::error("GF0702", message, span), witness).with_help(
            "who has to wait needs a move for that, such as `noop`, which is legal when it is another's turn",
        ));
    }
    if let Verdict::Fails(Some(witness)) = &exploration.utility {
        let message = format!("a match ends without exactly one goal value: {}", witness.remark);
        let span = place(description, keywords.goal);
        found.push(with_way(Diagnostic::error("GF0703", message, span), witness));
    }
    if let Verdict::Fails(Some(witness)) = &exploration.sum {
        let message = format!(
            "the goals of both roles mostly add up to 100, and once they do not: {}",
            witness.remark
        );
        let span = place(description, keywords.goal);
        found.push(with_way(Diagnostic::note("GF0708", message, span), witness));
    }
    for (role, verdict) in &exploration.winnable {
        if let Verdict::Fails(_) = verdict
            && !never_ends
        {
            let message = format!("`{role}` can never win: no terminal state has its goal 100");
            let place = place_of(role, keywords.goal, description);
            found.push(Diagnostic::warning("GF0704", message, place));
        }
    }
    found.extend(knowledge::findings(&exploration.knowledge, description));
    found
}

/// The first statement about a predicate, or else the first of all.
pub(crate) fn place(description: &Description, name: Symbol) -> Span {
    let statements = &description.statements;
    let about = statements.iter().find(|it| it.head.predicate == name);
    about.or(statements.first()).map_or_else(Span::default, |it| it.head.span)
}

/// The first statement about what a role can get or do, best a goal of 100; or else that the role plays.
pub(crate) fn place_of(role: &str, keyword: Symbol, description: &Description) -> Span {
    let printer = Printer::new(&description.symbols);
    let goals = description.statements.iter().map(|it| &it.head);
    let goals = goals.filter(|it| it.predicate == keyword);
    let fit = |atom: &&Atom| {
        let [of, value] = atom.arguments.as_slice() else { return 0 };
        let is_100 = printer.term(value).to_string() == "100";
        match of {
            Term::Variable(_) => 1 + u32::from(is_100),
            of if printer.term(of).to_string() == role => 3 + u32::from(is_100),
            _ => 0,
        }
    };
    // Of several the first.
    let best = goals.rev().max_by_key(fit).filter(|it| fit(it) > 0);
    best.map_or_else(|| place(description, description.keywords.role), |it| it.span)
}

fn with_way(diagnostic: Diagnostic, witness: &Witness) -> Diagnostic {
    diagnostic
        .with_help(format!("the way there: {}", moves(&witness.moves)))
        .with_help(format!("the state: {}", witness.state.join(" ")))
}

/// Joint moves in one line.
pub(crate) fn moves(moves: &[Vec<String>]) -> String {
    if moves.is_empty() {
        return "the initial state".to_owned();
    }
    let shown = moves.iter().take(SHOWN).map(|it| it.join(" + ")).collect::<Vec<String>>();
    let more = moves.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}

// The limits of an exploration.

/// What an exploration may use.
#[derive(Clone, Debug)]
pub struct ExploreOptions {
    /// States.
    pub states: u64,
    /// Bytes for states.
    pub memory: u64,
    /// Time.
    pub time: Option<Duration>,
    /// Asked whether to stop: a flag that is raised from outside, for one.
    pub stop: Option<Arc<dyn Stop>>,
    /// How many threads may work; 0 takes all processors. The result does not depend on it, unless time is
    /// up.
    pub threads: usize,
}

impl Default for ExploreOptions {
    /// Ten million states, 1 GiB, one minute, one thread.
    fn default() -> Self {
        let time = Some(Duration::from_secs(60));
        ExploreOptions { states: 10_000_000, memory: 1 << 30, time, stop: None, threads: 1 }
    }
}

/// Says why to stop.
struct Watch<'a> {
    options: &'a ExploreOptions,
    budget: Budget,
}

impl<'a> Watch<'a> {
    fn new(options: &'a ExploreOptions) -> Self {
        let budget = Budget::until(None, options.stop.clone()).with_time(options.time);
        Watch { options, budget }
    }

    /// Whether to stop at once: time is up, or the stop flag was raised.
    fn is_late(&self) -> bool {
        self.budget.is_over()
    }

    /// Why to stop at once.
    fn lateness(&self) -> Option<String> {
        let time = self.options.time.unwrap_or_default();
        Some(match self.budget.check(0, 0).err()?.limit {
            Limit::Time => format!("the time limit of {time:.1?}"),
            _ => "stopped".to_owned(),
        })
    }

    /// Why there is no room for more.
    fn space(&self, states: u64, bytes: u64) -> Option<String> {
        if states > self.options.states {
            return Some(format!("the limit of {} states", self.options.states));
        }
        let mebibytes = self.options.memory >> 20;
        (bytes > self.options.memory).then(|| format!("the memory limit of {mebibytes} MiB"))
    }
}

// Random matches, which find violations in games too large to explore.

/// What matches to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleOptions {
    /// How many.
    pub playouts: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// A match that is longer is given up.
    pub max_length: u32,
}

impl Default for SampleOptions {
    /// A thousand matches of at most ten thousand moves.
    fn default() -> Self {
        SampleOptions { playouts: 1000, seed: 0, max_length: 10_000 }
    }
}

/// Plays random matches as [`sample`] does. If none of them ends, all states are visited, as far as `limits` go: where those are
/// all, what they show is told instead.
pub fn glance(
    reasoner: &mut GroundReasoner,
    options: &SampleOptions,
    limits: &ExploreOptions,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Exploration {
    let (sampled, ended) = play(reasoner, options, go_on);
    if ended > 0 || sampled.playability != Verdict::Undecided {
        return sampled;
    }
    let visited = explore(reasoner, limits, &mut |_| {});
    if visited.limit.is_none() { visited } else { sampled }
}

/// Plays random matches, until `go_on`, called with how many were played, returns false. What
/// they do not refute, or show in the case of winning, is undecided.
pub fn sample(
    reasoner: &mut GroundReasoner,
    options: &SampleOptions,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Exploration {
    play(reasoner, options, go_on).0
}

/// What random matches show, and how many of them came to an end.
fn play(
    reasoner: &mut GroundReasoner,
    options: &SampleOptions,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> (Exploration, u64) {
    let players = players(reasoner);
    let mut random = Random::new(options.seed);
    let mut exploration = Exploration::default();
    let mut wins: Vec<Verdict> = vec![Verdict::Undecided; players.len()];
    let mut made: Vec<Vec<MoveId>> = Vec::new();
    let (mut played, mut ended) = (0, 0);
    while played < options.playouts && go_on(played) {
        played += 1;
        made.clear();
        let playout = reasoner.playout_observed(&mut random, options.max_length, |_, moves| {
            made.push(moves.to_vec());
        });
        exploration.depth = exploration.depth.max(playout.length);
        let witness = |reasoner: &GroundReasoner, remark| {
            let moves = made.iter().map(|it| joint(reasoner, it)).collect();
            let state = reasoner.state_text(&reasoner.final_state()).expect("its own state");
            Some(Box::new(Witness { moves, state, cycle: Vec::new(), remark }))
        };
        match playout.end {
            PlayoutEnd::Capped | PlayoutEnd::Stopped => {}
            PlayoutEnd::Stuck(role) => {
                if exploration.playability == Verdict::Undecided {
                    let remark = format!("`{}` has no legal move", reasoner.role_text(role));
                    exploration.playability = Verdict::Fails(witness(reasoner, remark));
                }
            }
            PlayoutEnd::Terminal => {
                ended += 1;
                for (&role, win) in players.iter().zip(&mut wins) {
                    let values = reasoner.final_goals(role).to_vec();
                    if values.len() != 1 && exploration.utility == Verdict::Undecided {
                        let role = reasoner.role_text(role);
                        let remark = format!("the goal values of `{role}`: {}", words(&values));
                        exploration.utility = Verdict::Fails(witness(reasoner, remark));
                    }
                    if values.contains(&100) && *win == Verdict::Undecided {
                        *win = Verdict::Holds(witness(reasoner, String::new()));
                    }
                }
            }
        }
    }
    exploration.playouts = Some(played);
    exploration.limit = Some(format!("{played} random matches"));
    let name = |role: &RoleId| reasoner.role_text(*role);
    exploration.winnable = players.iter().map(name).zip(wins).collect();
    (exploration, ended)
}
