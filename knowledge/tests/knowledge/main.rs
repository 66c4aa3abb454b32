//! What is known of games: beside brute force, matches, clingo, and what was written down by hand.

mod brute_force;
mod evaluation;
mod factors;
mod games;
mod matches;
mod obligations;
mod statements;
mod structures;
mod symmetry;

use std::time::Duration;

use groundfrog::{Description, GroundOptions, Limits, ParseOptions, Silent, ground};
use groundfrog_knowledge::Property;
use groundfrog_reasoner::GroundReasoner;
use groundfrog_testing::public_games;

/// A game.
struct Game {
    name: String,
    description: Description,
    rules: GroundReasoner,
}

fn game(name: &str, text: &[u8]) -> Option<Game> {
    let description = Description::parse(text, &ParseOptions::default()).ok()?;
    let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
    let options = GroundOptions { limits, ..GroundOptions::compact() };
    let game = ground(&description, &options, &mut Silent).ok()?.game;
    let rules = GroundReasoner::new(game).ok()?;
    Some(Game { name: name.to_owned(), description, rules })
}

/// The public games whose files have no more bytes and that can be ground in a second, every so many of them.
fn public(most_bytes: u64, apart: usize) -> impl Iterator<Item = Game> {
    let mut paths = public_games().expect("the folder of games");
    paths.retain(|it| it.metadata().is_ok_and(|it| it.len() <= most_bytes));
    let paths = paths.into_iter().step_by(apart);
    paths.filter_map(|it| game(&it.file_stem()?.to_string_lossy(), &std::fs::read(&it).ok()?))
}

/// The text of a game of the corpus.
fn corpus(name: &str) -> &'static str {
    groundfrog_corpus::game(name).expect("a game of the corpus").text
}

/// The ground rules of a text.
fn rules(text: &str) -> GroundReasoner {
    GroundReasoner::of_text(text).expect("a game that can be ground")
}

/// A number for each of the five properties that are asked of every game.
fn column(property: &Property) -> Option<usize> {
    match property {
        Property::TurnTaking => Some(0),
        Property::Playable => Some(1),
        Property::OneGoal => Some(2),
        Property::ConstantSum { .. } => Some(3),
        Property::Terminating { .. } => Some(4),
        _ => None,
    }
}
