//! Descriptions and what is ground of them.
#![allow(dead_code, reason = "not every suite uses all of it")]

use std::sync::Arc;
use std::time::Duration;

use groundfrog::compact::Passes;
use groundfrog::description::{Description, ParseOptions};
use groundfrog::game::GroundGame;
use groundfrog::ground::ground;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog_corpus::{Game, Outcome, Parameters};
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::GroundReasoner;

pub fn description(text: &(impl AsRef<[u8]> + ?Sized)) -> Description {
    let text = text.as_ref();
    let description = Description::parse(text, &ParseOptions::default());
    description.unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(text)))
}

/// With some passes, within a minute and a gigabyte.
pub fn options(passes: Passes) -> GroundOptions {
    let (time, memory) = (Some(Duration::from_secs(60)), Some(1 << 30));
    let limits = Limits { time, memory, ..Limits::default() };
    GroundOptions { passes, limits, ..GroundOptions::flat() }
}

pub fn grounded(text: &str, options: &GroundOptions) -> Arc<GroundGame> {
    let grounding = ground(&description(text), options, &mut Silent);
    Arc::new(grounding.unwrap_or_else(|error| panic!("{error}\n{text}")).game)
}

pub fn reasoner(game: &Arc<GroundGame>) -> GroundReasoner {
    GroundReasoner::new(game.clone()).unwrap_or_else(|error| panic!("{error}"))
}

/// The own games that can be played.
pub fn own_games() -> impl Iterator<Item = &'static Game> {
    groundfrog_corpus::games().iter().filter(|game| game.expect == Outcome::Groundable)
}

/// Change ringing with so many bells.
pub fn change_ringing(bells: u32, rows: u32) -> String {
    let parameters = Parameters::new().with("bells", bells).with("rows", rows);
    let family = groundfrog_corpus::family("change_ringing").expect("a family");
    family.generate(&parameters).expect("valid parameters")
}
