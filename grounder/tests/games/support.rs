//! Where the known games are, and what several suites do with a game.
#![allow(dead_code, reason = "not every suite uses all of it")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use groundfrog::description::{Description, ParseOptions};
use groundfrog::game::GroundGame;
use groundfrog::ground::{Grounding, ground};
use groundfrog::options::GroundOptions;
use groundfrog::{GroundError, emit};
use groundfrog_engine::observe::Silent;
use groundfrog_testing::{games_folder, public_games};
use libtest_mimic::{Arguments, Failed, Trial};
use sha2::{Digest, Sha256};

/// A game of the folder of known games.
#[derive(Clone, Debug)]
pub struct Known {
    pub name: String,
    pub path: PathBuf,
    /// What another grounder found, unless the game was too large for it.
    pub expected: Option<Expected>,
}

/// What another grounder found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    pub base: usize,
    pub input: usize,
    pub residual_rules: usize,
    pub residual_sha256: String,
}

/// The known games, sorted by name, or why there are none.
pub fn known_games() -> Result<Vec<Known>, String> {
    let paths = public_games()?;
    let results = games_folder().join("../expected/games.jsonl");
    let text = std::fs::read_to_string(&results)
        .map_err(|error| format!("{}: {error}", results.to_string_lossy()))?;
    let mut expected: BTreeMap<String, Expected> = text.lines().map(read_expected).collect();
    let known = |path: PathBuf| {
        let name = path.file_stem().expect("has a name").to_string_lossy().into_owned();
        Known { expected: expected.remove(&name), name, path }
    };
    let games: Vec<Known> = paths.into_iter().map(known).collect();
    assert!(expected.is_empty(), "games without a file: {:?}", expected.keys());
    Ok(games)
}

fn read_expected(line: &str) -> (String, Expected) {
    let value: serde_json::Value = serde_json::from_str(line).expect("a JSON object a line");
    let text = |key: &str| value[key].as_str().expect("a string").to_owned();
    let count = |key: &str| value[key].as_u64().expect("a count") as usize;
    let expected = Expected {
        base: count("base"),
        input: count("input"),
        residual_rules: count("residual_rules"),
        residual_sha256: text("residual_sha256"),
    };
    (text("game"), expected)
}

/// Runs tests as `cargo test` does. Without tests it says why, and passes.
pub fn run(trials: Result<Vec<Trial>, String>) -> std::process::ExitCode {
    let trials = trials.unwrap_or_else(|why| vec![skipped(&why)]);
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// A test that is reported as ignored, with the reason for its name.
pub fn skipped(why: &str) -> Trial {
    Trial::test(format!("skipped: {why}"), || Ok(())).with_ignored_flag(true)
}

/// Reads a description.
pub fn read(name: &str, text: &[u8]) -> Result<Description, GroundError> {
    let options = ParseOptions { name: name.to_owned(), ..ParseOptions::default() };
    Ok(Description::parse(text, &options)?)
}

/// Reads and grounds.
pub fn ground_text(
    name: &str,
    text: &[u8],
    options: &GroundOptions,
) -> Result<Grounding, GroundError> {
    ground(&read(name, text)?, options, &mut Silent)
}

/// The SHA-256 of the canonical text, in hexadecimal.
pub fn canonical_sha256(game: &GroundGame) -> String {
    let mut hash = Sha256::new();
    emit::canonical::write(game, &mut hash).expect("hashing takes everything");
    hexadecimal(&hash.finalize())
}

/// Bytes as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Fails unless two things are equal.
pub fn same<T: PartialEq + std::fmt::Debug>(
    what: &str,
    found: &T,
    expected: &T,
) -> Result<(), Failed> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}: {found:?} instead of {expected:?}").into())
}
