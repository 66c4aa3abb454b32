//! Puzzles: the best end that the only player can reach.
//!
//! Every state is expanded once at most, so play that comes back to a state does no harm. Several searches take turns, each
//! with more states than the time before: depth-first in different orders of the moves, and best-first by the
//! distance from the best end. What one of them finishes is proven.

mod distance;
mod frontier;

pub(crate) use distance::Distance;
use frontier::{Frontier, Order};
use groundfrog_reasoner::{MoveId, Reasoner, ReasonerError, State};

use super::position::Rules;
use crate::clock::Budget;

/// What is known of a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PuzzleResult {
    /// The best end that was found, and the moves to it.
    pub(crate) best: Option<(i64, Vec<MoveId>)>,
    /// Whether nothing better can be reached.
    pub(crate) is_proven: bool,
    /// Whether there was no room for further states.
    pub(crate) is_full: bool,
    /// Bytes that were held.
    pub(crate) bytes: u64,
    /// States that were looked at.
    pub(crate) states: u64,
}

/// How a turn of a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TurnEnd {
    /// All that can be reached was looked at, or nothing can be better than what was found.
    Complete,
    /// The states for this turn are spent.
    Spent,
    /// There is no room for further states.
    Full,
}

/// The best end so far, and what it could be worth at most.
#[derive(Debug)]
struct BestEnd {
    found: Option<(i64, Vec<MoveId>)>,
    top: i64,
}

impl BestEnd {
    /// Notes an end; whether it is as good as can be.
    fn note(&mut self, value: i64, path: impl FnOnce() -> Vec<MoveId>) -> bool {
        if self.found.as_ref().is_none_or(|it| it.0 < value) {
            self.found = Some((value, path()));
        }
        value >= self.top
    }
}

/// Finds the best end.
#[derive(Debug)]
pub(crate) struct Puzzle {
    /// The searches that take turns, and whether they have no more room.
    searches: Vec<(Frontier, bool)>,
    best: BestEnd,
    allowance: u64,
    turn: usize,
}

/// The states that a search may look at in its first turn.
const FIRST_ALLOWANCE: u64 = 1 << 14;

impl Puzzle {
    /// A search from the initial state, in so many bytes.
    pub(crate) fn new(rules: &Rules, top: i64, bytes: u64) -> Self {
        let root = rules.whole(rules.reasoner.initial());
        let distance = Distance::new(rules.reasoner.game(), top);
        Self::from_state(rules, root, distance, bytes)
    }

    /// A search from a state, in so many bytes. The distance is that from ends that are as good as can be.
    pub(crate) fn from_state(rules: &Rules, root: State, distance: Distance, bytes: u64) -> Self {
        let best = BestEnd { found: None, top: distance.value };
        let orders = [Order::FewestMoves, Order::Nearest(distance), Order::AsGiven];
        let bytes = bytes / orders.len() as u64;
        let search = |order| (Frontier::new(rules, &root, order, bytes), false);
        let searches = orders.into_iter().map(search).collect();
        Puzzle { searches, best, allowance: FIRST_ALLOWANCE, turn: 0 }
    }

    /// The shortest way from a state to an end that is worth so much, if it is found within a budget and so many bytes.
    pub(crate) fn shortest(
        rules: &mut Rules,
        root: &State,
        top: i64,
        bytes: u64,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Vec<MoveId>>, ReasonerError> {
        let mut best = BestEnd { found: None, top };
        Frontier::new(rules, root, Order::First, bytes).run(rules, budget, u64::MAX, &mut best)?;
        Ok(best.found.filter(|it| it.0 >= top).map(|it| it.1))
    }

    /// Searches as long as the budget allows; may be called again to go on.
    pub(crate) fn run(
        &mut self,
        rules: &mut Rules,
        budget: &mut Budget<'_>,
    ) -> Result<PuzzleResult, ReasonerError> {
        let mut is_proven = false;
        let count = self.searches.len();
        while !is_proven && !budget.is_spent() && self.searches.iter().any(|it| !it.1) {
            let (search, is_full) = &mut self.searches[self.turn % count];
            if !*is_full {
                let end = search.run(rules, budget, self.allowance, &mut self.best)?;
                is_proven = end == TurnEnd::Complete;
                *is_full = end == TurnEnd::Full;
            }
            // A turn that was cut short is not over.
            if !budget.is_spent() {
                self.turn += 1;
                if self.turn.is_multiple_of(count) {
                    self.allowance *= 4;
                }
            }
        }
        Ok(PuzzleResult {
            best: self.best.found.clone(),
            is_proven,
            is_full: self.searches.iter().all(|it| it.1),
            bytes: self.searches.iter().map(|it| it.0.bytes()).sum(),
            states: budget.steps(),
        })
    }
}
