//! Solving: the value of a game for each role, exactly.
//!
//! The value of a role is what it can force, whatever all others do; in a puzzle it is the best end that can be
//! reached. Puzzles are searched state by state (`puzzle`); in games with others, boolean questions about the goal values that
//! occur are answered by alpha-beta with a transposition table (`force`). What these leave open, where several choose at the same
//! time or play may come back to a state, is found from the ends, state by state (`retrograde`); so are expectations where a role `random`
//! moves. Where roles do not see everything, mixed strategies
//! are found that come close to the value (`regret`). Nothing is taken for proven that is not: a [`RoleValue`] has two bounds, and is decided where each end that
//! it rests on was seen to have it.
//!
//! ```
//! use groundfrog::{Description, GroundOptions, ParseOptions, Silent, ground};
//! use groundfrog_player::solve::{SolveOptions, solve};
//!
//! let rules = "(role hero) (init (at a)) (init (step 0)) (way a b) (way a c) (way c d) (count 0 1) (count 1 2)
//!     (<= (legal hero (go ?y)) (true (at ?x)) (way ?x ?y))
//!     (<= (next (at ?y)) (does hero (go ?y)))
//!     (<= terminal (true (at b))) (<= terminal (true (at d)))
//!     (<= (goal hero 10) (true (at b))) (<= (goal hero 90) (true (at d)))";
//! let description = Description::parse(rules.as_bytes(), &ParseOptions::default())?;
//! let game = ground(&description, &GroundOptions::compact(), &mut Silent)?.game;
//! let solution = solve(game, &SolveOptions::default(), |_| {})?;
//! assert_eq!(solution.values[0].exact(), Some(90.0));
//! assert_eq!(solution.line, [["(go c)"], ["(go d)"]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod force;
pub(crate) mod parts;
pub(crate) mod position;
pub(crate) mod puzzle;
mod regret;
mod retrograde;
pub(crate) mod table;
mod windows;

use std::sync::Arc;
use web_time::Instant;

use groundfrog::game::{AtomKind, GroundGame, RoleId};
use groundfrog_engine::{Budget, Stop};
use groundfrog_reasoner::{BuildError, MoveId, Reasoner, ReasonerError, Vocabulary};

use crate::clock::StateBudget;
use parts::ByParts;
use position::Rules;
use puzzle::{Distance, Puzzle, PuzzleResult};
pub(crate) use regret::shares;
pub use regret::{LONGEST_HISTORY, MixedMove};

/// Bytes of the stack of each thread that solves: the search goes as deep as matches are long.
pub const THREAD_STACK: usize = 64 << 20;

/// What solving may use.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Asked whether to stop.
    pub stop: Option<Arc<dyn Stop>>,
    /// Bytes for tables.
    pub memory: u64,
    /// States that may be looked at.
    pub states: u64,
    /// Threads that search what a role can force, at least one. The values do not depend on it; the line, and how many states are looked
    /// at, do with several.
    pub threads: usize,
    /// Whether puzzles that come apart are solved by their parts, too.
    pub parts: bool,
    /// Whether roles know of the state what they perceive alone, also where they never perceive anything; a game with percepts is
    /// always solved so.
    pub is_imperfect: bool,
}

impl Default for SolveOptions {
    /// 1 GiB, and nothing else is limited.
    fn default() -> Self {
        SolveOptions {
            deadline: None,
            stop: None,
            memory: 1 << 30,
            states: u64::MAX,
            threads: 1,
            parts: true,
            is_imperfect: false,
        }
    }
}

/// How the values were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolveMethod {
    /// Depth-first and best-first search of a puzzle.
    Puzzle,
    /// The same for each part of a puzzle that comes apart.
    Parts,
    /// Alpha-beta with boolean windows and a transposition table.
    AlphaBeta,
    /// State by state from the ends, where play may come back to a state.
    Retrograde,
    /// Expectations over the moves of the role `random`, from the ends.
    Expectimax,
    /// Regret matching over information sets.
    RegretMatching,
    /// Mixed moves, by a matrix game in each state where several choose at once.
    MatrixGames,
}

/// Why something is not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Undecided {
    /// Time, states or a stop.
    Budget,
    /// There is no room for further states.
    Memory,
    /// A state has more joint moves than are looked at.
    TooWide,
    /// Play goes on for more joint moves than are looked ahead: [`LONGEST_HISTORY`] where roles do not see everything.
    TooDeep,
    /// Play can come back to a state, and the value depends on whether it does so for ever; or no end can be reached.
    Endless,
    /// Several choose at the same time, and the value depends on who guesses better.
    Simultaneous,
    /// Found by iterations that come ever closer: the value lies within the bounds.
    Approximate,
    /// Roles do not know the state.
    ImperfectInformation,
}

/// What a role gets.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct RoleValue {
    /// The role.
    pub role: String,
    /// The role can force at least this; it is the least goal value of the rules where nothing more is proven.
    pub lower: f64,
    /// The others can hold it to this; it is the greatest goal value of the rules where nothing less is proven.
    pub upper: f64,
    /// Whether the value is proven. Bounds may be alike without that, where the role cannot force an end.
    pub decided: bool,
}

impl RoleValue {
    /// The value, if it is proven.
    pub fn exact(&self) -> Option<f64> {
        self.decided.then_some(self.lower)
    }

    /// Notes a value that is proven.
    fn decide(&mut self, value: f64) {
        (self.lower, self.upper, self.decided) = (value, value, true);
    }
}

/// Why a line does not go on to a terminal state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineStop {
    /// No value is decided, so that no play is known to be best.
    Undecided,
    /// Several choose at the same time.
    Simultaneous,
    /// Moves of `random` decide how play goes on.
    Chance,
    /// The line is too long, or which move keeps the value was not proven within the limits.
    Unproven,
}

/// What is known of a game.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Solution {
    /// By role.
    pub values: Vec<RoleValue>,
    /// Joint moves of best play, by role, as KIF; in a puzzle those to the best end that was found.
    pub line: Vec<Vec<String>>,
    /// The role that the line is best for, with all others against it. `None` where it is best for all: in puzzles, and where the goals of
    /// two roles are known to have one sum at all ends that play can reach.
    pub line_role: Option<String>,
    /// Whether the line goes on to a terminal state.
    pub line_is_complete: bool,
    /// Why it does not.
    pub line_stop: Option<LineStop>,
    /// How the values were found.
    pub method: SolveMethod,
    /// Why some value is not proven; `None` if all are.
    pub undecided: Option<Undecided>,
    /// Where roles do not see everything: how each plays in each information set in which it has a choice. Where values are those
    /// of mixed moves: how each mixes its moves in the initial state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strategies: Vec<MixedMove>,
    /// States that were looked at, those looked at again included.
    pub states: u64,
    /// Bytes of tables at the end.
    pub memory: u64,
}

impl Solution {
    /// Nothing is known but the rules.
    fn open(game: &GroundGame, method: SolveMethod, undecided: Option<Undecided>) -> Self {
        Solution {
            values: bounds(game),
            line: Vec::new(),
            line_role: None,
            line_is_complete: false,
            line_stop: Some(LineStop::Undecided),
            method,
            undecided,
            strategies: Vec::new(),
            states: 0,
            memory: 0,
        }
    }

    /// Whether all values are proven.
    pub fn is_decided(&self) -> bool {
        self.undecided.is_none()
    }
}

/// Why a game cannot be solved.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SolveError {
    /// The rules cannot be compiled.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A state has no legal move or not one goal value.
    #[error(transparent)]
    Reasoner(#[from] ReasonerError),
}

/// Solves a game. `progress` is called now and then with how many states were looked at.
///
/// # Errors
/// The game cannot be played, or a state that was met has no legal move or not exactly one goal value for a role.
pub fn solve(
    game: impl Into<Arc<GroundGame>>,
    options: &SolveOptions,
    mut progress: impl FnMut(u64) + Send,
) -> Result<Solution, SolveError> {
    let game = game.into();
    let mut rules = Rules::new(Arc::clone(&game))?;
    let until = Budget::until(options.deadline, options.stop.clone());
    let budget = StateBudget::within(until, options.states);
    let mut budget = budget.watched_by(&mut progress);
    let chance = game.role_names().position(|it| it == "random");
    let is_imperfect = options.is_imperfect || game.atoms_of(AtomKind::Sees).next().is_some();
    if rules.roles == 1 {
        return puzzle_solution(&game, &mut rules, &mut budget, options);
    }
    if is_imperfect || chance.is_some() {
        let mut solution = match is_imperfect {
            true => regret::solve(&mut rules, &mut budget, options.memory)?,
            false => expected(&mut rules, &mut budget, options.memory)?,
        };
        // Chance wants nothing.
        if let Some(random) = chance {
            solution.values.remove(random);
        }
        return Ok(solution);
    }
    let solution = windows::solve(&game, &mut rules, &mut budget, options)?;
    let is_open = match solution.undecided {
        None => solution.line_stop == Some(LineStop::Unproven) && !budget.is_spent(),
        Some(why) => {
            matches!(why, Undecided::Simultaneous | Undecided::Endless | Undecided::TooDeep)
        }
    };
    if !is_open {
        return Ok(solution);
    }
    Ok(retrograde::solve(solution, &mut rules, &mut budget, options.memory)?)
}

/// Finds what each role can expect where moves of chance decide.
fn expected(
    rules: &mut Rules,
    budget: &mut StateBudget<'_>,
    memory: u64,
) -> Result<Solution, ReasonerError> {
    let game = rules.reasoner.game();
    let open = Solution::open(game, SolveMethod::Expectimax, Some(Undecided::Budget));
    let mut solution = retrograde::solve(open, rules, budget, memory)?;
    if solution.undecided.is_none() {
        solution.line_stop = Some(LineStop::Chance);
    }
    Ok(solution)
}

/// The values that a role can have, ascending.
pub(crate) fn values_of(game: &GroundGame, role: RoleId) -> Vec<i64> {
    let mut values: Vec<i64> = game.goals_of(role).filter_map(|it| it.value).collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// The best value of a puzzle.
pub(crate) fn top(game: &GroundGame) -> i64 {
    values_of(game, RoleId(0)).last().copied().unwrap_or(0)
}

/// So many states of a puzzle are looked at before its parts are: most puzzles are solved by then.
const STATES_BEFORE_PARTS: u64 = 1 << 16;

/// Goal values of GDL are from this to that.
const LEAST: f64 = 0.0;
const GREATEST: f64 = 100.0;

/// Bounds by the rules alone.
fn bounds(game: &GroundGame) -> Vec<RoleValue> {
    let names = game.role_names().enumerate();
    let bounds = names.map(|(role, name)| {
        let values = values_of(game, RoleId(role as u32));
        let lower = values.first().map_or(LEAST, |&it| it as f64);
        let upper = values.last().map_or(GREATEST, |&it| it as f64);
        RoleValue { role: name, lower, upper, decided: false }
    });
    bounds.collect()
}

fn puzzle_solution(
    game: &GroundGame,
    rules: &mut Rules,
    budget: &mut StateBudget<'_>,
    options: &SolveOptions,
) -> Result<Solution, SolveError> {
    let distance = Distance::new(game, top(game));
    let (result, method) = searched(rules, distance, budget, options.memory, options.parts)?;
    let undecided = match (result.is_proven, result.is_full) {
        // Where no end can be reached there is no value.
        (true, _) => result.best.is_none().then_some(Undecided::Endless),
        (false, true) => Some(Undecided::Memory),
        (false, false) => Some(Undecided::Budget),
    };
    let (states, memory) = (budget.steps(), result.bytes);
    let mut solution = Solution { states, memory, ..Solution::open(game, method, undecided) };
    if let Some((value, path)) = result.best {
        match result.is_proven {
            true => solution.values[0].decide(value as f64),
            false => solution.values[0].lower = value as f64,
        }
        solution.line = path.iter().map(|&it| texts(rules, &[it])).collect();
        (solution.line_is_complete, solution.line_stop) = (true, None);
    }
    Ok(solution)
}

/// Searches a puzzle from its initial state in so many bytes: as a whole for some states, by its parts if `by_parts`, and as a whole for the rest of the budget.
pub(crate) fn searched(
    rules: &mut Rules,
    distance: Distance,
    budget: &mut StateBudget<'_>,
    memory: u64,
    by_parts: bool,
) -> Result<(PuzzleResult, SolveMethod), ReasonerError> {
    let root = rules.whole(rules.reasoner.initial());
    let mut puzzle = Puzzle::from_state(rules, root, distance, memory);
    if !by_parts {
        return Ok((puzzle.run(rules, budget)?, SolveMethod::Puzzle));
    }
    let mut first = budget.at_most(STATES_BEFORE_PARTS);
    let result = puzzle.run(rules, &mut first)?;
    budget.add(&first);
    if result.is_proven || result.is_full || budget.is_spent() {
        return Ok((result, SolveMethod::Puzzle));
    }
    let mut half = budget.half();
    let found = parts::solve(rules, &mut half, memory / 2)?;
    budget.add(&half);
    match found {
        ByParts::Best(value, moves) => {
            let best = Some((value, moves));
            let result = PuzzleResult { best, is_proven: true, ..result };
            return Ok((result, SolveMethod::Parts));
        }
        ByParts::AtMost(top) => puzzle = Puzzle::new(rules, top, memory),
        ByParts::Nothing => {}
    }
    Ok((puzzle.run(rules, budget)?, SolveMethod::Puzzle))
}

/// Moves as KIF.
fn texts(rules: &Rules, moves: &[MoveId]) -> Vec<String> {
    moves.iter().map(|&it| rules.reasoner.move_text(it)).collect()
}
