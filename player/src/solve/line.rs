//! A line of best play, from what a search has proven.

use fxhash::FxHashSet;
use groundfrog_reasoner::{MoveId, ReasonerError, State};

use super::LineStop;
use super::force::{Answer, Chooser, Force};
use super::position::Children;

/// Longer lines are cut.
const LONGEST: usize = 10_000;

/// Joint moves by which both sides keep the value that was proven, which is at this position of the list, one after the other;
/// and why they do not lead to the end, if they do not.
pub(super) fn best_line(
    force: &mut Force<'_, '_>,
    root: &State,
    value: u8,
) -> Result<(Vec<MoveId>, Option<LineStop>), ReasonerError> {
    let (mut line, mut state) = (Vec::new(), root.clone());
    let mut children = Children::default();
    let roles = force.rules.roles;
    let mut met = FxHashSet::default();
    for _ in 0..LONGEST {
        // What keeps the value need not come nearer to the end.
        if !met.insert(state.clone()) {
            break;
        }
        if force.rules.is_terminal(&state)? {
            return Ok((line, None));
        }
        if !force.expand(&state, &mut children)? {
            break;
        }
        let chooser = force.chooser();
        if chooser == Chooser::Both {
            return Ok((line, Some(LineStop::Simultaneous)));
        }
        // Who chooses keeps what is proven; the move that decided the search comes first.
        let (wanted, keeps) = match chooser {
            Chooser::Own => (value, Answer::Yes),
            _ => (value + 1, Answer::No),
        };
        let first = force.best(&state).filter(|&it| it < children.len());
        let mut found = None;
        for child in first.into_iter().chain(0..children.len()) {
            if force.ask(children.state(child), wanted)? == keeps {
                found = Some(child);
                break;
            }
        }
        let Some(child) = found else { break };
        line.extend_from_slice(&children.moves[child * roles..(child + 1) * roles]);
        state = children.state(child).clone();
    }
    Ok((line, Some(LineStop::Unproven)))
}
