//! One search of a puzzle: the states that wait, and in which order they are looked at.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use groundfrog::game::RoleId;
use groundfrog_reasoner::{MoveId, ReasonerError, State};

use super::super::position::{Children, Rules};
use super::super::table::Table;
use super::{BestEnd, Distance, TurnEnd};
use crate::clock::Budget;

/// A step towards the end counts as much as so many steps of the way.
const WEIGHT: u32 = 5;

/// Which state is looked at next.
#[derive(Clone, Debug)]
pub(super) enum Order {
    /// The one nearest to the best end.
    Nearest(Distance),
    /// The one that was reached first: breadth-first search.
    First,
    /// Depth-first search: one after the last state, by the first of its moves.
    AsGiven,
    /// The same, one with fewest moves (Warnsdorff 1823, for the knight's tour).
    FewestMoves,
}

/// How a state was reached.
#[derive(Clone, Copy, Debug)]
struct Reached {
    from: u32,
    by: MoveId,
    depth: u32,
}

/// States that were reached and wait.
#[derive(Debug)]
pub(super) struct Frontier {
    order: Order,
    /// Those that were reached, or in depth-first search those that were looked at.
    visited: Table,
    /// Whether none of these was forgotten.
    is_whole: bool,
    /// By number: the words of all states that were reached, in depth-first search of those on the way and beside it.
    states: Vec<u64>,
    reached: Vec<Reached>,
    /// By how far they are: the next one first.
    waiting: BinaryHeap<Reverse<(u32, u32)>>,
    words: usize,
    most_bytes: u64,
    children: Children,
}

impl Frontier {
    pub(super) fn new(rules: &Rules, root: &State, order: Order, bytes: u64) -> Self {
        let mut visited = Table::new(rules.words, bytes / 2);
        if matches!(order, Order::Nearest(_) | Order::First) {
            visited.visit(root.words());
        }
        Frontier {
            order,
            visited,
            is_whole: true,
            states: root.words().to_vec(),
            reached: vec![Reached { from: 0, by: MoveId(0), depth: 0 }],
            waiting: BinaryHeap::from([Reverse((0, 0))]),
            words: rules.words,
            most_bytes: bytes,
            children: Children::default(),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        let own = self.states.len() * 8 + self.reached.len() * 12 + self.waiting.len() * 8;
        self.visited.bytes() + own as u64
    }

    fn is_depth_first(&self) -> bool {
        !matches!(self.order, Order::Nearest(_) | Order::First)
    }

    fn state(&self, number: u32) -> State {
        let start = number as usize * self.words;
        State::of_words(&self.states[start..start + self.words])
    }

    /// The numbers of the states on the way to one, from the last one to the first one.
    fn way(&self, number: u32) -> impl Iterator<Item = u32> + '_ {
        let before = |&it: &u32| (it != 0).then(|| self.reached[it as usize].from);
        std::iter::successors(Some(number), before)
    }

    fn path(&self, number: u32) -> Vec<MoveId> {
        let states: Vec<u32> = self.way(number).filter(|&it| it != 0).collect();
        states.iter().rev().map(|&it| self.reached[it as usize].by).collect()
    }

    /// Searches on, within a budget and at most so many states.
    pub(super) fn run(
        &mut self,
        rules: &mut Rules,
        budget: &mut Budget<'_>,
        mut left: u64,
        best: &mut BestEnd,
    ) -> Result<TurnEnd, ReasonerError> {
        while let Some(entry) = self.waiting.pop() {
            let Reverse((_, number)) = entry;
            let state = self.state(number);
            if self.is_depth_first() {
                // What was reached after it has been looked at.
                self.reached.truncate(number as usize + 1);
                self.states.truncate(self.reached.len() * self.words);
                if self.visited.get(state.words()).is_some() {
                    continue;
                }
            }
            // The table may have to grow.
            budget.keep_free(self.visited.growing());
            left = left.saturating_sub(1);
            if !budget.step() || left == 0 {
                self.waiting.push(entry);
                return Ok(TurnEnd::Spent);
            }
            if self.bytes() > self.most_bytes || self.is_depth_first() && !self.visit(number) {
                self.waiting.push(entry);
                return Ok(TurnEnd::Full);
            }
            if rules.is_terminal(&state)? {
                let value = rules.goal(&state, RoleId(0))?;
                if best.note(value, || self.path(number)) {
                    return Ok(TurnEnd::Complete);
                }
                continue;
            }
            if !self.expand(number, &state, rules, budget)? {
                self.is_whole = false;
                return Ok(if budget.is_spent() { TurnEnd::Spent } else { TurnEnd::Full });
            }
        }
        Ok(if self.is_whole { TurnEnd::Complete } else { TurnEnd::Full })
    }

    /// Notes that a state is looked at. Where there is no room, all are forgotten but those on the way to it; `false` if there is none for
    /// these.
    fn visit(&mut self, number: u32) -> bool {
        if self.visited.visit(self.state(number).words()) {
            return true;
        }
        self.is_whole = false;
        self.visited.clear();
        let way: Vec<State> = self.way(number).map(|it| self.state(it)).collect();
        way.iter().all(|it| self.visited.visit(it.words()))
    }

    /// Lets the states after one wait. Says whether there was time and room for that.
    fn expand(
        &mut self,
        number: u32,
        state: &State,
        rules: &mut Rules,
        budget: &mut Budget<'_>,
    ) -> Result<bool, ReasonerError> {
        let mut children = std::mem::take(&mut self.children);
        if !rules.expand_within(state, &mut children, budget)? {
            return Ok(false);
        }
        let depth = self.reached[number as usize].depth + 1;
        let mut new: Vec<(i64, u32)> = Vec::new();
        for child in 0..children.len() {
            let next = children.state(child);
            if self.visited.get(next.words()).is_some() {
                continue;
            }
            let far = match &mut self.order {
                Order::Nearest(distance) => {
                    i64::from(distance.of(next).saturating_mul(WEIGHT).saturating_add(depth))
                }
                Order::First => i64::from(depth),
                Order::AsGiven => child as i64,
                Order::FewestMoves if !budget.work() => return Ok(false),
                Order::FewestMoves => mobility(rules, next)?,
            };
            new.push((far, child as u32));
            if !self.is_depth_first() && !self.visited.visit(next.words()) {
                return Ok(false);
            }
        }
        if self.is_depth_first() {
            new.sort_unstable_by(|one, other| other.cmp(one));
        }
        for (far, child) in new {
            let reached = self.reached.len() as u32;
            // Depth-first, the one that was reached last is the next one.
            let far = if self.is_depth_first() { u32::MAX - reached } else { far as u32 };
            self.states.extend_from_slice(children.state(child as usize).words());
            self.reached.push(Reached { from: number, by: children.moves[child as usize], depth });
            self.waiting.push(Reverse((far, reached)));
        }
        self.children = children;
        Ok(true)
    }
}

/// How many moves there are in a state; ends come first.
fn mobility(rules: &mut Rules, state: &State) -> Result<i64, ReasonerError> {
    if rules.is_terminal(state)? {
        return Ok(-1);
    }
    rules.find_legal(state)?;
    Ok(rules.legal[0].len() as i64)
}
