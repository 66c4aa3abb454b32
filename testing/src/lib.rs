//! What tests of several crates have in common. Whatever fails here panics with the text that it is about.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use groundfrog::compact::Passes;
use groundfrog::description::{Description, ParseOptions};
use groundfrog::game::GroundGame;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog::{Silent, ground};
use groundfrog_check::verify::{VerifyOptions, compare};
use groundfrog_corpus::{Game, Outcome, Parameters};
use groundfrog_reasoner::{GroundReasoner, InterpretedReasoner, Reasoner};

pub use groundfrog_needs::needs;

/// A text that is read.
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

/// What is ground of a text.
pub fn grounded(text: &(impl AsRef<[u8]> + ?Sized), options: &GroundOptions) -> Arc<GroundGame> {
    let grounding = ground(&description(text), options, &mut Silent);
    let shown = || String::from_utf8_lossy(text.as_ref()).into_owned();
    Arc::new(grounding.unwrap_or_else(|error| panic!("{error}\n{}", shown())).game)
}

/// A reasoner for a ground game.
pub fn reasoner(game: &Arc<GroundGame>) -> GroundReasoner {
    GroundReasoner::new(game.clone()).unwrap_or_else(|error| panic!("{error}"))
}

/// A reasoner by the rules with variables.
pub fn interpreted(text: &(impl AsRef<[u8]> + ?Sized)) -> InterpretedReasoner {
    let reasoner = InterpretedReasoner::new(&description(text), Limits::default());
    let shown = || String::from_utf8_lossy(text.as_ref()).into_owned();
    reasoner.unwrap_or_else(|error| panic!("{error}\n{}", shown()))
}

/// Plays so many random matches of sixty steps at most on both, and fails where they say different things of a state. Returns how many states
/// were compared.
pub fn plays_the_same(
    label: &str,
    game: &Arc<GroundGame>,
    oracle: &mut dyn Reasoner,
    playouts: u64,
) -> u64 {
    let options = VerifyOptions { playouts, max_length: 60, ..VerifyOptions::default() };
    let report = compare(&mut reasoner(game), oracle, Some(game), &options, &mut Silent);
    let report = report.unwrap_or_else(|error| panic!("{label}: {error}"));
    assert_eq!(report.difference, None, "{label}: {report}");
    assert_eq!(report.playouts, playouts, "{label}");
    report.states
}

/// The own games that can be ground.
pub fn own_games() -> impl Iterator<Item = &'static Game> {
    groundfrog_corpus::games().iter().filter(|game| game.expect == Outcome::Groundable)
}

/// Change ringing with so many bells, in so many rows.
pub fn change_ringing(bells: u32, rows: u32) -> String {
    let parameters = Parameters::new().with("bells", bells).with("rows", rows);
    let family = groundfrog_corpus::family("change_ringing").expect("a family");
    family.generate(&parameters).expect("valid parameters")
}

/// The folder of the public games, in which a test that needs `games` finds them.
pub fn games_folder() -> PathBuf {
    std::env::var_os("GROUNDFROG_GAMES").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/games"),
        PathBuf::from,
    )
}

/// A file in that folder or beside it, such as `ticTacToe.kif`.
pub fn read_game(file: &str) -> Vec<u8> {
    let path = games_folder().join(file);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.to_string_lossy()))
}

/// The descriptions in that folder, sorted by name.
///
/// # Errors
/// It cannot be read: why, to be told.
pub fn public_games() -> Result<Vec<PathBuf>, String> {
    let folder = games_folder();
    let entries = std::fs::read_dir(&folder).map_err(|_| {
        format!("no known games: cannot read {} (set GROUNDFROG_GAMES)", folder.to_string_lossy())
    })?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "kif"));
    paths.sort();
    Ok(paths)
}

/// A text in KIF with its words changed.
pub fn words(line: &str, mut change: impl FnMut(&str) -> String) -> String {
    let mut text = String::new();
    for part in line.split_inclusive(['(', ')', ' ', '\n', '\t']) {
        let word = part.trim_end_matches(['(', ')', ' ', '\n', '\t']);
        if !word.is_empty() {
            text.push_str(&change(word));
        }
        text.push_str(&part[word.len()..]);
    }
    text
}
