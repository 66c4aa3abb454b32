//! Best-first search: what is nearest to the best end comes first; breadth-first search where no distance is given.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use groundfrog_reasoner::{MoveId, ReasonerError, State};

use super::super::position::{Children, Rules};
use super::super::table::{StateBounds, Table};
use super::Distance;
use super::{Search, TurnEnd};

/// A step towards the end counts as much as so many steps of the way.
const WEIGHT: u32 = 5;

/// How a state was reached.
#[derive(Clone, Copy, Debug)]
struct Reached {
    from: u32,
    by: MoveId,
    depth: u32,
}

/// States that wait, nearest first.
#[derive(Debug)]
pub(super) struct BestFirst {
    distance: Option<Distance>,
    visited: Table,
    /// By number: the words of all states that were reached.
    states: Vec<u64>,
    reached: Vec<Reached>,
    waiting: BinaryHeap<Reverse<(u32, u32)>>,
    words: usize,
    bytes: u64,
    children: Children,
}

impl BestFirst {
    pub(super) fn new(rules: &Rules, root: State, distance: Option<Distance>, bytes: u64) -> Self {
        let mut visited = Table::new(rules.words, bytes / 2);
        visited.try_put(root.words(), StateBounds::default());
        BestFirst {
            distance,
            visited,
            states: root.words().to_vec(),
            reached: vec![Reached { from: 0, by: MoveId(0), depth: 0 }],
            waiting: BinaryHeap::from([Reverse((0, 0))]),
            words: rules.words,
            bytes,
            children: Children::default(),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        let own = self.states.len() * 8 + self.reached.len() * 12 + self.waiting.len() * 8;
        self.visited.bytes() + own as u64
    }

    /// The state that waits and is nearest to the best end, and the moves to it.
    pub(super) fn nearest(&self) -> Option<(State, Vec<MoveId>)> {
        let Reverse((_, number)) = *self.waiting.peek()?;
        let start = number as usize * self.words;
        let state = State::of_words(&self.states[start..start + self.words]);
        Some((state, self.path(number)))
    }

    fn path(&self, mut number: u32) -> Vec<MoveId> {
        let mut path = Vec::new();
        while number != 0 {
            let Reached { from, by, .. } = self.reached[number as usize];
            path.push(by);
            number = from;
        }
        path.reverse();
        path
    }

    pub(super) fn run(&mut self, search: &mut Search<'_, '_>) -> Result<TurnEnd, ReasonerError> {
        while let Some(entry) = self.waiting.pop() {
            let Reverse((_, number)) = entry;
            if !search.step(&self.visited) {
                self.waiting.push(entry);
                return Ok(TurnEnd::Spent);
            }
            if self.bytes() > self.bytes {
                self.waiting.push(entry);
                return Ok(TurnEnd::Full);
            }
            let start = number as usize * self.words;
            let state = State::of_words(&self.states[start..start + self.words]);
            if search.rules.is_terminal(&state)? {
                let value = search.rules.goal(&state, search.role)?;
                if search.note(value, || self.path(number)) {
                    return Ok(TurnEnd::Complete);
                }
                continue;
            }
            let depth = self.reached[number as usize].depth + 1;
            if !search.rules.expand_within(&state, &mut self.children, search.budget)? {
                self.waiting.push(entry);
                let is_spent = search.budget.is_spent();
                return Ok(if is_spent { TurnEnd::Spent } else { TurnEnd::Full });
            }
            for child in 0..self.children.len() {
                let next = self.children.state(child);
                if self.visited.get(next.words()).is_some() {
                    continue;
                }
                if !self.visited.try_put(next.words(), StateBounds::default()) {
                    return Ok(TurnEnd::Full);
                }
                let left = self.distance.as_mut().map_or(0, |it| it.of(next));
                let far = left.saturating_mul(WEIGHT).saturating_add(depth);
                let reached = self.reached.len() as u32;
                self.states.extend_from_slice(next.words());
                self.reached.push(Reached { from: number, by: self.children.moves[child], depth });
                self.waiting.push(Reverse((far, reached)));
            }
        }
        Ok(TurnEnd::Complete)
    }
}
