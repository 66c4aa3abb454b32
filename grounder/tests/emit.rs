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

use groundfrog::compact::Passes;
use groundfrog::emit::{self, Format};
use groundfrog::game::GroundGame;
use groundfrog::ground::ground;
use groundfrog::options::GroundOptions;
use groundfrog_engine::observe::Silent;
use groundfrog_testing::{description, own_games};

/// Grounds a description that is known to be a game.
fn ground_text(text: impl AsRef<[u8]>, options: &GroundOptions) -> GroundGame {
    ground(&description(&text), options, &mut Silent).unwrap_or_else(|error| panic!("{error}")).game
}

/// The flat program, its residual, and the compact game.
fn treatments() -> [GroundOptions; 3] {
    let with = |simplify, passes| GroundOptions { simplify, passes, ..GroundOptions::flat() };
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
