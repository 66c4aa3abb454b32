//! Looking one step ahead.

use std::sync::Arc;
use web_time::Instant;

use groundfrog::Description;
use groundfrog_reasoner::{MoveId, Random, State};

use super::estimates::Estimates;
use super::simple::{legal, random_joint_move, value};
use super::{Decision, Followed, Strategy, StrategyError, StrategyOptions, Turn};
use crate::clock::Until;
use crate::position::Position;

/// How often each move is tried, against other moves of the others each time.
const TRIALS: usize = 16;

/// The move after which the own goal value is highest, on average over random moves of the others.
pub struct Greedy(Followed);

impl Greedy {
    /// For a role of a game.
    pub fn new(description: Arc<Description>, role: &str, options: StrategyOptions) -> Self {
        Greedy(Followed::new(description, role, options))
    }
}

impl Strategy for Greedy {
    fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError> {
        self.0.prepare(deadline)
    }

    fn choose(&mut self, deadline: Instant) -> Result<Decision, StrategyError> {
        let until = self.0.until(deadline);
        let Some(mut position) = self.0.position(deadline)? else { return self.0.guess() };
        let legal = legal(&mut position)?;
        let random = &mut self.0.random;
        let mut estimates = Estimates::new(&legal);
        let tried = try_moves(&mut position, &legal, random, &until, &mut estimates);
        tried.or_else(|error| if error.is_late() { Ok(()) } else { Err(error) })?;
        Ok(estimates.decide("greedy", random, position.machine()))
    }

    fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        self.0.observe(turn)
    }
}

/// Makes each move some times, as long as there is time.
fn try_moves(
    position: &mut Position,
    legal: &[MoveId],
    random: &mut Random,
    until: &Until,
    estimates: &mut Estimates,
) -> Result<(), StrategyError> {
    let role = position.role();
    let single = position.belief().worlds().len() == 1 && position.machine().roles().len() == 1;
    let trials = if single { 1 } else { TRIALS };
    let (mut found, mut moves, mut next) = (Vec::new(), Vec::new(), State::default());
    for _ in 0..trials {
        for (index, &own) in legal.iter().enumerate() {
            if legal.len() == 1 || until.is_over() {
                return Ok(());
            }
            let (machine, world) = position.draw();
            let state = world.state.clone();
            let room = (&mut found, &mut moves);
            if random_joint_move(machine, &state, Some((role, own)), random, room)? {
                machine.next_state(&state, &moves, &mut next)?;
                if let Some(value) = value(machine, &next, role)? {
                    estimates.add(index, value);
                }
            }
        }
    }
    Ok(())
}
