//! Moves at random.

use std::sync::Arc;
use web_time::Instant;

use groundfrog::Description;

use super::simple::legal;
use super::{Decision, Followed, Strategy, StrategyError, StrategyOptions, Turn};

/// Any legal move, each as likely as the others. Which one depends on the seed and the state alone.
pub struct RandomMoves(Followed);

impl RandomMoves {
    /// For a role of a game.
    pub fn new(description: Arc<Description>, role: &str, options: StrategyOptions) -> Self {
        RandomMoves(Followed::new(description, role, options))
    }
}

impl Strategy for RandomMoves {
    fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError> {
        self.0.prepare(deadline)
    }

    fn choose(&mut self, deadline: Instant) -> Result<Decision, StrategyError> {
        let Some(mut position) = self.0.position(deadline)? else { return self.0.guess() };
        let legal = legal(&mut position)?;
        let drawn = position.machine().draw(&legal, &mut self.0.random);
        let action = position.machine().move_text(drawn.expect("there is at least one"));
        Ok(Decision { action, method: "random".to_owned(), ..Decision::default() })
    }

    fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        self.0.observe(turn)
    }
}
