//! Games for the tests.

use std::sync::Arc;

use groundfrog::description::{Description, ParseOptions};
use groundfrog::game::GroundGame;
use groundfrog::options::GroundOptions;
use groundfrog_corpus::{Game, Outcome};
use groundfrog_engine::observe::Silent;

pub fn describe(text: &str) -> Description {
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    description.unwrap_or_else(|error| panic!("{error}"))
}

pub fn ground(text: &str, options: &GroundOptions) -> Arc<GroundGame> {
    let grounding = groundfrog::ground::ground(&describe(text), options, &mut Silent);
    Arc::new(grounding.unwrap_or_else(|error| panic!("{error}")).game)
}

/// The own games that can be played.
pub fn games() -> impl Iterator<Item = &'static Game> {
    groundfrog_corpus::games().iter().filter(|game| game.expect == Outcome::Groundable)
}
