//! Strategies that keep no tree: moves at random, moves tried one step ahead, and plain Monte Carlo.

use std::cell::Cell;
use std::sync::Arc;
use web_time::Instant;

use groundfrog::{Budget, Description};
use groundfrog_reasoner::{Machine, MoveId, PlayoutEnd, Random, State, play_on};

use super::{CandidateMove, Decision, Followed, Strategy, StrategyError, StrategyOptions, Turn};
use crate::StrategyKind;
use crate::position::Position;

/// How often each move is tried one step ahead, against other moves of the others each time.
const TRIALS: usize = 16;

/// Joint moves after which a playout is given up.
const MAX_LENGTH: u32 = 1000;

/// The move that is best on average where each is tried at random, or any.
pub struct Sampler {
    followed: Followed,
    kind: StrategyKind,
}

impl Sampler {
    /// For a role of a game: by the mean over random playouts, which are shared out evenly among the legal moves (`mcts`), by the goal value after
    /// the move, over random moves of the others (`greedy`), or any legal move, each as likely as the others. Which one depends on the seed and
    /// the state alone.
    pub fn new(
        kind: StrategyKind,
        description: Arc<Description>,
        role: &str,
        options: StrategyOptions,
    ) -> Self {
        Sampler { followed: Followed::new(description, role, options), kind }
    }
}

impl Strategy for Sampler {
    fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError> {
        self.followed.prepare(deadline)
    }

    fn choose(&mut self, deadline: Instant) -> Result<Decision, StrategyError> {
        let until = Budget::until(Some(deadline), self.followed.options.stop.clone());
        let Some(mut position) = self.followed.position(deadline)? else {
            return self.followed.guess();
        };
        let legal = position.legal()?.moves;
        if legal.is_empty() {
            return Err(StrategyError::NoMove { role: self.followed.role.clone() });
        }
        let random = &mut self.followed.random;
        let method = self.kind.name();
        let is_sure =
            position.belief().worlds().len() == 1 && position.machine().roles().len() == 1;
        let (rounds, longest) = match self.kind {
            StrategyKind::MonteCarlo => (usize::MAX, MAX_LENGTH),
            StrategyKind::Greedy => (if is_sure { 1 } else { TRIALS }, 1),
            _ => {
                let drawn = position.machine().draw(&legal, random);
                let action = position.machine().move_text(drawn.expect("there is at least one"));
                return Ok(Decision { action, method: method.to_owned(), ..Decision::default() });
            }
        };
        let mut estimates = Estimates::new(&legal);
        let rounds = if legal.len() == 1 { 0 } else { rounds };
        let tried = estimates.try_moves(&mut position, random, &until, rounds, longest);
        tried.or_else(|error| if error.is_late() { Ok(()) } else { Err(error) })?;
        Ok(estimates.decide(method, random, position.machine()))
    }

    fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        self.followed.observe(turn)
    }
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

    /// Plays from each move in turn so many times as there is time for, at random to the end, or for so many joint moves.
    fn try_moves(
        &mut self,
        position: &mut Position,
        random: &mut Random,
        until: &Budget,
        rounds: usize,
        longest: u32,
    ) -> Result<(), StrategyError> {
        let (role, count) = (position.role(), self.moves.len());
        let mut state = State::default();
        for index in (0..rounds).flat_map(|_| 0..count) {
            if until.is_over() {
                return Ok(());
            }
            let (machine, start) = position.draw();
            state.clone_from(&start.state);
            let start = state.clone();
            let first = Cell::new(Some(self.moves[index]));
            // What follows after coming back is no merit of the move that was tried.
            let stop = |here: &State| first.get().is_none() && *here == start || until.is_over();
            let playout =
                play_on(&mut **machine, &mut state, random, longest, stop, |_, _, _, moves| {
                    if let Some(first) = first.take() {
                        moves[role.index()] = first;
                    }
                    Ok(())
                })?;
            let is_looked_at = longest == 1 && playout.end == PlayoutEnd::Capped;
            if (is_looked_at || playout.end == PlayoutEnd::Terminal)
                && let Some(value) = machine.only_goal(&state, role)?
            {
                self.add(index, value as f64, playout.length);
            }
        }
        Ok(())
    }

    /// Adds a value that was had after so many moves.
    fn add(&mut self, index: usize, value: f64, length: u32) {
        let (count, sum) = &mut self.sums[index];
        *count += 1;
        *sum += value;
        self.lengths[index] += u64::from(length);
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
