//! The match that a strategy plays, followed beside it.

use std::sync::Arc;
use web_time::Instant;

use groundfrog::Description;
use groundfrog_reasoner::Random;

use super::{Decision, Past, StrategyError, StrategyOptions, Turn};
use crate::clock::Until;
use crate::follower::Follower;
use crate::position::Position;

/// The match of a strategy: who follows it, and what the strategy may use.
pub(crate) struct Followed {
    pub(crate) description: Arc<Description>,
    pub(crate) role: String,
    pub(crate) options: StrategyOptions,
    pub(crate) random: Random,
    pub(crate) past: Past,
    /// There from the preparation on.
    follower: Option<Follower>,
}

impl Followed {
    pub(crate) fn new(description: Arc<Description>, role: &str, options: StrategyOptions) -> Self {
        let random = Random::new(options.seed);
        let (role, past) = (role.to_owned(), Past::default());
        Followed { description, role, options, random, past, follower: None }
    }

    /// Begins to follow the match, unless somebody does already, and waits for ground rules until a deadline.
    pub(crate) fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError> {
        let options = self.options.clone();
        let StrategyOptions { memory, seed, stop, follower, opponents, rules, .. } = options;
        let follower = match follower {
            Some(follower) => follower,
            None => {
                let description = Arc::clone(&self.description);
                let role = &self.role;
                let started =
                    Follower::start(description, role, memory, opponents, seed, stop, rules);
                started.map_err(|it| StrategyError::Game(format!("no thread: {it}")))?
            }
        };
        let waited = follower.wait_for_rules(deadline);
        self.follower = Some(follower);
        waited.map(drop)
    }

    /// When choosing has to end.
    pub(crate) fn until(&self, deadline: Instant) -> Until {
        Until::new(Some(deadline), self.options.stop.clone())
    }

    fn follower(&self) -> Result<&Follower, StrategyError> {
        self.follower.as_ref().ok_or_else(|| StrategyError::Game("it is not set up".into()))
    }

    /// Whether the ground rules are in use.
    pub(crate) fn is_ground(&self) -> bool {
        self.follower.as_ref().is_some_and(Follower::is_ground)
    }

    /// The present position; `None` if it is not known by a moment, or takes too long to search from. Rules with variables are not evaluated longer than that either.
    pub(crate) fn position(&self, until: Instant) -> Result<Option<Position>, StrategyError> {
        let mut position = self.follower()?.position(until)?;
        if let Some(position) = &mut position {
            position.machine().set_deadline(Some(until));
        }
        Ok(position)
    }

    /// A decision without a search.
    pub(crate) fn guess(&mut self) -> Result<Decision, StrategyError> {
        let mut random = self.random.clone();
        let guessed = self.follower()?.guess(&mut random);
        self.random = random;
        let action = guessed.ok_or_else(|| StrategyError::NoMove { role: self.role.clone() })?;
        Ok(Decision { action, method: Decision::GUESS.to_owned(), ..Decision::default() })
    }

    /// Tells who follows the match, if that is nobody else's task.
    pub(crate) fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        if self.options.follower.is_none() {
            self.follower()?.observe(turn.clone());
        }
        self.past.go_on();
        Ok(())
    }
}
