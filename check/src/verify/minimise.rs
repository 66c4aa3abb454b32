//! The smallest state that shows a difference.

use super::difference::Difference;
use super::error::VerifyError;
use super::sides::Sides;
use groundfrog_reasoner::{FluentId, MoveId, State};

/// Leaves out fluents as long as the same atom differs; what is left cannot lose any single fluent. Moves
/// must stay legal.
pub(super) fn state(
    sides: &mut Sides<'_>,
    state: &State,
    moves: Option<&[MoveId]>,
    difference: Difference,
) -> Result<Difference, VerifyError> {
    let shows = |sides: &mut Sides<'_>, state: &State| {
        let found = match moves {
            None => sides.at_state(state),
            // Without one of its fluents the state may not allow the moves any more.
            Some(moves) => sides.at_step(state, moves),
        };
        let same =
            |it: &Difference| it.atom == difference.atom && it.expected == difference.expected;
        found.ok().flatten().is_some_and(|it| same(&it))
    };
    let mut small = state.clone();
    let mut minimal = false;
    while !minimal {
        minimal = true;
        let fluents: Vec<FluentId> = small.fluents().collect();
        for fluent in fluents {
            small.remove(fluent);
            if shows(sides, &small) {
                minimal = false;
            } else {
                small.insert(fluent);
            }
        }
    }
    let moves = moves.unwrap_or_default();
    let made = moves.iter().map(|&chosen| {
        let (role, _) = sides.oracle.move_term(chosen);
        (sides.oracle.role_text(role), sides.oracle.move_text(chosen))
    });
    let made = made.collect();
    let state = sides.oracle.state_text(&small).map_err(VerifyError::Oracle)?;
    Ok(Difference { state, minimal, moves: made, ..difference })
}
