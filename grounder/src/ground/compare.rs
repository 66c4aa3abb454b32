//! Both evaluators, and the first difference between them.

use std::collections::BTreeSet;

use groundfrog_engine::Budget;
use groundfrog_engine::observe::Observer;

use super::pipeline::{Grounding, ground_within};
use crate::compact::Passes;
use crate::description::Description;
use crate::error::GroundError;
use crate::game::GroundGame;
use crate::options::{Engine, GroundOptions};

/// Grounds with both evaluators; the result is that of datafrog.
pub(super) fn ground(
    description: &Description,
    options: &GroundOptions,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Grounding, GroundError> {
    // The numbers of merged moves follow the order of rows, which the evaluators do not share.
    let unmerged = Passes { moves: false, ..options.passes };
    let mut with = |engine, passes| {
        let options = GroundOptions { engine, passes, ..options.clone() };
        ground_within(description, &options, budget, observer)
    };
    let (datafrog, naive) = (with(Engine::Datafrog, unmerged)?, with(Engine::Naive, unmerged)?);
    match first_difference(&datafrog.game, &naive.game) {
        Some(difference) => Err(GroundError::Disagreement(difference)),
        None if options.passes.moves => with(Engine::Datafrog, options.passes),
        None => Ok(datafrog),
    }
}

/// The first fact or rule, in alphabetical order, that one of two ground games has and the other has not.
pub fn first_difference(datafrog: &GroundGame, naive: &GroundGame) -> Option<String> {
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
