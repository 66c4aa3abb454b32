//! The way to the best end of a puzzle that was found so far, and the search for a better one.

use groundfrog::RoleId;
use groundfrog_reasoner::{MoveId, Reasoner, ReasonerError, State, Vocabulary};

use crate::clock::Budget;
use crate::clock::Until;
use crate::solve::parts::{self, ByParts};
use crate::solve::position::Rules;
use crate::solve::puzzle::Distance;
use crate::solve::puzzle::Puzzle;
use crate::solve::values_of;
use crate::strategy::Decision;

/// The moves to the best end that was found.
#[derive(Clone, Debug)]
pub(super) struct PuzzlePlan {
    pub(super) moves: Vec<String>,
    /// How many of them are made.
    pub(super) made: usize,
    value: f64,
    /// Whether nothing better can be reached.
    pub(super) is_proven: bool,
    states: u64,
}

/// So many states at least are looked at for a shorter plan.
const LEAST_SHORTENED: u64 = 1 << 16;

/// The best value of a puzzle.
fn top(rules: &Rules) -> i64 {
    values_of(rules.reasoner.game(), RoleId(0)).last().copied().unwrap_or(0)
}

/// How far states of a puzzle are from the best ends: it depends on the game alone.
pub(super) fn distance(rules: &Rules) -> Distance {
    Distance::new(rules.reasoner.game(), RoleId(0), top(rules))
}

/// The shortest moves from a state to an end that is worth as much as that of these, if they are found with some times the work that it took to find an end
/// at all; else the same.
fn shorten(
    rules: &mut Rules,
    state: &State,
    (value, moves): (i64, Vec<MoveId>),
    until: &Until,
    (states, bytes): (u64, u64),
) -> Result<Vec<MoveId>, ReasonerError> {
    if moves.len() < 2 {
        return Ok(moves);
    }
    let root = rules.whole(state);
    let mut budget = Budget::within(until.clone(), LEAST_SHORTENED.max(4 * states));
    let shortest = Puzzle::shortest(rules, root, value, bytes, &mut budget)?;
    Ok(shortest.filter(|it| it.len() < moves.len()).unwrap_or(moves))
}

impl PuzzlePlan {
    /// Searches from a state for an end that is better than that of a plan, looking at so many states at most and keeping so
    /// many bytes. Returns the better plan, or the old one. The rules come with the [`distance`] from the best ends.
    pub(super) fn improve(
        old: Option<PuzzlePlan>,
        (rules, distance): (&mut Rules, &Distance),
        state: &State,
        until: &Until,
        most: u64,
        bytes: u64,
    ) -> Result<Option<PuzzlePlan>, ReasonerError> {
        let top = top(rules);
        let root = rules.whole(state);
        let mut budget = Budget::within(until.clone(), most);
        let found = Puzzle::from_state(rules, root, distance.clone(), top, bytes)
            .run(rules, &mut budget)?;
        let better = found.best.filter(|it| old.as_ref().is_none_or(|old| it.0 as f64 > old.value));
        let Some((value, moves)) = better.filter(|it| !it.1.is_empty()) else {
            return Ok(
                old.map(|it| PuzzlePlan { is_proven: it.is_proven || found.is_proven, ..it })
            );
        };
        let moves = shorten(rules, state, (value, moves), until, (found.states, bytes))?;
        Ok(Some(PuzzlePlan {
            moves: moves.iter().map(|&it| rules.reasoner.move_text(it)).collect(),
            made: 0,
            value: value as f64,
            is_proven: found.is_proven,
            states: found.states,
        }))
    }

    /// Solves a puzzle that comes apart by its parts, from its initial state, in half of the time and of the states.
    pub(super) fn by_parts(
        rules: &mut Rules,
        until: &Until,
        most: u64,
        bytes: u64,
    ) -> Result<Option<PuzzlePlan>, ReasonerError> {
        let mut budget = Budget::within(until.clone(), most).half();
        let ByParts::Best(value, moves) = parts::solve(rules, &mut budget, bytes / 2)? else {
            return Ok(None);
        };
        let (root, states) = (rules.reasoner.initial().clone(), budget.steps());
        let moves = shorten(rules, &root, (value, moves), until, (states, bytes))?;
        Ok(Some(PuzzlePlan {
            moves: moves.iter().map(|&it| rules.reasoner.move_text(it)).collect(),
            made: 0,
            value: value as f64,
            is_proven: true,
            states,
        }))
    }

    /// The next move of the plan; `None` at its end.
    pub(super) fn decision(&self) -> Option<Decision> {
        Some(Decision {
            action: self.moves.get(self.made)?.clone(),
            method: "puzzle".into(),
            value: Some(self.value),
            proven: self.is_proven,
            nodes: self.states,
            line: self.moves[self.made..].iter().map(|it| vec![it.clone()]).collect(),
            ..Decision::default()
        })
    }
}
