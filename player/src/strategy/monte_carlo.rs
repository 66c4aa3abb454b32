//! Plain Monte Carlo.

use std::sync::Arc;
use web_time::Instant;

use groundfrog::Description;
use groundfrog_reasoner::{MoveId, Random, State};

use super::estimates::Estimates;
use super::simple::{legal, random_joint_move, value};
use super::{Decision, Followed, Strategy, StrategyError, StrategyOptions, Turn};
use crate::clock::Until;
use crate::position::Position;

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
        let Some(mut position) = self.0.position(deadline)? else { return self.0.guess() };
        let legal = legal(&mut position)?;
        let random = &mut self.0.random;
        let mut estimates = Estimates::new(&legal);
        let played = play_out(&mut position, &legal, random, &until, &mut estimates);
        played.or_else(|error| if error.is_late() { Ok(()) } else { Err(error) })?;
        Ok(estimates.decide("mcts", random, position.machine()))
    }

    fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        self.0.observe(turn)
    }
}

/// Plays from each move in turn to the end, as long as there is time.
fn play_out(
    position: &mut Position,
    legal: &[MoveId],
    random: &mut Random,
    until: &Until,
    estimates: &mut Estimates,
) -> Result<(), StrategyError> {
    let role = position.role();
    let (mut found, mut moves) = (Vec::new(), Vec::new());
    let (mut state, mut next) = (State::default(), State::default());
    let mut index = 0;
    while legal.len() > 1 && !until.is_over() {
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
                return Ok(());
            }
        }
        index = (index + 1) % legal.len();
    }
    Ok(())
}
