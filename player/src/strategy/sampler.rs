//! Strategies that try each move: one step ahead, or by plain Monte Carlo.

use std::sync::Arc;
use web_time::Instant;

use groundfrog::Description;
use groundfrog_reasoner::{MoveId, Random, State};

use super::estimates::Estimates;
use super::simple::{legal, random_joint_move, value};
use super::{Decision, Followed, Strategy, StrategyError, StrategyOptions, Turn};
use crate::clock::Until;
use crate::position::Position;

/// How often each move is tried one step ahead, against other moves of the others each time.
const TRIALS: usize = 16;

/// Joint moves after which a playout is given up.
const MAX_LENGTH: usize = 1000;

/// Tries moves, as long as there is time.
type TryMoves =
    fn(&mut Position, &[MoveId], &mut Random, &Until, &mut Estimates) -> Result<(), StrategyError>;

/// The move that is best on average where each is tried at random.
pub struct Sampler {
    followed: Followed,
    method: &'static str,
    try_moves: TryMoves,
}

impl Sampler {
    /// For a role of a game: the goal value after the move, over random moves of the others.
    pub fn greedy(description: Arc<Description>, role: &str, options: StrategyOptions) -> Self {
        let followed = Followed::new(description, role, options);
        Sampler { followed, method: "greedy", try_moves: look_one_step }
    }

    /// For a role of a game: the mean over random playouts, which are shared out evenly among the legal moves.
    pub fn monte_carlo(
        description: Arc<Description>,
        role: &str,
        options: StrategyOptions,
    ) -> Self {
        let followed = Followed::new(description, role, options);
        Sampler { followed, method: "mcts", try_moves: play_out }
    }
}

impl Strategy for Sampler {
    fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError> {
        self.followed.prepare(deadline)
    }

    fn choose(&mut self, deadline: Instant) -> Result<Decision, StrategyError> {
        let until = self.followed.until(deadline);
        let Some(mut position) = self.followed.position(deadline)? else {
            return self.followed.guess();
        };
        let legal = legal(&mut position)?;
        let random = &mut self.followed.random;
        let mut estimates = Estimates::new(&legal);
        let tried = (self.try_moves)(&mut position, &legal, random, &until, &mut estimates);
        tried.or_else(|error| if error.is_late() { Ok(()) } else { Err(error) })?;
        Ok(estimates.decide(self.method, random, position.machine()))
    }

    fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        self.followed.observe(turn)
    }
}

/// Makes each move some times, as long as there is time.
fn look_one_step(
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
                    estimates.add(index, value, 1);
                }
            }
        }
    }
    Ok(())
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
        let start = state.clone();
        let mut own = Some((role, legal[index]));
        for length in 1..=MAX_LENGTH {
            let room = (&mut found, &mut moves);
            if !random_joint_move(machine, &state, own.take(), random, room)? {
                break;
            }
            machine.next_state(&state, &moves, &mut next)?;
            std::mem::swap(&mut state, &mut next);
            if machine.is_terminal(&state)? {
                if let Some(value) = value(machine, &state, role)? {
                    estimates.add(index, value, length);
                }
                break;
            }
            // What follows is no merit of the move that was tried.
            if state == start {
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
