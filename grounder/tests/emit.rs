//! The outputs of ground games: what each format says, and that others read it.

#[path = "emit/canonical.rs"]
mod canonical;
#[path = "emit/clingo.rs"]
mod clingo;
#[path = "emit/formats.rs"]
mod formats;
#[path = "emit/invariants.rs"]
mod invariants;
#[path = "emit/json.rs"]
mod json;
#[path = "emit/kif.rs"]
mod kif;

use std::path::PathBuf;

use groundfrog::compact::Passes;
use groundfrog::description::{Description, ParseOptions};
use groundfrog::emit::{self, Format};
use groundfrog::game::GroundGame;
use groundfrog::ground::ground;
use groundfrog::options::GroundOptions;
use groundfrog_corpus::{Game, Outcome};
use groundfrog_engine::observe::Silent;

/// Grounds a description that is known to be a game.
fn ground_text(text: impl AsRef<[u8]>, options: &GroundOptions) -> GroundGame {
    let description = Description::parse(text.as_ref(), &ParseOptions::default());
    let description = description.unwrap_or_else(|error| panic!("{error}"));
    ground(&description, options, &mut Silent).unwrap_or_else(|error| panic!("{error}")).game
}

/// The flat program, its residual, and the compact game.
fn treatments() -> [GroundOptions; 3] {
    let with = |simplify, passes| GroundOptions { simplify, passes, ..GroundOptions::default() };
    [with(false, Passes::NONE), with(true, Passes::NONE), with(true, Passes::ALL)]
}

/// The residual of the flat program.
fn residual() -> GroundOptions {
    let [_, residual, _] = treatments();
    residual
}

fn write(game: &GroundGame, format: Format) -> String {
    let mut text = Vec::new();
    emit::write(game, format, &mut text).expect("memory takes everything");
    String::from_utf8(text).expect("names are UTF-8")
}

/// The games of the corpus that can be grounded.
fn corpus() -> impl Iterator<Item = &'static Game> {
    groundfrog_corpus::games().iter().filter(|game| game.expect == Outcome::Groundable)
}

/// Files of public data, such as `games/ticTacToe.kif`; `None`, with a message, where there are none.
fn shared(file: &str) -> Option<Vec<u8>> {
    let games = std::env::var_os("GROUNDFROG_GAMES").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/games"),
        PathBuf::from,
    );
    let path = games.join("..").join(file);
    let bytes = std::fs::read(&path).ok();
    if bytes.is_none() {
        eprintln!("skipped: no {} (set GROUNDFROG_GAMES)", path.display());
    }
    bytes
}
