//! What a game is searched with: puzzles are solved in the start clock, all else is played by UCT.

use std::sync::Arc;
use std::time::{Duration, Instant};

use groundfrog::{Description, GroundOptions, Limits, Silent, ground};

use super::Uct;
use crate::solve::{SolveOptions, solve};
use crate::strategy::{Decision, Strategy, StrategyError, StrategyOptions, Turn};

/// Follows a solution where one was found in time, and searches otherwise.
pub struct Auto {
    description: Arc<Description>,
    options: StrategyOptions,
    uct: Uct,
    plan: Option<Plan>,
}

/// The moves to the best end that was found.
struct Plan {
    moves: Vec<Vec<String>>,
    made: usize,
    value: f64,
    proven: bool,
    states: u64,
}

impl Auto {
    /// For a role of a game.
    pub fn new(description: Arc<Description>, role: &str, options: StrategyOptions) -> Self {
        let uct = Uct::new(Arc::clone(&description), role, options.clone());
        Auto { description, options, uct, plan: None }
    }

    /// Looks for a solution.
    fn plan(&self, deadline: Instant) -> Option<Plan> {
        let time = deadline.saturating_duration_since(Instant::now());
        let limits = Limits {
            time: Some(time),
            memory: self.options.memory,
            stop: self.options.stop.clone(),
            ..Limits::default()
        };
        let options = GroundOptions { limits, ..GroundOptions::compact() };
        let game = ground(&self.description, &options, &mut Silent).ok()?.game;
        let options = SolveOptions {
            deadline: Some(deadline),
            stop: self.options.stop.clone(),
            memory: self.options.memory.map_or(1 << 30, |it| it / 4),
            ..SolveOptions::default()
        };
        // What cannot be solved is left to the search.
        let solution = solve(game, &options, |_| {}).ok()?;
        if solution.line.is_empty() {
            return None;
        }
        let (value, proven) = (solution.values.first()?.lower, solution.is_decided());
        Some(Plan { moves: solution.line, made: 0, value, proven, states: solution.states })
    }
}

impl Strategy for Auto {
    fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError> {
        self.uct.prepare(deadline)?;
        let is_puzzle = self.uct.position().is_some_and(|it| it.machine().roles().len() == 1);
        let deadline = deadline.checked_sub(Duration::from_millis(100)).unwrap_or(deadline);
        if is_puzzle && Instant::now() < deadline {
            self.plan = self.plan(deadline);
        }
        Ok(())
    }

    fn choose(&mut self, deadline: Instant) -> Result<Decision, StrategyError> {
        if let Some(plan) = &self.plan
            && let Some([action]) = plan.moves.get(plan.made).map(Vec::as_slice)
        {
            return Ok(Decision {
                action: action.clone(),
                method: "puzzle".into(),
                value: Some(plan.value),
                proven: plan.proven,
                nodes: plan.states,
                line: plan.moves[plan.made..].to_vec(),
                ..Decision::default()
            });
        }
        self.uct.choose(deadline)
    }

    fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        self.uct.observe(turn)?;
        // A move that was not the planned one leaves the plan.
        let made = match (turn, &self.plan) {
            (_, None) => return Ok(()),
            (Turn::Moves(made), _) => made.first().cloned(),
            (Turn::Percepts { own, .. }, _) => own.clone(),
        };
        let plan = self.plan.as_mut().filter(|it| {
            let planned = it.moves.get(it.made).and_then(|it| it.first());
            planned == made.as_ref()
        });
        match plan {
            Some(plan) => plan.made += 1,
            None => self.plan = None,
        }
        Ok(())
    }
}
