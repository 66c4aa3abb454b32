//! What a role can expect, depth first and state by state: what matrix games and games with chance have in common.

use fxhash::FxHashMap;
use groundfrog::game::RoleId;
use groundfrog_reasoner::{ReasonerError, State};

use super::Undecided;
use super::budget::Budget;
use super::position::{Children, Rules};

/// Nobody looks further ahead than this many joint moves.
const DEEPEST: usize = 2000;

/// The states that have been met, with their values for a role.
pub(super) struct Expectation<'run, 'watch> {
    pub(super) rules: &'run mut Rules,
    pub(super) budget: &'run mut Budget<'watch>,
    pub(super) role: usize,
    pub(super) undecided: Option<Undecided>,
    /// `None` while it is on the way.
    known: FxHashMap<State, Option<f64>>,
    room: u64,
}

/// What there is to do for a state.
pub(super) enum Entered {
    /// Nothing: its value, or `None` if that is given up.
    Known(Option<f64>),
    /// To find the values of the states after it.
    Open(Children),
}

impl<'run, 'watch> Expectation<'run, 'watch> {
    /// Half of the memory is for states.
    pub(super) fn new(
        rules: &'run mut Rules,
        budget: &'run mut Budget<'watch>,
        role: usize,
        memory: u64,
    ) -> Self {
        let room = memory / 2 / entry(rules);
        Expectation { rules, budget, role, undecided: None, known: FxHashMap::default(), room }
    }

    /// Looks at a state so many joint moves from the initial one.
    pub(super) fn enter(&mut self, state: &State, depth: usize) -> Result<Entered, ReasonerError> {
        let given_up = |found: &mut Self, why| Ok(Entered::Known(found.give_up(why)));
        match self.known.get(state) {
            Some(Some(value)) => return Ok(Entered::Known(Some(*value))),
            Some(None) => return given_up(self, Undecided::Endless),
            None => {}
        }
        if !self.budget.step() {
            return given_up(self, Undecided::Budget);
        }
        if self.known.len() as u64 >= self.room {
            return given_up(self, Undecided::Memory);
        }
        if depth == DEEPEST {
            return given_up(self, Undecided::TooDeep);
        }
        if self.rules.is_terminal(state)? {
            let value = self.rules.goal(state, RoleId(self.role as u32))? as f64;
            return Ok(Entered::Known(Some(self.decide(state, value))));
        }
        let mut children = Children::default();
        if !self.rules.expand_within(state, &mut children, self.budget)? {
            let is_spent = self.budget.is_spent();
            return given_up(self, if is_spent { Undecided::Budget } else { Undecided::TooWide });
        }
        self.known.insert(state.clone(), None);
        Ok(Entered::Open(children))
    }

    /// Remembers the value of a state.
    pub(super) fn decide(&mut self, state: &State, value: f64) -> f64 {
        self.known.insert(state.clone(), Some(value));
        value
    }

    pub(super) fn give_up(&mut self, why: Undecided) -> Option<f64> {
        self.undecided.get_or_insert(why);
        None
    }

    /// How many states are remembered.
    pub(super) fn states(&self) -> u64 {
        self.known.len() as u64
    }
}

/// Bytes of a state: itself, its words, and what the map needs.
pub(super) fn entry(rules: &Rules) -> u64 {
    56 + rules.words as u64 * 8
}
