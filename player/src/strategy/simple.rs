//! What the simple strategies have in common.

use std::sync::Arc;
use std::time::Instant;

use groundfrog::{Description, RoleId};
use groundfrog_reasoner::{MoveId, Random, State};

use super::{StrategyError, StrategyOptions, Turn};
use crate::clock::Until;
use crate::machine::{Machine, MachineLimits, machine};
use crate::position::{LegalMoves, Position};

/// A match that a simple strategy follows.
pub(crate) struct Followed {
    description: Arc<Description>,
    role: String,
    options: StrategyOptions,
    position: Option<Position>,
    pub(crate) random: Random,
}

impl Followed {
    pub(crate) fn new(description: Arc<Description>, role: &str, options: StrategyOptions) -> Self {
        let random = Random::new(options.seed);
        Followed { description, role: role.to_owned(), options, position: None, random }
    }

    /// Sets the reasoner up. Grounding has half of the time, since setting up what interprets the rules may take as long.
    pub(crate) fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError> {
        let now = Instant::now();
        let limits = MachineLimits {
            deadline: Some(now + deadline.saturating_duration_since(now) / 2),
            memory: self.options.memory,
            stop: self.options.stop.clone(),
        };
        let machine = machine(&self.description, &limits)?;
        self.position = Some(Position::new(
            machine,
            &self.description,
            &self.role,
            &self.options.opponents,
            self.options.seed,
        )?);
        Ok(())
    }

    /// When choosing has to end.
    pub(crate) fn until(&self, deadline: Instant) -> Until {
        Until::new(Some(deadline), self.options.stop.clone())
    }

    /// When choosing has to end that has no deadline.
    pub(crate) fn until_stopped(&self) -> Until {
        Until::new(None, self.options.stop.clone())
    }

    /// The position and what draws at random, if the match has been prepared for.
    pub(crate) fn parts(&mut self) -> Result<(&mut Position, &mut Random), StrategyError> {
        let position = self.position.as_mut();
        let position = position.ok_or_else(|| StrategyError::Game("it is not set up".into()))?;
        Ok((position, &mut self.random))
    }

    /// The legal moves; at least one.
    pub(crate) fn legal(&mut self) -> Result<LegalMoves, StrategyError> {
        let role = self.role.clone();
        let legal = self.parts()?.0.legal()?;
        if legal.moves.is_empty() { Err(StrategyError::NoMove { role }) } else { Ok(legal) }
    }

    pub(super) fn move_text(&mut self, it: MoveId) -> Result<String, StrategyError> {
        Ok(self.parts()?.0.machine().move_text(it))
    }

    pub(crate) fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        self.parts()?.0.observe(turn)
    }
}

/// A joint move drawn at random, with one role's move given; `None` if a role has no legal move.
pub(super) fn random_joint_move(
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

/// The goal value of a state, if it has just one.
pub(super) fn value(
    machine: &mut Machine,
    state: &State,
    role: RoleId,
) -> Result<Option<f64>, StrategyError> {
    let mut values = Vec::new();
    machine.goal_values(state, role, &mut values)?;
    Ok(match values[..] {
        [value] => Some(value as f64),
        _ => None,
    })
}
