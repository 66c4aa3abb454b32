//! Puzzles: the best end that the only player can reach.
//!
//! Every state is expanded once at most, so play that comes back to a state does no harm. Several searches take turns, each
//! with more states than the time before: depth-first in different orders of the moves, and best-first by the
//! distance from the best end. What one of them finishes is proven. Where depth-first search has no more room, it begins again below
//! what best-first search has found nearest.

mod best_first;
mod depth_first;

use std::sync::Arc;

use best_first::BestFirst;
use depth_first::{DepthFirst, MoveOrder};
use groundfrog::RulesByHead;
use groundfrog::game::{AtomId, GroundGame, RoleId};
use groundfrog_reasoner::{FluentId, MoveId, ReasonerError, State};

use super::position::Rules;
use super::table::Table;
use crate::clock::StateBudget;

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

/// Finds the best end.
#[derive(Debug)]
pub(crate) struct Puzzle {
    depth_first: DepthFirst,
    best_first: BestFirst,
    best: Option<(i64, Vec<MoveId>)>,
    top: i64,
    allowance: u64,
    turn: usize,
    full: [bool; 2],
}

/// The states that a search may look at in its first turn.
const FIRST_ALLOWANCE: u64 = 1 << 14;

/// The orders of depth-first search, and `None` for best-first search.
const TURNS: [Option<MoveOrder>; 5] = [
    Some(MoveOrder::FewestMoves),
    None,
    Some(MoveOrder::AsGiven),
    Some(MoveOrder::MostMoves),
    Some(MoveOrder::Backwards),
];

impl Puzzle {
    /// A search from the initial state, in so many bytes.
    pub(crate) fn new(rules: &Rules, top: i64, bytes: u64) -> Self {
        let root = rules.whole(groundfrog_reasoner::Reasoner::initial(&rules.reasoner));
        let distance = Distance::new(rules.reasoner.game(), top);
        Self::from_state(rules, root, distance, bytes)
    }

    /// A search from a state, in so many bytes. The distance is that from ends that are as good as can be.
    pub(crate) fn from_state(rules: &Rules, root: State, distance: Distance, bytes: u64) -> Self {
        let top = distance.value;
        Puzzle {
            depth_first: DepthFirst::new(rules, root.clone(), bytes / 2),
            best_first: BestFirst::new(rules, root, Some(distance), bytes / 2),
            best: None,
            top,
            allowance: FIRST_ALLOWANCE,
            turn: 0,
            full: [false; 2],
        }
    }

    /// The shortest way from a state to an end that is worth so much, if it is found within a budget and so many bytes.
    pub(crate) fn shortest(
        rules: &mut Rules,
        root: &State,
        top: i64,
        bytes: u64,
        budget: &mut StateBudget<'_>,
    ) -> Result<Option<Vec<MoveId>>, ReasonerError> {
        let mut breadth_first = BestFirst::new(rules, root.clone(), None, bytes);
        let (mut best, left, role) = (None, u64::MAX, RoleId(0));
        let mut search = Search { rules, budget, left, best: &mut best, top, role };
        breadth_first.run(&mut search)?;
        Ok(best.filter(|it| it.0 >= top).map(|it| it.1))
    }

    /// Searches as long as the budget allows; may be called again to go on.
    pub(crate) fn run(
        &mut self,
        rules: &mut Rules,
        budget: &mut StateBudget<'_>,
    ) -> Result<PuzzleResult, ReasonerError> {
        let mut is_proven = false;
        while !is_proven && !budget.is_spent() && self.full != [true; 2] {
            let order = TURNS[self.turn % TURNS.len()];
            let kind = usize::from(order.is_none());
            if self.full[kind] {
                self.turn += 1;
                continue;
            }
            let mut search = Search {
                rules: &mut *rules,
                budget: &mut *budget,
                left: self.allowance,
                best: &mut self.best,
                top: self.top,
                role: RoleId(0),
            };
            let end = match order {
                Some(order) => self.depth_first.run(order, &mut search)?,
                None => self.best_first.run(&mut search)?,
            };
            let is_top = self.best.as_ref().is_some_and(|it| it.0 >= self.top);
            match end {
                TurnEnd::Complete if kind == 1 || is_top || self.depth_first.is_whole() => {
                    is_proven = true;
                }
                TurnEnd::Full if kind == 1 => self.full[1] = true,
                TurnEnd::Spent => {}
                // What is nearest by best-first search is the best place to begin again.
                TurnEnd::Complete | TurnEnd::Full => {
                    let nearest = self.best_first.nearest();
                    let begins = nearest.is_some_and(|it| self.depth_first.begin_at(it.0, it.1));
                    self.full[0] |= !begins;
                }
            }
            // A turn that was cut short is not over.
            if !budget.is_spent() {
                self.turn += 1;
                if self.turn.is_multiple_of(TURNS.len()) {
                    self.allowance *= 4;
                }
            }
        }
        Ok(PuzzleResult {
            best: self.best.clone(),
            is_proven,
            is_full: self.full == [true; 2],
            bytes: self.depth_first.bytes() + self.best_first.bytes(),
            states: budget.steps(),
        })
    }
}

/// What the searches share in a turn.
struct Search<'run, 'watch> {
    rules: &'run mut Rules,
    budget: &'run mut StateBudget<'watch>,
    /// States that may be looked at in this turn.
    left: u64,
    best: &'run mut Option<(i64, Vec<MoveId>)>,
    top: i64,
    role: RoleId,
}

impl Search<'_, '_> {
    /// Counts a state; whether the turn may go on. The table that it is put into may have to grow.
    fn step(&mut self, visited: &Table) -> bool {
        self.budget.keep_free(visited.growing());
        self.left = self.left.saturating_sub(1);
        self.budget.step() && self.left > 0
    }

    /// Notes an end; whether it is as good as can be.
    fn note(&mut self, value: i64, path: impl FnOnce() -> Vec<MoveId>) -> bool {
        if self.best.as_ref().is_none_or(|it| it.0 < value) {
            *self.best = Some((value, path()));
        }
        value >= self.top
    }
}

/// More than anything costs.
const FAR: u32 = 1 << 16;

/// Where an atom's cost comes from.
#[derive(Clone, Debug)]
enum Source {
    Fluent(FluentId),
    /// Bodies: atoms by their positions in the order, and whether they are negated.
    Rules(Vec<Vec<(u32, bool)>>),
}

/// How far a state is from the best end of a puzzle: how many fluents would have to change.
///
/// A conjunction costs the sum of its parts and a disjunction the least of them, as in heuristics for planning (Bonet &
/// Geffner, "Planning as heuristic search", 2001) without looking ahead. It orders states and proves nothing.
///
/// It has the atoms that the wanted end depends on, each after those it depends on. Clones share all but the costs.
#[derive(Clone, Debug)]
pub(crate) struct Distance {
    sources: Arc<[Source]>,
    /// By atom: what it costs to let it hold, and to let it not hold.
    costs: Vec<(u32, u32)>,
    wanted: Arc<[u32]>,
    /// The value of the ends.
    pub(crate) value: i64,
}

impl Distance {
    /// The distance from the ends with this value.
    pub(crate) fn new(game: &GroundGame, value: i64) -> Self {
        let by_head = RulesByHead::new(game);
        let goals = game.goals_of(RoleId(0)).filter(|it| it.value == Some(value)).map(|it| it.atom);
        let wanted: Vec<AtomId> = goals.chain(game.terminal()).collect();
        let order = order(game, &by_head, &wanted);
        let mut positions = vec![u32::MAX; game.atom_count()];
        for (position, atom) in order.iter().enumerate() {
            positions[atom.index()] = position as u32;
        }
        let first = game.fluents().next().map_or(0, |it| it.0);
        let fluents = first..first + game.fluents().len() as u32;
        let source = |atom: &AtomId| {
            if fluents.contains(&atom.0) {
                return Source::Fluent(FluentId(atom.0 - first));
            }
            let bodies = by_head.rules(*atom).iter().map(|&rule| {
                let body = game.rules().rule(rule as usize).body.iter();
                body.map(|it| (positions[it.atom() as usize], it.is_negated())).collect()
            });
            Source::Rules(bodies.collect())
        };
        let sources: Arc<[Source]> = order.iter().map(source).collect();
        let wanted = wanted.iter().map(|it| positions[it.index()]).collect();
        Distance { costs: vec![(FAR, 0); sources.len()], sources, wanted, value }
    }

    /// How far a state is.
    pub(crate) fn of(&mut self, state: &State) -> u32 {
        for (position, source) in self.sources.iter().enumerate() {
            self.costs[position] = match source {
                Source::Fluent(fluent) => {
                    let holds = state.contains(*fluent);
                    (u32::from(!holds), u32::from(holds))
                }
                Source::Rules(bodies) => {
                    let (mut hold, mut fail) = (FAR, 0_u32);
                    for body in bodies {
                        let (mut all, mut one) = (0_u32, FAR);
                        for &(atom, negated) in body {
                            let (yes, no) = self.costs[atom as usize];
                            let (yes, no) = if negated { (no, yes) } else { (yes, no) };
                            all = all.saturating_add(yes);
                            one = one.min(no);
                        }
                        hold = hold.min(all);
                        fail = fail.saturating_add(one);
                    }
                    (hold.min(FAR), fail.min(FAR))
                }
            };
        }
        self.wanted.iter().map(|&it| self.costs[it as usize].0).sum()
    }
}

/// The atoms that some depend on, each after those it depends on, but for recursion.
fn order(game: &GroundGame, by_head: &RulesByHead, wanted: &[AtomId]) -> Vec<AtomId> {
    let mut seen = vec![false; game.atom_count()];
    let mut order = Vec::new();
    // An atom, and whether what it depends on is in order.
    let mut stack: Vec<(AtomId, bool)> = wanted.iter().map(|&it| (it, false)).collect();
    while let Some((atom, done)) = stack.pop() {
        if done {
            order.push(atom);
            continue;
        }
        if std::mem::replace(&mut seen[atom.index()], true) {
            continue;
        }
        stack.push((atom, true));
        for &rule in by_head.rules(atom) {
            stack.extend(
                game.rules().rule(rule as usize).body.iter().map(|it| (AtomId(it.atom()), false)),
            );
        }
    }
    order
}
