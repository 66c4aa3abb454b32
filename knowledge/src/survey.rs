//! All that is known of a game, in the time that there is.

use std::time::Duration;

use web_time::Instant;

use groundfrog::description::Description;
use groundfrog::game::GroundGame;
use groundfrog::{GroundOptions, Limits, Silent, ground};
use groundfrog_reasoner::{GroundReasoner, ReasonerError};
use serde::Serialize;

use crate::analysis::{Analysis, AnalysisOptions, analyse};
use crate::factors::{Combination, Factors, factors};
use crate::structures::{Structures, structures};
use crate::symmetry::{Symmetries, symmetries};

/// Games that are larger when ground flat are looked at as they are.
const MOST_FLAT_RULES: u64 = 50_000;

/// What is known of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Survey {
    /// Properties, each with a verdict.
    #[serde(flatten)]
    pub analysis: Analysis,
    /// Boards, counters, quantities, stacks, relations.
    pub structures: Structures,
    /// Symmetries; none if the game is too large to look for them.
    pub symmetries: Option<Symmetries>,
    /// Parts; none if the game is too large to look for them.
    pub factors: Option<Factors>,
}

/// Looks for all that can be known of a game: first for properties, and with the time that is left for the rest, which takes
/// some tenths of a second in a large game even if there is none.
///
/// # Errors
/// Those of the reasoner.
pub fn survey(
    description: &Description,
    reasoner: &mut GroundReasoner,
    options: &AnalysisOptions,
) -> Result<Survey, ReasonerError> {
    let start = Instant::now();
    let proofs = AnalysisOptions { time: options.time / 10 * 6, ..options.clone() };
    let mut analysis = analyse(reasoner, &proofs)?;
    // Grounding brings predicates of its own.
    analysis.keep_rules_of(|predicate| description.symbols.get(predicate).is_some());
    let left = |share: u32| options.time.saturating_sub(start.elapsed()) / share;
    let structures = structures(description, reasoner, &analysis, left(3))?;
    let symmetries = symmetries(reasoner.game(), &structures, left(4) * 3);
    let factors = parts(description, reasoner.game(), left(1));
    Ok(Survey { analysis, structures, symmetries, factors })
}

/// The parts of a game as it is, or else of the same game ground flat.
fn parts(description: &Description, game: &GroundGame, time: Duration) -> Option<Factors> {
    let start = Instant::now();
    let own = factors(game, time / 2);
    if own.as_ref().is_some_and(|it| it.combination != Combination::Whole) {
        return own;
    }
    let left = || time.saturating_sub(start.elapsed());
    let limits = Limits { time: Some(left()), rules: Some(MOST_FLAT_RULES), ..Limits::default() };
    let options = GroundOptions { limits, ..GroundOptions::flat() };
    let flat = ground(description, &options, &mut Silent).ok();
    flat.and_then(|it| factors(&it.game, left())).or(own)
}
