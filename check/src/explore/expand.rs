//! All joint moves of a state.

use groundfrog::game::RoleId;
use groundfrog_reasoner::{GroundReasoner, MoveId, State, Vocabulary};

/// What a state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateKind {
    /// The match is over.
    Terminal,
    /// This role has no legal move.
    Stuck(RoleId),
    /// The match goes on.
    Moves,
}

/// Goes through the joint moves of states.
pub(super) struct Expander<'a> {
    pub(super) reasoner: &'a mut GroundReasoner,
    state: State,
    /// By role: its legal moves.
    legal: Vec<Vec<MoveId>>,
    /// By role: the position of its move in `legal`.
    chosen: Vec<usize>,
    joint: Vec<MoveId>,
}

impl<'a> Expander<'a> {
    pub(super) fn new(reasoner: &'a mut GroundReasoner) -> Self {
        let roles = reasoner.roles().len();
        Expander {
            reasoner,
            state: State::default(),
            legal: vec![Vec::new(); roles],
            chosen: vec![0; roles],
            joint: vec![MoveId(0); roles],
        }
    }

    /// Makes a state the present one.
    pub(super) fn load(&mut self, words: &[u64]) {
        self.state.copy_from(words);
        self.reasoner.visit(&self.state);
    }

    /// Calls `visit` with each joint move of the present state and its successor, until it returns
    /// `false`.
    #[inline]
    pub(super) fn expand(&mut self, mut visit: impl FnMut(&[MoveId], &[u64]) -> bool) -> StateKind {
        let outcome = self.begin(&[]);
        if outcome != StateKind::Moves {
            return outcome;
        }
        loop {
            if !visit(&self.joint, self.reasoner.after(&self.joint)) || !self.advance() {
                return StateKind::Moves;
            }
        }
    }

    /// Finds out the legal moves of the present state and makes a joint move the present one: the first, or
    /// that with these positions of moves, by role.
    pub(super) fn begin(&mut self, chosen: &[usize]) -> StateKind {
        if self.reasoner.is_over() {
            return StateKind::Terminal;
        }
        for role in 0..self.legal.len() {
            self.reasoner.moves_here(role, &mut self.legal[role]);
            let position = chosen.get(role).copied().unwrap_or(0);
            let Some(&it) = self.legal[role].get(position) else {
                return StateKind::Stuck(RoleId(role as u32));
            };
            (self.joint[role], self.chosen[role]) = (it, position);
        }
        StateKind::Moves
    }

    /// How many joint moves the present state has.
    pub(super) fn branching(&self) -> u64 {
        self.legal.iter().fold(1, |all, it| all.saturating_mul(it.len() as u64))
    }

    /// The successor by the present joint move.
    pub(super) fn successor(&mut self) -> &[u64] {
        self.reasoner.after(&self.joint)
    }

    /// The positions of the moves of the present joint move, by role.
    pub(super) fn chosen(&self) -> &[usize] {
        &self.chosen
    }

    /// Goes on to the next joint move, if there is one.
    pub(super) fn advance(&mut self) -> bool {
        for role in (0..self.legal.len()).rev() {
            let position = self.chosen[role] + 1;
            let next = if position < self.legal[role].len() { position } else { 0 };
            (self.chosen[role], self.joint[role]) = (next, self.legal[role][next]);
            if next > 0 {
                return true;
            }
        }
        false
    }
}
