//! The way to the best end of a puzzle that was found so far, and the search for a better one.

use groundfrog::Budget;
use groundfrog_reasoner::{MoveId, Reasoner, ReasonerError, State, Vocabulary};

use crate::clock::StateBudget;
use crate::solve::position::Rules;
use crate::solve::puzzle::{Distance, Puzzle, PuzzleResult};
use crate::solve::searched;
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

impl PuzzlePlan {
    /// Searches a puzzle from its initial state, looking at so many states at most and keeping so many bytes.
    pub(super) fn find(
        (rules, distance): (&mut Rules, &Distance),
        until: &Budget,
        most: u64,
        bytes: u64,
    ) -> Result<Option<PuzzlePlan>, ReasonerError> {
        let mut budget = StateBudget::within(until.clone(), most);
        let (found, _) = searched(rules, distance.clone(), &mut budget, bytes, true)?;
        let root = rules.reasoner.initial().clone();
        Self::better(None, rules, &root, found, (until, bytes))
    }

    /// Searches from a state for an end that is better than that of a plan. Returns the better plan, or the old one.
    pub(super) fn improve(
        old: Option<PuzzlePlan>,
        (rules, distance): (&mut Rules, &Distance),
        state: &State,
        until: &Budget,
        most: u64,
        bytes: u64,
    ) -> Result<Option<PuzzlePlan>, ReasonerError> {
        let root = rules.whole(state);
        let mut budget = StateBudget::within(until.clone(), most);
        let mut puzzle = Puzzle::from_state(rules, root, distance.clone(), bytes);
        let found = puzzle.run(rules, &mut budget)?;
        Self::better(old, rules, state, found, (until, bytes))
    }

    /// The plan that was found, if it is better than the old one. It is the shortest one to an end that is worth as much, if that is found
    /// with some times the work that it took to find an end at all.
    fn better(
        old: Option<PuzzlePlan>,
        rules: &mut Rules,
        state: &State,
        found: PuzzleResult,
        (until, bytes): (&Budget, u64),
    ) -> Result<Option<PuzzlePlan>, ReasonerError> {
        let PuzzleResult { best, is_proven, states, .. } = found;
        let better = best.filter(|it| old.as_ref().is_none_or(|old| it.0 as f64 > old.value));
        let Some((value, mut moves)) = better.filter(|it| !it.1.is_empty()) else {
            return Ok(old.map(|it| PuzzlePlan { is_proven: it.is_proven || is_proven, ..it }));
        };
        if moves.len() > 1 {
            let root = rules.whole(state);
            let mut budget = StateBudget::within(until.clone(), LEAST_SHORTENED.max(4 * states));
            let shortest = Puzzle::shortest(rules, &root, value, bytes, &mut budget)?;
            moves = shortest.filter(|it| it.len() < moves.len()).unwrap_or(moves);
        }
        let text = |&it: &MoveId| rules.reasoner.move_text(it);
        let (moves, value) = (moves.iter().map(text).collect(), value as f64);
        Ok(Some(PuzzlePlan { moves, made: 0, value, is_proven, states }))
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
