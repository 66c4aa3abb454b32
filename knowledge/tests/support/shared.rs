//! The games of the corpus, and the public games that tests use where they are there.

use std::time::Duration;

use groundfrog::{Description, GroundOptions, Limits, ParseOptions, Silent, ground};
use groundfrog_reasoner::GroundReasoner;

/// A game.
pub struct Game {
    pub name: String,
    #[allow(dead_code, reason = "one of the tests reads rules with variables")]
    pub description: Description,
    pub rules: GroundReasoner,
}

fn game(name: &str, text: &[u8]) -> Option<Game> {
    let description = Description::parse(text, &ParseOptions::default()).ok()?;
    let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
    let options = GroundOptions { limits, ..GroundOptions::compact() };
    let game = ground(&description, &options, &mut Silent).ok()?.game;
    let rules = GroundReasoner::new(game).ok()?;
    Some(Game { name: name.to_owned(), description, rules })
}

/// The games of the corpus that can be ground in a second.
#[allow(dead_code, reason = "one of the tests is about the public games alone")]
pub fn corpus() -> impl Iterator<Item = Game> {
    groundfrog_corpus::games().iter().filter_map(|it| game(it.name, it.text.as_bytes()))
}

/// The public games whose files have no more bytes and that can be ground in a second, every so many of them.
pub fn public(most_bytes: u64, apart: usize) -> impl Iterator<Item = Game> {
    let folder =
        std::env::var("GROUNDFROG_GAMES").unwrap_or_else(|_| "../../shared/games".to_owned());
    let entries = std::fs::read_dir(&folder).expect("the folder of games");
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let is_fit = move |path: &std::path::PathBuf| {
        path.extension().is_some_and(|it| it == "kif")
            && path.metadata().is_ok_and(|it| it.len() <= most_bytes)
    };
    paths
        .into_iter()
        .filter(is_fit)
        .step_by(apart)
        .filter_map(|path| game(&path.file_stem()?.to_string_lossy(), &std::fs::read(&path).ok()?))
}
