//! The match that a strategy plays, followed beside it.

use std::hash::BuildHasher;
use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

use fxhash::FxBuildHasher;
use groundfrog::{Budget, Description};
use groundfrog_reasoner::Random;

use super::{Decision, StrategyError, StrategyOptions, Turn};
use crate::follower::Follower;
use crate::position::Position;

/// Later than anything ends.
pub(crate) const LONG: Duration = Duration::from_secs(1 << 30);

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
        let follower = match self.options.follower.clone() {
            Some(follower) => follower,
            None => {
                let description = Arc::clone(&self.description);
                let started = Follower::start(description, &self.role, &self.options);
                started.map_err(|it| StrategyError::Game(format!("no thread: {it}")))?
            }
        };
        let waited = follower.wait_for_rules(deadline);
        self.follower = Some(follower);
        waited.map(drop)
    }

    /// When work with that deadline has to end, unless the options say how much there is.
    pub(crate) fn until(&self, deadline: Instant) -> Budget {
        let deadline = self.options.most.is_none().then_some(deadline);
        Budget::until(deadline, self.options.stop.clone())
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
        let until = if self.options.most.is_some() { Instant::now() + LONG } else { until };
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

/// Moves that were chosen, and where.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    /// Joint moves made so far.
    turn: u32,
    /// When, in which state, by the hash of its text, and what.
    chosen: Vec<(u32, u64, String)>,
    has_come_back: bool,
}

impl Past {
    /// Goes on to the next turn.
    pub(crate) fn go_on(&mut self) {
        self.turn += 1;
    }

    /// The moves that were chosen in the state of a position in earlier turns.
    pub(crate) fn chosen(&self, position: &mut Position) -> Vec<&str> {
        let Some(key) = key(position) else { return Vec::new() };
        let same = self.chosen.iter().filter(|it| it.0 < self.turn && it.1 == key);
        same.map(|it| it.2.as_str()).collect()
    }

    /// Whether play has come back to a state in which the role has chosen, now or before.
    pub(crate) fn has_come_back(&mut self, position: &mut Position) -> bool {
        self.has_come_back |= !self.chosen(position).is_empty();
        self.has_come_back
    }

    /// Notes what is chosen now.
    pub(crate) fn note(&mut self, position: &mut Position, action: &str) {
        self.chosen.retain(|it| it.0 < self.turn);
        if let Some(key) = key(position) {
            self.chosen.push((self.turn, key, action.to_owned()));
        }
    }
}

/// Fluents have other numbers once the rules are ground, but the same texts.
fn key(position: &mut Position) -> Option<u64> {
    let state = position.state().clone();
    let text = position.machine().state_text(&state);
    text.ok().map(|it| FxBuildHasher.hash_one(it))
}
