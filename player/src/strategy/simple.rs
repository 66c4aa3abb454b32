//! Strategies that keep no tree: moves at random, moves tried one step ahead, and plain Monte Carlo.

use std::sync::Arc;
use web_time::Instant;

use groundfrog::{Description, RoleId};
use groundfrog_reasoner::{MoveId, Random, State};

use super::{CandidateMove, Decision, Followed, Strategy, StrategyError, StrategyOptions, Turn};
use crate::clock::Until;
use crate::machine::Machine;
use crate::position::Position;

/// How often each move is tried one step ahead, against other moves of the others each time.
const TRIALS: usize = 16;

/// Joint moves after which a playout is given up.
const MAX_LENGTH: usize = 1000;

/// Tries moves, as long as there is time.
type TryMoves =
    fn(&mut Position, &[MoveId], &mut Random, &Until, &mut Estimates) -> Result<(), StrategyError>;

/// The move that is best on average where each is tried at random, or any.
pub struct Sampler {
    followed: Followed,
    method: &'static str,
    /// None where moves are drawn without being tried.
    try_moves: Option<TryMoves>,
}

impl Sampler {
    /// For a role of a game: any legal move, each as likely as the others. Which one depends on the seed and the state alone.
    pub fn random(description: Arc<Description>, role: &str, options: StrategyOptions) -> Self {
        let followed = Followed::new(description, role, options);
        Sampler { followed, method: "random", try_moves: None }
    }

    /// For a role of a game: the goal value after the move, over random moves of the others.
    pub fn greedy(description: Arc<Description>, role: &str, options: StrategyOptions) -> Self {
        let followed = Followed::new(description, role, options);
        Sampler { followed, method: "greedy", try_moves: Some(look_one_step) }
    }

    /// For a role of a game: the mean over random playouts, which are shared out evenly among the legal moves.
    pub fn monte_carlo(
        description: Arc<Description>,
        role: &str,
        options: StrategyOptions,
    ) -> Self {
        let followed = Followed::new(description, role, options);
        Sampler { followed, method: "mcts", try_moves: Some(play_out) }
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
        let legal = position.legal()?.moves;
        if legal.is_empty() {
            return Err(StrategyError::NoMove { role: self.followed.role.clone() });
        }
        let random = &mut self.followed.random;
        let Some(try_moves) = self.try_moves else {
            let drawn = position.machine().draw(&legal, random);
            let action = position.machine().move_text(drawn.expect("there is at least one"));
            return Ok(Decision { action, method: self.method.to_owned(), ..Decision::default() });
        };
        let mut estimates = Estimates::new(&legal);
        let tried = try_moves(&mut position, &legal, random, &until, &mut estimates);
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
                if let Some(value) = machine.only_goal(&next, role)? {
                    estimates.add(index, value as f64, 1);
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
                if let Some(value) = machine.only_goal(&state, role)? {
                    estimates.add(index, value as f64, length);
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

/// Draws a joint move at random, with one role's move given; `false` if a role has no legal move.
pub(crate) fn random_joint_move(
    machine: &mut Machine,
    state: &State,
    own: Option<(RoleId, MoveId)>,
    random: &mut Random,
    (legal, moves): (&mut Vec<MoveId>, &mut Vec<MoveId>),
) -> Result<bool, StrategyError> {
    moves.clear();
    for role in machine.role_ids() {
        if let Some((_, it)) = own.filter(|it| it.0 == role) {
            moves.push(it);
            continue;
        }
        machine.legal_moves(state, role, legal)?;
        if legal.is_empty() {
            return Ok(false);
        }
        moves.push(legal[random.below(legal.len() as u32) as usize]);
    }
    Ok(true)
}

/// Mean values of the legal moves of a role.
struct Estimates {
    moves: Vec<MoveId>,
    /// By move: how many values, and their sum.
    sums: Vec<(u64, f64)>,
    /// By move: the sum of how many moves it took to have these.
    lengths: Vec<u64>,
}

impl Estimates {
    fn new(moves: &[MoveId]) -> Self {
        let (moves, count) = (moves.to_vec(), moves.len());
        Estimates { moves, sums: vec![(0, 0.0); count], lengths: vec![0; count] }
    }

    /// Adds a value that was had after so many moves.
    fn add(&mut self, index: usize, value: f64, length: usize) {
        let (count, sum) = &mut self.sums[index];
        *count += 1;
        *sum += value;
        self.lengths[index] += length as u64;
    }

    fn mean(&self, index: usize) -> Option<f64> {
        let (count, sum) = self.sums[index];
        (count > 0).then(|| sum / count as f64)
    }

    /// One of the best moves, of those with the same mean the one that has it soonest; what has no value counts as 0.
    fn decide(&self, method: &str, random: &mut Random, machine: &Machine) -> Decision {
        let means: Vec<f64> =
            (0..self.moves.len()).map(|it| self.mean(it).unwrap_or(0.0)).collect();
        let most = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut best: Vec<usize> = (0..means.len()).filter(|&it| means[it] >= most).collect();
        let length = |it: usize| self.lengths[it] as f64 / self.sums[it].0.max(1) as f64;
        let soonest = best.iter().map(|&it| length(it)).fold(f64::INFINITY, f64::min);
        best.retain(|&it| most <= 0.0 || length(it) <= soonest);
        let chosen = best[random.below(best.len() as u32) as usize];
        let mut candidates: Vec<CandidateMove> = (0..self.moves.len())
            .map(|at| CandidateMove {
                action: machine.move_text(self.moves[at]),
                visits: self.sums[at].0,
                value: self.mean(at),
                proven: false,
            })
            .collect();
        candidates.sort_by_key(|it| std::cmp::Reverse(it.visits));
        Decision {
            action: machine.move_text(self.moves[chosen]),
            method: method.to_owned(),
            value: self.mean(chosen),
            playouts: self.sums.iter().map(|it| it.0).sum(),
            candidates,
            ..Decision::default()
        }
    }
}
