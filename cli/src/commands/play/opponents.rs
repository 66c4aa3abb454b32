//! The roles that a strategy plays.

use std::sync::Arc;
use std::time::{Duration, Instant};

use groundfrog::Description;
use groundfrog_player::strategy::{Decision, Strategy, StrategyError, StrategyOptions, Turn};
use groundfrog_player::{StrategyKind, build_strategy};

/// What plays against persons, and how.
pub(super) struct OpponentOptions {
    pub(super) kind: StrategyKind,
    /// By role: whether the strategy plays it.
    pub(super) plays: Vec<bool>,
    /// Time for a move, and before the first one.
    pub(super) clock: Duration,
    pub(super) strength: StrategyOptions,
}

/// The roles that a strategy plays.
pub(super) struct Opponents {
    description: Arc<Description>,
    names: Vec<String>,
    options: OpponentOptions,
    /// By role.
    seats: Vec<Option<Box<dyn Strategy>>>,
}

impl Opponents {
    /// Those of a match that has not begun.
    pub(super) fn new(
        description: Arc<Description>,
        names: Vec<String>,
        options: OpponentOptions,
    ) -> Result<Self, StrategyError> {
        let mut opponents = Opponents { description, names, options, seats: Vec::new() };
        opponents.restart(&[])?;
        Ok(opponents)
    }

    /// Begins anew and follows the match to where it is: by turn what each role learned.
    pub(super) fn restart(&mut self, learned: &[Vec<Turn>]) -> Result<(), StrategyError> {
        self.seats.clear();
        for (number, name) in self.names.iter().enumerate() {
            let mut seat = None;
            if self.options.plays[number] {
                let seed = self.options.strength.seed.wrapping_add(number as u64);
                let strength = StrategyOptions { seed, ..self.options.strength.clone() };
                let mut strategy =
                    build_strategy(self.options.kind, &self.description, name, &strength)?;
                strategy.prepare(Instant::now() + self.options.clock)?;
                seat = Some(strategy);
            }
            self.seats.push(seat);
        }
        learned.iter().try_for_each(|it| self.observe(it))
    }

    /// The move of a role; `None` if no strategy plays it.
    pub(super) fn choose(&mut self, role: usize) -> Option<Result<Decision, StrategyError>> {
        let deadline = Instant::now() + self.options.clock;
        Some(self.seats[role].as_mut()?.choose(deadline))
    }

    /// Tells what each role learned in a turn.
    pub(super) fn observe(&mut self, learned: &[Turn]) -> Result<(), StrategyError> {
        for (seat, turn) in self.seats.iter_mut().zip(learned) {
            if let Some(strategy) = seat {
                strategy.observe(turn)?;
            }
        }
        Ok(())
    }
}
