//! Questions about the present state without checks, for exploring state spaces.

use super::GroundReasoner;
use crate::state::bits;
use crate::{MoveId, State};
use groundfrog::game::RoleId;

impl GroundReasoner {
    /// Makes a state the present one.
    pub fn visit(&mut self, state: &State) {
        self.enter(state);
    }

    /// Whether the present state is terminal.
    pub fn is_over(&self) -> bool {
        self.compiled.holds(self.compiled.terminal, &self.activity)
    }

    /// The moves that are legal for a role in the present state; `moves` is replaced.
    pub fn moves_here(&mut self, role: usize, moves: &mut Vec<MoveId>) {
        moves.clear();
        let legal = &self.compiled.legal;
        legal.collect(role, &self.activity, &mut self.legal);
        let words = &self.legal[..legal.words(role)];
        moves.extend(bits(words).map(|bit| legal.move_at(role, bit)));
    }

    /// The successor of the present state, which stays the present one, for legal moves.
    pub fn after(&mut self, moves: &[MoveId]) -> &[u64] {
        self.compute_next(moves);
        &self.scratch.next
    }

    /// The goal values of a role in the present state, ascending; `values` is replaced.
    pub fn goals_here(&mut self, role: RoleId, values: &mut Vec<i64>) {
        self.values_of(role, values);
    }
}
