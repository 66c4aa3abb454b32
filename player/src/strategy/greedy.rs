//! Looking one step ahead.

use std::sync::Arc;
use std::time::Instant;

use groundfrog::Description;
use groundfrog_reasoner::State;

use super::estimates::Estimates;
use super::simple::{Followed, random_joint_move, value};
use super::{Decision, Strategy, StrategyError, StrategyOptions, Turn};

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
        let legal = self.0.legal()?.moves;
        let (position, random) = self.0.parts()?;
        let role = position.role();
        let single = position.belief().worlds().len() == 1 && position.machine().roles().len() == 1;
        let trials = if single { 1 } else { TRIALS };
        let mut estimates = Estimates::new(&legal);
        let (mut found, mut moves, mut next) = (Vec::new(), Vec::new(), State::default());
        'trials: for _ in 0..trials {
            for (index, &own) in legal.iter().enumerate() {
                if legal.len() == 1 || until.is_over() {
                    break 'trials;
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
        Ok(estimates.decide("greedy", random, position.machine()))
    }

    fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        self.0.observe(turn)
    }
}
