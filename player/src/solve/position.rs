//! States of a ground game as the solvers look at them.

use std::sync::Arc;

use groundfrog::game::{GroundGame, RoleId};
use groundfrog_reasoner::state_space::next_joint_move;
use groundfrog_reasoner::{
    BuildError, GroundReasoner, MoveId, Reasoner, ReasonerError, State, Vocabulary,
};

use crate::clock::StateBudget;

/// States with more joint moves are not expanded.
const MOST_CHILDREN: usize = 1 << 16;

/// Joint moves of a state, and where they lead.
#[derive(Clone, Debug, Default)]
pub(crate) struct Children {
    /// The moves of all roles, one joint move after the other.
    pub(crate) moves: Vec<MoveId>,
    /// The states; those from `len` on are room for others.
    states: Vec<State>,
    len: usize,
}

impl Children {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Where a joint move leads.
    pub(crate) fn state(&self, child: usize) -> &State {
        &self.states[child]
    }

    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> u64 {
        let words = self.states.first().map_or(0, |it| it.words().len());
        let states = self.states.len() * (words * 8 + size_of::<State>());
        (states + self.moves.capacity() * size_of::<MoveId>()) as u64
    }

    fn clear(&mut self) {
        self.moves.clear();
        self.len = 0;
    }

    fn room(&mut self) -> &mut State {
        if self.len == self.states.len() {
            self.states.push(State::default());
        }
        self.len += 1;
        &mut self.states[self.len - 1]
    }
}

/// The rules of a game.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) reasoner: GroundReasoner,
    pub(crate) roles: usize,
    /// Words of a state.
    pub(crate) words: usize,
    /// By role: the legal moves of the state that was looked at last.
    pub(crate) legal: Vec<Vec<MoveId>>,
    joint: Vec<usize>,
    made: Vec<MoveId>,
}

impl Rules {
    pub(crate) fn new(game: Arc<GroundGame>) -> Result<Self, BuildError> {
        Ok(Rules::of(GroundReasoner::new(game)?))
    }

    /// The rules that a reasoner has.
    pub(crate) fn of(reasoner: GroundReasoner) -> Self {
        let words = reasoner.game().fluents().len().div_ceil(64).max(1);
        let roles = reasoner.roles().len();
        Rules {
            reasoner,
            roles,
            words,
            legal: vec![Vec::new(); roles],
            joint: Vec::new(),
            made: Vec::new(),
        }
    }

    /// The same state with as many words as all others have.
    pub(crate) fn whole(&self, state: &State) -> State {
        let mut words = state.words().to_vec();
        words.resize(self.words, 0);
        State::of_words(&words)
    }

    pub(crate) fn is_terminal(&mut self, state: &State) -> Result<bool, ReasonerError> {
        self.reasoner.is_terminal(state)
    }

    pub(crate) fn goal(&mut self, state: &State, role: RoleId) -> Result<i64, ReasonerError> {
        self.reasoner.goal(state, role)
    }

    /// Finds the legal moves of all roles.
    pub(crate) fn find_legal(&mut self, state: &State) -> Result<(), ReasonerError> {
        for role in 0..self.roles {
            let it = RoleId(role as u32);
            self.reasoner.legal_moves(state, it, &mut self.legal[role])?;
            if self.legal[role].is_empty() {
                return Err(ReasonerError::NoLegalMove { role: self.reasoner.role_text(it) });
            }
        }
        Ok(())
    }

    /// The joint move of that number, in the order of [`Rules::expand_within`], of the state whose legal moves were found last.
    pub(crate) fn joint_move(&self, mut number: usize) -> Option<Vec<MoveId>> {
        let mut made = Vec::new();
        for moves in self.legal.iter().rev() {
            made.push(*moves.get(number % moves.len().max(1))?);
            number /= moves.len();
        }
        made.reverse();
        (number == 0).then_some(made)
    }

    /// Computes the children of a state that is not terminal, in the order of the legal moves, those of the last role changing
    /// fastest, within a budget. Says whether they were few enough and all of them were computed.
    pub(crate) fn expand_within(
        &mut self,
        state: &State,
        children: &mut Children,
        budget: &mut StateBudget<'_>,
    ) -> Result<bool, ReasonerError> {
        self.find_legal(state)?;
        children.clear();
        let count = self.legal.iter().try_fold(1, |all: usize, it| all.checked_mul(it.len()));
        if count.is_none_or(|it| it > MOST_CHILDREN) {
            return Ok(false);
        }
        self.joint.clear();
        self.joint.resize(self.roles, 0);
        loop {
            if !budget.work() {
                return Ok(false);
            }
            self.made.clear();
            self.made.extend(self.legal.iter().zip(&self.joint).map(|(moves, &it)| moves[it]));
            children.moves.extend_from_slice(&self.made);
            self.reasoner.next_state(state, &self.made, children.room())?;
            if next_joint_move(&mut self.joint, |role| self.legal[role].len()).is_none() {
                return Ok(true);
            }
        }
    }
}
