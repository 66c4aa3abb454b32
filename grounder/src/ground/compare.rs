//! What two evaluators do not have in common.

use std::collections::BTreeSet;

use crate::game::GroundGame;

/// The first fact or rule, in alphabetical order, that one of two ground games has and the other has not.
pub(super) fn first_difference(datafrog: &GroundGame, naive: &GroundGame) -> Option<String> {
    let (left, right) = (sentences(datafrog), sentences(naive));
    left.symmetric_difference(&right).next().map(|sentence| {
        let (one, other) =
            if left.contains(sentence) { ("datafrog", "naive") } else { ("naive", "datafrog") };
        format!("only {one} derives `{sentence}`, {other} does not")
    })
}

fn sentences(game: &GroundGame) -> BTreeSet<String> {
    crate::emit::canonical::lines(game).chain(crate::emit::kif::facts(game)).collect()
}
