//! Plain Monte Carlo.

use std::sync::Arc;
use std::time::Instant;

use groundfrog::Description;
use groundfrog_reasoner::State;

use super::estimates::Estimates;
use super::simple::{Followed, random_joint_move, value};
use super::{Decision, Strategy, StrategyError, StrategyOptions, Turn};

/// Joint moves after which a playout is given up.
const MAX_LENGTH: usize = 1000;

/// The move with the best mean over random playouts, which are shared out evenly among the legal moves.
pub struct MonteCarlo(Followed);

impl MonteCarlo {
    /// For a role of a game.
    pub fn new(description: Arc<Description>, role: &str, options: StrategyOptions) -> Self {
        MonteCarlo(Followed::new(description, role, options))
    }
}

impl Strategy for MonteCarlo {
    fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError> {
        self.0.prepare(deadline)
    }

    fn choose(&mut self, deadline: Instant) -> Result<Decision, StrategyError> {
        let until = self.0.until(deadline);
        let legal = self.0.legal()?.moves;
        let (position, random) = self.0.parts()?;
        let role = position.role();
        let mut estimates = Estimates::new(&legal);
        let (mut found, mut moves) = (Vec::new(), Vec::new());
        let (mut state, mut next) = (State::default(), State::default());
        let mut index = 0;
        'playouts: while legal.len() > 1 && !until.is_over() {
            let (machine, start) = position.draw();
            state.clone_from(&start.state);
            let mut own = Some((role, legal[index]));
            for _ in 0..MAX_LENGTH {
                let room = (&mut found, &mut moves);
                if !random_joint_move(machine, &state, own.take(), random, room)? {
                    break;
                }
                machine.next_state(&state, &moves, &mut next)?;
                std::mem::swap(&mut state, &mut next);
                if machine.is_terminal(&state)? {
                    if let Some(value) = value(machine, &state, role)? {
                        estimates.add(index, value);
                    }
                    break;
                }
                if until.is_over() {
                    break 'playouts;
                }
            }
            index = (index + 1) % legal.len();
        }
        Ok(estimates.decide("mcts", random, position.machine()))
    }

    fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        self.0.observe(turn)
    }
}
