//! What a search would do for a person.

use std::sync::Arc;
use std::time::{Duration, Instant};

use groundfrog::Description;
use groundfrog_player::strategy::{StrategyError, StrategyOptions, Turn};
use groundfrog_player::{StrategyKind, build_strategy};

/// Time to prepare the search.
const PREPARE: Duration = Duration::from_millis(500);

/// What searches for persons.
pub(super) struct Adviser {
    pub(super) description: Arc<Description>,
    /// Time for a move.
    pub(super) clock: Duration,
    pub(super) strength: StrategyOptions,
}

impl Adviser {
    /// The move that a search would make for a role, by what the role has learned.
    pub(super) fn advice<'turn>(
        &self,
        role: &str,
        learned: impl Iterator<Item = &'turn Turn>,
    ) -> Result<String, StrategyError> {
        let mut strategy =
            build_strategy(StrategyKind::Auto, &self.description, role, &self.strength)?;
        strategy.prepare(Instant::now() + PREPARE)?;
        learned.into_iter().try_for_each(|it| strategy.observe(it))?;
        Ok(strategy.choose(Instant::now() + self.clock)?.action)
    }
}
