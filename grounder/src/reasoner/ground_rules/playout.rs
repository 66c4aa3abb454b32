//! Random playouts.

use super::GroundReasoner;
use crate::game::RoleId;
use crate::reasoner::random::select_bit;
use crate::reasoner::{MoveId, Random, Reasoner, ReasonerError, State};

/// How a random playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// Joint moves made: states expanded.
    pub length: u32,
    /// Whether a terminal state was reached within the cap.
    pub terminal: bool,
}

impl GroundReasoner {
    /// Plays from the initial state, each role choosing evenly among its legal moves, until a terminal state
    /// or `cap` joint moves. The state reached can be asked about by [`GroundReasoner::final_goals`].
    ///
    /// # Errors
    /// [`ReasonerError::NoLegalMove`].
    pub fn playout(&mut self, random: &mut Random, cap: u32) -> Result<Playout, ReasonerError> {
        self.playout_observed(random, cap, |_, _| {})
    }

    /// As [`GroundReasoner::playout`], and shows each state that is left with the moves made in it.
    ///
    /// # Errors
    /// [`ReasonerError::NoLegalMove`].
    pub fn playout_observed(
        &mut self,
        random: &mut Random,
        cap: u32,
        mut observe: impl FnMut(&[u64], &[MoveId]),
    ) -> Result<Playout, ReasonerError> {
        let start = std::mem::take(&mut self.initial);
        self.enter(&start);
        self.initial = start;
        let roles = self.game.roles().len();
        let mut moves = vec![MoveId(0); roles];
        for length in 0..cap {
            if self.compiled.holds(self.compiled.terminal, &self.activity) {
                return Ok(Playout { length, terminal: true });
            }
            for (role, chosen) in moves.iter_mut().enumerate() {
                let Some(it) = self.random_move(role, random) else {
                    let role = self.role_text(RoleId(role as u32));
                    return Err(ReasonerError::NoLegalMove { role });
                };
                *chosen = it;
            }
            observe(&self.state, &moves);
            let made = moves.iter().map(|it| it.0);
            self.compiled.successor.advance(
                &self.state,
                made,
                &mut self.activity,
                &mut self.scratch,
            );
            self.step();
        }
        let terminal = self.compiled.holds(self.compiled.terminal, &self.activity);
        Ok(Playout { length: cap, terminal })
    }

    /// The goal values of a role in the state that the last playout reached.
    pub fn final_goals(&mut self, role: RoleId, values: &mut Vec<i64>) {
        self.values_of(role, values);
    }

    /// The state that the last playout reached.
    pub fn final_state(&self) -> State {
        let mut state = State::default();
        state.copy_from(&self.state);
        state
    }

    #[inline]
    fn random_move(&mut self, role: usize, random: &mut Random) -> Option<MoveId> {
        let legal = &self.compiled.legal;
        let count = legal.collect(role, &self.activity, &mut self.legal);
        let mut rank = match count {
            0 => return None,
            1 => 0,
            count => random.below(count),
        };
        for (index, &word) in self.legal[..legal.words(role)].iter().enumerate() {
            let ones = word.count_ones();
            if rank < ones {
                let bit = index as u32 * 64 + select_bit(word, rank);
                return Some(legal.move_at(role, bit));
            }
            rank -= ones;
        }
        unreachable!("the rank is below the number of legal moves")
    }
}
