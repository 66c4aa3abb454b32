//! What the simple strategies have in common.

use groundfrog::RoleId;
use groundfrog_reasoner::{MoveId, Random, State};

use super::StrategyError;
use crate::machine::Machine;
use crate::position::Position;

/// The legal moves of the own role; at least one.
pub(super) fn legal(position: &mut Position) -> Result<Vec<MoveId>, StrategyError> {
    let legal = position.legal()?.moves;
    if legal.is_empty() {
        let role = position.role();
        return Err(StrategyError::NoMove { role: position.machine().role_text(role) });
    }
    Ok(legal)
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
