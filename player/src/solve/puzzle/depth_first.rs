//! Depth-first search in which every state is entered once.

use groundfrog_reasoner::{MoveId, Reasoner, ReasonerError, State};

use super::super::position::{Children, Rules};
use super::super::table::{StateBounds, Table};
use super::{Search, TurnEnd};

/// Which moves are tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveOrder {
    AsGiven,
    Backwards,
    /// Those after which there are fewest moves (Warnsdorff 1823, for the knight's tour).
    FewestMoves,
    MostMoves,
}

/// On the way to the present state.
const OPEN: u8 = 0;
/// All that comes after it was looked at.
const DONE: u8 = 1;
/// Left when another order was tried, and to be entered again.
const LEFT: u8 = 2;

/// The way to the present state, and all states that were entered.
#[derive(Debug)]
pub(super) struct DepthFirst {
    root: State,
    /// The moves to the root: some after the table was full.
    before: Vec<MoveId>,
    visited: Table,
    words: usize,
    bytes: u64,
    /// Words of the states on the way.
    states: Vec<u64>,
    /// Moves on the way: one less than states.
    made: Vec<MoveId>,
    /// Moves to be tried, the next one last; those of a state begin at its start.
    pending: Vec<MoveId>,
    starts: Vec<usize>,
    /// The order that is being followed.
    order: Option<MoveOrder>,
    /// Whether a way has come back to one of its states.
    came_back: bool,
    children: Children,
}

impl DepthFirst {
    pub(super) fn new(rules: &Rules, root: State, bytes: u64) -> Self {
        DepthFirst {
            root,
            before: Vec::new(),
            visited: Table::new(rules.words, bytes * 3 / 4),
            words: rules.words,
            bytes,
            states: Vec::new(),
            made: Vec::new(),
            pending: Vec::new(),
            starts: Vec::new(),
            order: None,
            came_back: false,
            children: Children::default(),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.visited.bytes() + self.way_bytes()
    }

    fn way_bytes(&self) -> u64 {
        let own = (self.states.len() + self.starts.len()) * 8;
        (own + (self.made.len() + self.pending.len()) * 4) as u64
    }

    /// Begins anew below another state, with an empty table. Says whether that is another one than before.
    pub(super) fn begin_at(&mut self, root: State, before: Vec<MoveId>) -> bool {
        if before == self.before {
            return false;
        }
        self.visited.clear();
        self.states.clear();
        (self.root, self.before) = (root, before);
        true
    }

    /// Whether it has all states before it that the puzzle has.
    pub(super) fn is_whole(&self) -> bool {
        self.before.is_empty()
    }

    fn mark(&mut self, state: &[u64], mark: u8) -> bool {
        self.visited.try_put(state, StateBounds::new(mark, mark))
    }

    /// Begins again at the root. What is done stays done, if no way came back: otherwise it was done only as seen from the
    /// way that led there.
    fn begin(&mut self, order: MoveOrder) {
        if self.came_back {
            self.visited.clear();
        } else {
            let states = std::mem::take(&mut self.states);
            for state in states.chunks_exact(self.words) {
                self.mark(state, LEFT);
            }
        }
        self.states.clear();
        self.made.clear();
        self.pending.clear();
        self.starts.clear();
        self.order = Some(order);
    }

    pub(super) fn run(
        &mut self,
        order: MoveOrder,
        search: &mut Search<'_, '_>,
    ) -> Result<TurnEnd, ReasonerError> {
        self.begin(order);
        let root = self.root.clone();
        match self.enter(&root, None, search)? {
            Some(end) => return Ok(end),
            None if self.starts.is_empty() => return Ok(TurnEnd::Complete),
            None => {}
        }
        let mut next = State::default();
        while let Some(&start) = self.starts.last() {
            let top = self.states.len() - self.words;
            let state = State::of_words(&self.states[top..]);
            if self.pending.len() == start {
                self.mark(state.words(), DONE);
                self.states.truncate(top);
                self.starts.pop();
                self.made.pop();
                continue;
            }
            let by = self.pending.pop().expect("there are pending moves");
            if !search.budget.work() {
                return Ok(TurnEnd::Spent);
            }
            search.rules.reasoner.next_state(&state, &[by], &mut next)?;
            // What changes nothing leads nowhere.
            if next == state {
                continue;
            }
            match self.visited.get(next.words()) {
                Some(known) if known.lower == OPEN => self.came_back = true,
                Some(known) if known.lower == DONE => {}
                _ => {
                    if let Some(end) = self.enter(&next, Some(by), search)? {
                        return Ok(end);
                    }
                }
            }
        }
        Ok(TurnEnd::Complete)
    }

    /// Enters a state that was not entered before. A state that is not terminal becomes the last one on the way.
    fn enter(
        &mut self,
        state: &State,
        by: Option<MoveId>,
        search: &mut Search<'_, '_>,
    ) -> Result<Option<TurnEnd>, ReasonerError> {
        if !search.step(&self.visited) {
            return Ok(Some(TurnEnd::Spent));
        }
        if search.rules.is_terminal(state)? {
            let value = search.rules.goal(state, search.role)?;
            let path = || self.before.iter().chain(&self.made).copied().chain(by).collect();
            let complete = search.note(value, path);
            let noted = self.mark(state.words(), DONE);
            return Ok(match (complete, noted) {
                (true, _) => Some(TurnEnd::Complete),
                (_, false) => Some(TurnEnd::Full),
                _ => None,
            });
        }
        if !self.mark(state.words(), OPEN) || self.way_bytes() > self.bytes / 4 {
            return Ok(Some(TurnEnd::Full));
        }
        self.states.extend_from_slice(state.words());
        self.made.extend(by);
        self.starts.push(self.pending.len());
        match self.order.unwrap_or(MoveOrder::AsGiven) {
            MoveOrder::AsGiven => {
                search.rules.find_legal(state)?;
                self.pending.extend(search.rules.legal[0].iter().rev());
            }
            MoveOrder::Backwards => {
                search.rules.find_legal(state)?;
                self.pending.extend(&search.rules.legal[0]);
            }
            order => {
                if !self.add_by_mobility(state, order, search)? {
                    return Ok(Some(TurnEnd::Spent));
                }
            }
        }
        Ok(None)
    }

    /// Adds the moves of a state by how many moves there are after them. Ends come first. Says whether there was time for it.
    fn add_by_mobility(
        &mut self,
        state: &State,
        order: MoveOrder,
        search: &mut Search<'_, '_>,
    ) -> Result<bool, ReasonerError> {
        if !search.rules.expand_within(state, &mut self.children, search.budget)? {
            self.pending.extend(&search.rules.legal[0]);
            return Ok(true);
        }
        let mut scored: Vec<(i64, u32, MoveId)> = Vec::new();
        for child in 0..self.children.len() {
            let next = self.children.state(child);
            if next == state {
                continue;
            }
            if let Some(known) = self.visited.get(next.words())
                && known.lower != LEFT
            {
                self.came_back |= known.lower == OPEN;
                continue;
            }
            if !search.budget.work() {
                return Ok(false);
            }
            let mobility = if search.rules.is_terminal(next)? {
                -1
            } else {
                search.rules.find_legal(next)?;
                let count = search.rules.legal[0].len() as i64;
                if order == MoveOrder::MostMoves { -count - 1 } else { count }
            };
            scored.push((mobility, child as u32, self.children.moves[child]));
        }
        scored.sort_unstable_by(|one, other| other.cmp(one));
        self.pending.extend(scored.iter().map(|it| it.2));
        Ok(true)
    }
}
