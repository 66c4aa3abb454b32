//! What all reasoners say of moves and percepts.

use super::{MoveId, ReasonerError, State, Vocabulary};
use groundfrog::description::{Printer, Term};
use groundfrog::game::RoleId;
use groundfrog::symbols::Symbols;

/// Checks that there is such a role.
pub(super) fn check_role(role: RoleId, roles: usize) -> Result<(), ReasonerError> {
    if role.index() < roles {
        return Ok(());
    }
    Err(ReasonerError::UnknownRole { number: role.0, roles })
}

/// Checks that a state has no fluent that the reasoner does not have.
#[inline]
pub(super) fn check_state(state: &State, fluents: usize) -> Result<(), ReasonerError> {
    if state.words().len() * 64 <= fluents {
        return Ok(());
    }
    match state.last() {
        Some(last) if last.index() >= fluents => {
            Err(ReasonerError::ForeignState { number: last.0, fluents })
        }
        _ => Ok(()),
    }
}

/// Checks that there is one move for each role.
pub(super) fn check_count(
    reasoner: &dyn Vocabulary,
    moves: &[MoveId],
) -> Result<(), ReasonerError> {
    let roles = reasoner.roles().len();
    if moves.len() == roles {
        return Ok(());
    }
    let missing = (moves.len() < roles).then(|| reasoner.role_text(RoleId(moves.len() as u32)));
    Err(ReasonerError::MoveCount { given: moves.len(), roles, missing })
}

/// Checks that a move stands where its role's belongs.
pub(super) fn check_owner(
    reasoner: &dyn Vocabulary,
    it: MoveId,
    role: RoleId,
    owner: RoleId,
) -> Result<(), ReasonerError> {
    if owner == role {
        return Ok(());
    }
    Err(ReasonerError::WrongRole {
        role: reasoner.role_text(role),
        owner: reasoner.role_text(owner),
        text: reasoner.move_text(it),
    })
}

/// A move that the reasoner does not have.
pub(super) fn unknown_move(reasoner: &dyn Vocabulary, role: RoleId, it: MoveId) -> ReasonerError {
    ReasonerError::UnknownMove { role: reasoner.role_text(role), number: it.0 }
}

/// A move that is not legal in the present state.
pub(super) fn illegal_move(reasoner: &dyn Vocabulary, role: RoleId, it: MoveId) -> ReasonerError {
    ReasonerError::IllegalMove { role: reasoner.role_text(role), text: reasoner.move_text(it) }
}

/// Puts what each role sees in the order of its text.
pub(super) fn sort_by_text(percepts: &mut [Vec<Term>], symbols: &Symbols) {
    let printer = Printer::new(symbols);
    percepts.iter_mut().for_each(|it| it.sort_by_cached_key(|it| printer.term(it).to_string()));
}
